/** Rules and texts for the matcher's rows, the same in every run. No rule matches any text: the worst case, since all stay armed. */

/** Rules as people write them: secrets, commands, code, prose; anchors, boundaries, look-arounds, conjunctions. */
const USUAL = [
  "\\beval\\s*\\(",
  "console\\.(?:log|debug|trace)\\(",
  "\\bany\\b",
  ": any\\b|\\bas any\\b",
  "TODO\\(|FIXME\\(",
  "@ts-(?:ignore|nocheck)",
  "eslint-disable(?!-next-line)",
  "import .* from ['\"]lodash['\"]",
  "\\bawait import\\(",
  "(?<!\\.)\\brequire\\(",
  "new\\s+Function\\(",
  "catch \\(_\\)\\s*\\{\\s*\\}",
  "(?m)^\\s*print\\(",
  "(?m)^\\s*debugger;?$",
  "(?i)do not commit",
  "(?i)i(?:'m| am) (?:sorry|unable)",
  "(?i)as an ai (?:language )?model",
  "rest of the (?:code|file) (?:is )?unchanged",
  "(?=[\\s\\S]*\\bmutex\\b)(?=[\\s\\S]*\\bunlock\\b)",
  "AKIA[0-9A-Z]{16}",
  "gh[ps]_[A-Za-z0-9]{36}",
  "sk-[A-Za-z0-9]{20,}",
  "xox[baprs]-[A-Za-z0-9-]{10,}",
  "-----BEGIN [A-Z ]*PRIVATE KEY-----",
  "git\\s+push\\s+(?:--force(?!-with-lease)|-f\\b)",
  "git\\s+reset\\s+--hard",
  "git\\s+clean\\s+-[a-z]*f",
  "\\brm\\s+-rf\\s+/",
  "curl[^\\n|]*\\|\\s*(?:sudo\\s+)?(?:ba)?sh\\b",
  "chmod\\s+777",
  "http://(?!localhost|127\\.0\\.0\\.1)",
  "NODE_TLS_REJECT_UNAUTHORIZED\\s*=\\s*['\"]?0",
  "verify\\s*=\\s*False",
  "\\.unwrap\\(\\)",
  "\\.lock\\(\\)\\.unwrap\\(\\)",
  "Box::leak",
  'fmt\\.Sprintf\\("%s:%d"',
  '"io/ioutil"',
  "type\\s+Result<[A-Za-z_]\\w*>\\s*=",
  "\\bsetTimeout\\(",
  "\\bnew\\s+(?:Set|Map)\\b",
  "ReturnType<",
  "\\.innerHTML\\s*=(?!=)",
  "dangerouslySetInnerHTML",
  "SELECT \\* FROM",
  "\\bfunction\\s+isRecord(?:\\s*<[^>]*>)?\\s*\\(",
  "\\bconst\\s+isObject\\b\\s*(?::[\\s\\S]{0,200}?)?=\\s*(?:async\\s+)?function\\b",
  "(?:it|test)\\.skip\\(",
  "expect\\(true\\)\\.toBe\\(true\\)",
  "process\\.exit\\(1\\)",
];

const MADE = [
  (i) => `\\bretired${i}\\b`,
  (i) => `ancient${i}\\.invoke${i % 7}\\(`,
  (i) => `import .* from ['"]module${i}['"]`,
  (i) => `(?i)never.write${i}`,
  (i) => `new\\s+Client${i}Old\\(`,
  (i) => `TOKEN${i}_[0-9A-Z]{16}`,
  (i) => `(?m)^\\s*run${i}Now\\(`,
  (i) => `await\\s+load${i}\\([^)]*\\);;`,
  (i) => `@mark${i}\\b(?!-fine)`,
  (i) => `(?<!un)Safe${i}Call\\(`,
  (i) => `"core${i}/hidden"`,
  (i) => `(?=[\\s\\S]*north${i})(?=[\\s\\S]*south${i})`,
];

/** @returns as many trigger sources, the usual ones first */
export function makeRules(count) {
  const patterns = USUAL.slice(0, count);
  for (let i = 0; patterns.length < count; i++) patterns.push(MADE[i % MADE.length](i));
  return patterns.map((pattern, index) => ({ ruleId: `r${index}`, pattern, index: 0 }));
}

const WORDS = {
  English:
    "value result index buffer stream token request reply handler session context option layout widget cursor editor parser symbol package company anyone evaluate consoles retired north7 module4 ancient3".split(
      " ",
    ),
  CJK: "変数 結果 索引 缓冲区 数据流 令牌 请求 回复 处理器 会话 上下文 选项 布局 光标 편집기 파서 기호 패키지 회사 値段 ですから".split(
    " ",
  ),
  emoji: "ok 👍 done 🎉 🚀 ship ✨ it 🧪 tests 🐛 fixed 👩‍💻 code 🇪🇺 flag 👋🏽 hi ❤️ thanks 1️⃣ first".split(" "),
};

const LINES = [
  (w) => `export function ${w()}(${w()}: string, ${w()}: number): void {`,
  (w) => `  const ${w()} = ${w()}.${w()}(${w()}, 42);`,
  (w) => `  // ${w()} of the ${w()} is kept until the ${w()} closes`,
  (w) => `  if (${w()} === undefined || ${w()} > 7) return;`,
  (w) => `import { ${w()} } from "./${w()}.js";`,
  (w) => `  for (const ${w()} of ${w()}) ${w()}.push(${w()});`,
  (w) => `  ${w()}: "${w()} ${w()}", ${w()}: [${w()}, ${w()}],`,
  (w, n) => `  await ${w()}.${w()}({ ${w()}: true }); // see #${n}`,
  // What only begins like something forbidden.
  (w, n) => `  retired${n}_${w()}(ancient${n}.get${w()}, "core${n}/public");`,
  (w, n) => `import { ${w()} } from 'module${n}-next'; // north${n}, never ${w()}_${n}`,
  (w, n) => `  @mark${n}-fine TOKEN${n}_${w()} = unSafe${n}Call(new Client${n}(${w()}));`,
  () => "}",
  () => "",
];

/** @param script one of the keys of `WORDS` */
export function makeText(script, length) {
  let seed = 20_260_101;
  const random = (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 9) % below;
  };
  const words = WORDS[script];
  const word = () => words[random(words.length)];
  let text = "";
  while (text.length < length) text += `${LINES[random(LINES.length)](word, random(1_500))}\n`;
  return text.slice(0, length);
}

export const SCRIPTS = Object.keys(WORDS);

/** @returns the text in deltas of so many UTF-16 units */
export function deltas(text, size = 4) {
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
