/** More ways in which a rule may die: `rules check` finds each, and says why so that a newcomer knows what to do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../../src/agent/messages.js";
import { loadCapability } from "../../../src/capability/index.js";
import { registerRuleProviders } from "../../../src/discovery/index.js";
import { Languages } from "../../../src/ttsr/ast/languages.js";
import { type CheckedRule, checkRules } from "../../../src/ttsr/proving/check-rules.js";
import { fakeTool } from "../../support/tools.js";

const taking = (...names: string[]): { parameters: Json } => ({
  parameters: { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) },
});
const TOOLS = [
  { ...fakeTool("bash", { authored: [{ kind: "text", argument: "command" }] }), ...taking("command") },
  {
    ...fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" }),
    ...taking("path", "content"),
  },
  fakeTool("edit", { authored: [{ kind: "edits", argument: "edits" }], pathArgument: "path" }),
];

/** A rule with these lines in its front matter. */
const keys = (...lines: string[]): string => `---\n${lines.join("\n")}\n---\nDo not.\n`;
const on = (...lines: string[]): string => keys("ttsr_trigger: eval", ...lines);

const BROKEN: readonly (readonly [
  what: string,
  text: string,
  status: string,
  code: string,
  said: RegExp,
  todo: RegExp,
])[] = [
  // where the front matter is not seen
  ["keys without a fence", "ttsr_trigger: eval\n\nDo not.\n", "broken", "front-matter", /line "---" in front/, /^$/],
  ["keys in a code fence", "```yaml\nttsr_trigger: x\n```\n", "broken", "front-matter", /line "---" in front/, /^$/],
  ["a title first", `# No eval\n\n${on()}`, "broken", "front-matter", /on line 1; remove what stands before it/, /^$/],
  ["a comment first", `<!-- x -->\n${on()}`, "broken", "front-matter", /on line 1; remove what stands before/, /^$/],
  // keys that are none to YAML
  [
    "no blank",
    keys("ttsr_trigger:'eval'"),
    "warning",
    "repaired",
    /"ttsr_trigger" was read as a key/,
    /"ttsr_trigger: …"/,
  ],
  ["an equals sign", keys("ttsr_trigger = 'eval'"), "warning", "repaired", /was read as a key/, /"ttsr_trigger: …"/],
  ["a wide colon", keys("ttsr_trigger\uff1a'eval'"), "warning", "repaired", /was read as a key/, /"ttsr_trigger: …"/],
  ["a hard blank", keys("ttsr_trigger:\u00a0'eval'"), "warning", "repaired", /was read as a key/, /"ttsr_trigger: …"/],
  ["another name", on("interrupt: false"), "warning", "unknown-key", /Unknown key "interrupt"/, /"interruptMode"/],
  ["a name in capitals", on("SCOPE: text"), "warning", "unknown-key", /Unknown key "SCOPE"/, /"scope"/],
  // patterns that YAML takes for something else
  [
    "a hash first",
    keys("ttsr_trigger: #todo"),
    "broken",
    "comment",
    /is a comment to YAML, so .* has no pattern/,
    /single quotes/,
  ],
  [
    "no blank behind a dash",
    keys("ttsr_trigger:", "  -eval", "  -exec"),
    "warning",
    "dash",
    /one pattern, "-eval -exec"/,
    /- '…'/,
  ],
  [
    "a comma list",
    keys("ttsr_trigger: eval, exec"),
    "warning",
    "comma",
    /one pattern with its comma: "eval, exec"/,
    /write a list/,
  ],
  [
    "a colon in a list",
    on("examples:", "  fire:", "    - const x: eval"),
    "warning",
    "wrong-type",
    /a mapping was left out/,
    /in single quotes/,
  ],
  [
    "an empty entry",
    on("examples: { fire: [eval, ] , silent: [ ~ ] }"),
    "warning",
    "wrong-type",
    /an empty entry was left out/,
    /^$/,
  ],
  // patterns of other dialects
  ["\\h", keys("ttsr_trigger: 'foo\\hbar'"), "warning", "plain-letter", /\\h means nothing special/, /\[ \\t\]/],
  [
    "\\Q…\\E",
    keys("ttsr_trigger: '\\Qa.b\\E'"),
    "warning",
    "plain-letter",
    /matches the plain letter Q/,
    /backslash in front/,
  ],
  [
    "a group that is not there",
    keys("ttsr_trigger: '(a)\\2'"),
    "warning",
    "missing-group",
    /a group that is not there/,
    /Count the groups/,
  ],
  [
    "a recursion",
    keys("ttsr_trigger: '\\((?R)\\)'"),
    "broken",
    "syntax",
    /a sign that JavaScript does not know/,
    /Known are/,
  ],
  [
    "curly quotes",
    keys("ttsr_trigger: \u2018eval\u2019"),
    "warning",
    "curly-quotes",
    /curly quotes/,
    /straight single quotes/,
  ],
  [
    "a letter of another alphabet",
    keys("ttsr_trigger: 'ev\u0430l'"),
    "warning",
    "mixed-letters",
    /two alphabets/,
    /Type the word anew/,
  ],
  [
    "a count without its first",
    keys("ttsr_trigger: 'a{,3}b'"),
    "warning",
    "open-count",
    /needs its first number/,
    /\{0,3\}/,
  ],
  [
    "a class cut by another",
    keys("ttsr_trigger: '[a-z&&[^e]]x'"),
    "warning",
    "class-operator",
    /cannot be cut/,
    /look-ahead/,
  ],
  ["a backspace", keys("ttsr_trigger: '[\\b]eval'"), "warning", "backspace", /is a backspace/, /without the brackets/],
  [
    "CRLF",
    keys("ttsr_trigger: 'foo\\r\\nbar'"),
    "warning",
    "carriage-return",
    /end their lines with \\n alone/,
    /\\r\?\\n/,
  ],
  [
    "JSON",
    keys(`ttsr_trigger: '"command":\\s*"rm'`),
    "warning",
    "json-key",
    /as it stands in JSON/,
    /tool:bash\.command/,
  ],
  // scopes
  ["blanks for commas", on("scope: text thinking"), "broken", "scope", /cannot be read/, /commas between/],
  [
    "a parenthesis left open",
    on("scope: tool:edit(src/**"),
    "broken",
    "scope",
    /cannot be read/,
    /Close its parenthesis/,
  ],
  ["an argument without tool:", on("scope: bash.command"), "broken", "scope", /cannot be read/, /"tool:bash\.command"/],
  ["a file pattern", on("scope: '*.ts'"), "broken", "scope", /cannot be read/, /under `globs`/],
  ["all", on("scope: all"), "broken", "scope", /is not known/, /Leave it out/],
  ["a star", on("scope: '*'"), "broken", "scope", /cannot be read/, /Leave it out/],
  [
    "a mapping in a list",
    on("scope: [tool: edit]"),
    "warning",
    "wrong-type",
    /a mapping was left out/,
    /in single quotes/,
  ],
  // files
  ["a brace left open", on("globs: '*.{ts,js'"), "warning", "glob", /without its other half/, /\{ts,tsx\}/],
  ["blanks between", on("globs: '*.ts *.js'"), "warning", "glob", /one pattern with a blank/, /commas/],
  ["an ending alone", on("globs: .ts"), "warning", "glob", /a file of just this name/, /Write \*\.ts/],
  ["takes all back", on("globs: ['*.ts', '!**']"), "warning", "glob", /takes every file back/, /Take it out/],
  [
    "takes back too early",
    on("globs: ['!*.test.ts', '*.ts']"),
    "warning",
    "glob",
    /so nothing is taken back/,
    /at the end/,
  ],
  [
    "scope and globs apart",
    on("scope: tool:edit(*.py)", "globs: ['*.ts', 'src/*.{js,tsx}']"),
    "warning",
    "unreachable",
    /no file has the endings of both/,
    /in one place/,
  ],
  // keys that have nothing to do
  [
    "an exception in every match",
    keys("ttsr_trigger: '\\beval\\('", "unless: eval"),
    "warning",
    "unreachable",
    /"eval", which stands in everything/,
    /beside it/,
  ],
  ["unlessWithin alone", on("unlessWithin: 5"), "warning", "idle-key", /and the rule has none/, /unless: /],
  [
    "a gap without its mode",
    on("repeatGap: 5", "repeatMode: once"),
    "warning",
    "idle-key",
    /counts only with repeatMode/,
    /Take one/,
  ],
  // syntax
  [
    "syntax in prose",
    keys("astCondition: 'eval($A)'", "scope: text"),
    "warning",
    "unreachable",
    /it looks at files/,
    /tool:edit/,
  ],
  [
    "syntax and zones",
    keys("astCondition: 'eval($A)'", "in: code"),
    "warning",
    "unreachable",
    /means nothing to an astCond/,
    /Take/,
  ],
  [
    "a language nobody knows",
    keys("astCondition: 'eval($A)'", "globs: '*.cob'"),
    "broken",
    "syntax-pattern",
    /No language.*\.cob/,
    /^$/,
  ],
  [
    "a regex for syntax",
    keys("astCondition: '\\beval\\('"),
    "broken",
    "syntax-pattern",
    /no whole piece of TypeScript/,
    /^$/,
  ],
];

/** In order, and told to people though nothing is wrong for certain. */
const REMARKS: readonly (readonly [what: string, text: string, code: string, said: RegExp, todo: RegExp])[] = [
  [
    "a bare name",
    on("scope: edit, text, 'write(*.ts)', tool:bash"),
    "bare-tool",
    /the tool "edit" without "tool:"/,
    /"tool:edit"/,
  ],
  [
    "a bare name with files",
    on("scope: 'write(*.ts)'"),
    "bare-tool",
    /the tool "write\(\*\.ts\)"/,
    /"tool:write\(\*\.ts\)"/,
  ],
  ["Claude's name", on("scope: tool:Bash"), "unknown-tool", /the tool "Bash"/, /"tool:bash"/],
  ["another name", on("scope: 'tool:MultiEdit(*.ts)'"), "unknown-tool", /the tool "MultiEdit"/, /"tool:edit"/],
  ["nobody's name", on("scope: tool:mcp.github"), "unknown-tool", /the tool "mcp.github"/, /^$/],
  [
    "an argument that no tool has",
    keys("callCondition: { required: [background] }", "scope: tool:bash"),
    "unknown-argument",
    /about "background", and bash has no such argument\.$/,
    /^Known are command\.$/,
  ],
  [
    "and one of two tools",
    keys("callCondition: { required: [file], properties: { file: { const: x } } }", "scope: tool:bash, tool:write"),
    "unknown-argument",
    /about "file", and bash, write have no such argument\.$/,
    /^Known are command, path, content\.$/,
  ],
  ["other agents", on("agents: reviewer"), "other-agents", /for other agents than main.*\(agents: reviewer\)/, /^$/],
];

/** And these are well meant. */
const FINE: readonly (readonly [what: string, text: string])[] = [
  ["commas that belong to it", keys("ttsr_trigger: foo\\(a, b\\)")],
  ["a page with an example", "# Our rules\n\n```markdown\n---\nttsr_trigger: eval\n---\n```\n\n---\n\nMore.\n"],
  ["a blank behind a colon", on("scope: 'tool: edit (*.ts)'")],
  ["what takes back at the end", on("globs: ['*.ts', '!*.test.ts']")],
  ["an argument of a tool", keys("callCondition: { required: [command] }", "scope: tool:bash")],
  ["an argument of some tool", keys("callCondition: { required: [anything] }", "scope: tool")],
  ["an argument of a tool that is not here", keys("callCondition: { required: [text] }", "scope: tool:*")],
  ["a dotfile", on("globs: ['.env', '.env.*']")],
  ["scope and globs that meet", on("scope: ['tool:edit(src/**)', 'tool:write(*.ts)']", "globs: '*.ts'")],
  ["an exception beside it", keys("ttsr_trigger: '\\beval\\('", "unless: evaluate")],
  ["an exception in some of the matches", keys("ttsr_trigger: ['eval', 'exec']", "unless: eval")],
];

let folder: string;
let checked: Map<string, CheckedRule>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ttsr-more-broken-"));
  const rules = join(folder, "rules");
  mkdirSync(rules);
  const all = [...BROKEN, ...REMARKS, ...FINE];
  for (const [index, [, text]] of all.entries()) writeFileSync(join(rules, `r${index}.md`), text);
  registerRuleProviders();
  const dirs = { config: join(folder, "config"), state: join(folder, "state") };
  const set = await loadCapability("rules", { cwd: folder, dirs, ruleDirs: [rules], builtinRules: false });
  const lab = { tools: (name: string) => TOOLS.find((tool) => tool.name === name), languages: new Languages() };
  const verdicts = new Map((await checkRules(set, lab)).map((rule) => [rule.name, rule]));
  checked = new Map(all.flatMap(([, text], index) => [[text, verdicts.get(`r${index}`)!]]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("rules check on more broken rules", () => {
  it.each(BROKEN)("%s", (_, text, status, code, said, todo) => {
    const rule = checked.get(text);
    const told = rule?.diagnostics.find((each) => each.code === code);
    expect([rule?.status, told?.message ?? rule?.diagnostics]).toEqual([status, expect.stringMatching(said)]);
    expect(told?.suggestion ?? "").toMatch(todo);
    expect(told?.message).toMatch(/^[A-Z"`\\][^\n]*\.$/);
  });

  it.each(REMARKS)("a remark: %s", (_, text, code, said, todo) => {
    const rule = checked.get(text);
    expect(rule?.status).toBe("ok");
    const told = rule?.diagnostics.find((each) => each.code === code);
    expect(told?.message).toMatch(said);
    expect(told?.suggestion ?? "").toMatch(todo);
  });

  it.each(FINE)("nothing is said of %s", (_, text) => {
    const told = checked.get(text)?.diagnostics.filter(({ code }) => code !== "inert");
    expect(told).toEqual([]);
  });
});
