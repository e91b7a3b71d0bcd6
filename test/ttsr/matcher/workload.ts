/** Code-like text on which no rule fires though every rule is nearly met, and rules of the kinds that people write. The same each time. */
import { Random } from "./fuzz/random.js";

const WORDS =
  "user item config value result index buffer stream token request response handler manager session context option render layout widget cursor editor parser lexer symbol module package company many anyone".split(
    " ",
  );

export function workloadText(length: number): string {
  const random = new Random(12345);
  const word = (): string => random.pick(WORDS);
  const name = (): string => {
    const second = word();
    return random.below(3) === 0 ? word() : word() + second.charAt(0).toUpperCase() + second.slice(1);
  };
  const line = (): string => {
    const [a, b, c] = [name(), name(), name()];
    const k = random.below(1500);
    const lines = [
      `import { ${a}, ${b} } from './${c}.js';`,
      `export function ${a}(${b}: string, ${c}: number): void {`,
      `  const ${a} = ${b}.${c}(${name()}, ${k});`,
      `  if (${a} === undefined || ${b} > ${k}) return;`,
      `  // ${a} of the ${b} is kept until the ${c} closes, see issue #${k}`,
      `  for (const ${a} of ${b}) ${c}.push(${a});`,
      `  await ${a}.${b}({ ${c}: true, name: "${name()}", size: ${k} });`,
      `  console.info("${a} ${b}", ${c});`,
      "}",
      "",
      `  } catch (error) { ${a}.${b}(error); }`,
      `type ${a} = Record<string, ${b}> | Map<${c}, "\u00e9\u2014\u2192\u{1F600}">;`,
      `  legacy${k}_ = old${k}.get(KEY${k}_abc, fetch${k}(x), process.env.PUBLIC_${k});`,
      `import { ${a} } from 'pkg${k}-core';`,
      `  // alpha${k} of company ${a}, "lib${k}/public", @rule${k}-ok, safeRun${k}(1)`,
    ];
    return random.pick(lines);
  };
  let text = "";
  while (text.length < length) text += `${line()}\n`;
  return text.slice(0, length);
}

const TYPICAL = [
  "\\bany\\b",
  "console\\.log\\(",
  "TODO|FIXME",
  "import .* from ['\"]lodash['\"]",
  "eval\\(",
  "(?i)pre.existing",
  "(?=[\\s\\S]*\\bfoo\\b)(?=[\\s\\S]*\\bbar\\b)",
  "AKIA[0-9A-Z]{16}",
  "ghp_[A-Za-z0-9]{36}",
  "-----BEGIN [A-Z ]*PRIVATE KEY-----",
  "console\\.(log|debug|trace)\\(",
  "(?i)i(?:'m| am) (?:sorry|unable)",
  "git\\s+push\\s+(--force|-f)\\b",
  "(?m)^\\s*print\\(",
  "@ts-(ignore|nocheck)",
  "eslint-disable(?!-next-line)",
  "http://(?!localhost|127\\.0\\.0\\.1)",
  "(?<!\\.)\\brequire\\(",
  "\\.lock\\(\\)\\.unwrap\\(\\)",
  "\\bfunction\\s+isNothing(?:\\s*<[^>]*>)?\\s*\\(",
];
const GENERATED: readonly ((i: number) => string)[] = [
  (i) => `\\blegacy${i}\\b`,
  (i) => `old${i}\\.call${i % 7}\\(`,
  (i) => `import .* from ['"]pkg${i}['"]`,
  (i) => `(?i)do.not.use${i}`,
  (i) => `new\\s+Old${i}Client\\(`,
  (i) => `KEY${i}_[0-9A-Z]{16}`,
  (i) => `(?m)^\\s*use${i}Effect\\(`,
  (i) => `await\\s+fetch${i}\\([^)]*\\)`,
  (i) => `process\\.env\\.SECRET_${i}\\b`,
  (i) => `@rule${i}\\b(?!-ok)`,
  (i) => `(?<!safe)Run${i}\\(`,
  (i) => `"lib${i}/internal"`,
  (i) => `(?=[\\s\\S]*alpha${i})(?=[\\s\\S]*beta${i})`,
];

export function workloadRules(count: number): string[] {
  const rules = TYPICAL.slice(0, count);
  for (let i = 0; rules.length < count; i++) rules.push(GENERATED[i % GENERATED.length]?.(i) ?? "");
  return rules;
}

/** Pieces of so many units. */
export function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}
