/** A folder of rules each of which is dead, or nearly, in a way of its own: `rules check` finds every one, and says why in one sentence. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCapability } from "../../../src/capability/index.js";
import { registerRuleProviders } from "../../../src/discovery/index.js";
import { Languages } from "../../../src/ttsr/ast/languages.js";
import { type CheckedRule, checkRules } from "../../../src/ttsr/proving/check-rules.js";
import { fakeTool } from "../../support/tools.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures/broken-rules", import.meta.url));
const TOOLS = [
  fakeTool("bash", { authored: [{ kind: "text", argument: "command" }] }),
  fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" }),
  fakeTool("edit", { authored: [{ kind: "edits", argument: "edits" }], pathArgument: "path" }),
];

const EXPECTED: readonly (readonly [file: string, status: string, code: string, message: string])[] = [
  ["1/2/3/4/5/6/7/8/9", "broken", "skipped", "It was not read: it lies deeper than 8 folders."],
  [
    "absolute-glob.md",
    "warning",
    "glob",
    'The file pattern "/home/me/project/src/*.ts" is a place on a disk, but paths are counted from the project\'s folder.',
  ],
  [
    "alias-bomb.md",
    "broken",
    "front-matter",
    "The front matter is built too deep or too large to be read (its aliases stand for more than they may).",
  ],
  [
    "ast-field.md",
    "broken",
    "syntax-pattern",
    'The pattern {"patern":"eval($A)"} cannot be used: it has no key "patern"; did you mean "pattern"?',
  ],
  [
    "ast-half.md",
    "broken",
    "syntax-pattern",
    'The pattern "if ($A) {" is no whole piece of TypeScript, so it can never match.',
  ],
  [
    "ast-kind.md",
    "broken",
    "syntax-pattern",
    'The pattern {"kind":"call_expresion"} cannot be used: the syntax of TypeScript has no kind "call_expresion".',
  ],
  [
    "backslash-glob.md",
    "warning",
    "glob",
    'The file pattern "src\\*.ts" has backslashes, and no path has them here; it matches nothing.',
  ],
  [
    "backspace.md",
    "warning",
    "backspace",
    '"ttsr_trigger" has "\\b" in double quotes, where YAML makes a backspace of it; it was read as a word boundary.',
  ],
  [
    "bad name!.md",
    "broken",
    "bad-name",
    '"bad name!" cannot be a rule\'s name; rename the file: letters A-Z a-z, digits, ".", "_", "-" and folders, at most 128 characters.',
  ],
  [
    "bad-yaml.md",
    "warning",
    "repaired",
    '"ttsr_trigger" is not valid YAML (Invalid escape sequence \\s); read as "\\\\beval\\\\s*\\\\(".',
  ],
  [
    "block-scalar.md",
    "warning",
    "block-scalar",
    '"ttsr_trigger: |" ends the pattern with a line end, so it only fires where the line ends too; patterns are never trimmed.',
  ],
  ["broken-unless.md", "broken", "syntax", "`unless`: A group is opened with ( and never closed."],
  [
    "call-key.md",
    "broken",
    "call-condition",
    '"callCondition" cannot be used: it has no key "requird", did you mean "required"?',
  ],
  [
    "call-optional.md",
    "warning",
    "not-required",
    'Its `callCondition` holds on a call without "content" too: a schema asks for nothing that its `required` does not name.',
  ],
  [
    "call-scope.md",
    "warning",
    "unreachable",
    "Its `callCondition` is unreachable: it looks at calls as a whole, and the scope names arguments.",
  ],
  ["comment-cuts.md", "warning", "comment", 'What stands behind "#" is a comment to YAML; the pattern is "colou?r".'],
  [
    "detect-a-call-too.md",
    "warning",
    "detect",
    'A call is never cut for repeating itself, so "tool:bash" in the scope means nothing.',
  ],
  [
    "detect-beside-a-trigger.md",
    "warning",
    "unreachable",
    "`detect` never fires: it looks at what the model says and thinks, and the scope names tools alone.",
  ],
  [
    "detect-in-tools.md",
    "broken",
    "unreachable",
    "`detect` never fires: it looks at what the model says and thinks, and the scope names tools alone.",
  ],
  [
    "detect-in-vain.md",
    "broken",
    "example-fire",
    'It should fire on "I have everything that I need now, so I will write the file …", and nothing in it goes round in circles.',
  ],
  ["detect-unknown.md", "broken", "wrong-type", '"detect" must be one of repetition; "repetitions" was left out.'],
  [
    "detect-with-globs.md",
    "broken",
    "unreachable",
    "`detect` never fires: the rule has `globs`, and what the model says and thinks has no file.",
  ],
  [
    "detect-with-in.md",
    "warning",
    "detect",
    "`in` means nothing to `detect`: it looks at paragraphs, and leaves out code, lists, tables and quotes.",
  ],
  [
    "detect-with-unless.md",
    "warning",
    "detect",
    "`unless` means nothing to `detect`: it excuses what a trigger found, and the rule has none.",
  ],
  [
    "doubled-backslash.md",
    "warning",
    "doubled-backslash",
    "Two backslashes match a backslash in the text, so what stands behind them loses its meaning.",
  ],
  [
    "empty-body.md",
    "warning",
    "empty-body",
    "The rule has no text to put before the model: write below the front matter what to do.",
  ],
  [
    "example-list-misspelt.md",
    "warning",
    "unknown-key",
    '"examples" has no list "fires"; its lists are "fire" and "silent".',
  ],
  [
    "example-out-of-scope.md",
    "broken",
    "example-fire",
    'It should fire on "eval(x)", and does not: its scope (tool:bash) does not take in write.content of example.txt.',
  ],
  [
    "fires-where-it-should-not.md",
    "broken",
    "example-silent",
    'It should be silent on "evaluate(x)", and fires in the model\'s text at "eval".',
  ],
  [
    "flags-inside.md",
    "broken",
    "unsupported-flag",
    'Flags inside the pattern ("(?i)") are not supported; put (?ims) at its very beginning.',
  ],
  ["foreign-anchor.md", "warning", "foreign-anchor", "\\A, \\Z and \\z are plain letters in JavaScript, no anchors."],
  [
    "glob-for-trigger.md",
    "broken",
    "syntax",
    "This looks like a file glob, but a trigger is a regular expression on text.",
  ],
  [
    "globs-in-prose.md",
    "warning",
    "unreachable",
    "This rule is unreachable: it has `globs`, but nothing that its scope names comes with a file.",
  ],
  [
    "hidden-characters.md",
    "warning",
    "hidden-text",
    "Hidden characters (U+200B) were removed, since a model reads what nobody sees in an editor.",
  ],
  [
    "list-not-class.md",
    "warning",
    "list-or-class",
    '"ttsr_trigger: [Tt]" is a YAML list, so the pattern is "Tt", not a character class.',
  ],
  [
    "long-trigger.md",
    "broken",
    "over-limit",
    'A pattern has 1001 characters, more than 1000; it was left out: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…".',
  ],
  ["mapping-for-trigger.md", "broken", "wrong-type", '"ttsr_trigger" must be a text; a mapping was left out.'],
  [
    "matches-empty.md",
    "broken",
    "matches-empty",
    "This trigger matches even where nothing is written, so it would fire on everything.",
  ],
  [
    "matches-everything.md",
    "warning",
    "matches-everything",
    "This trigger matches nearly any text, so it would fire on everything.",
  ],
  [
    "never-matches.md",
    "broken",
    "never-matches",
    "This trigger can never match: it asks for something that cannot stand where it asks for it.",
  ],
  [
    "no-end-fence.md",
    "warning",
    "no-end-fence",
    'The front matter has no closing "---"; it was taken to end with line 3.',
  ],
  ["no-trigger-left.md", "broken", "empty-trigger", '"ttsr_trigger" has an empty pattern; it was left out.'],
  [
    "not-utf-8.md",
    "broken",
    "not-text",
    "The file cannot be read as text: it is not UTF-8 (perhaps Latin-1, Windows-1252 or GBK); save it as UTF-8.",
  ],
  [
    "nothing-at-all.md",
    "warning",
    "inert",
    "The file has no trigger, no description, no globs and no alwaysApply: nothing of it is used.",
  ],
  ["nothing-to-repeat.md", "broken", "syntax", "A *, +, ? or {n} has nothing in front of it that it could repeat."],
  [
    "only-at-the-end.md",
    "warning",
    "end-only",
    "This trigger can fire only when the whole text is written, too late to cut anything off.",
  ],
  [
    "other-engine.md",
    "broken",
    "front-matter",
    'Front matter must start with exactly "---" on line 1, not with "---js": it is YAML and nothing else.',
  ],
  [
    "posix-class.md",
    "warning",
    "posix-class",
    "A POSIX class such as [:space:] does not exist in JavaScript, so this matches single letters and a bracket.",
  ],
  [
    "possessive.md",
    "broken",
    "syntax",
    "Possessive quantifiers (a *, +, ? or } followed by +) do not exist in JavaScript.",
  ],
  ["python-group.md", "broken", "syntax", "Groups named (?P<…>…) do not exist in JavaScript."],
  [
    "regex-for-glob.md",
    "warning",
    "glob",
    'The file pattern ".*\\.ts$" is a regular expression; `globs` takes patterns as in .gitignore.',
  ],
  ["scope-never-fires.md", "broken", "scope", 'The scope "tool:bash.cmd" never fires: no rule watches "cmd" of bash.'],
  [
    "silent-where-it-should-fire.md",
    "broken",
    "example-fire",
    'It should fire on "evaluate(x)", and its trigger does not match that.',
  ],
  [
    "slashes.md",
    "warning",
    "literal-slashes",
    "The slashes around the pattern are taken as part of it, so it fires only on a text that has them.",
  ],
  [
    "slashes.mdc",
    "warning",
    "shadowed",
    'Another rule has the same name, "slashes", and comes first (…/rules/slashes.md), so this one never fires.',
  ],
  [
    "slashes.old.md",
    "warning",
    "copy",
    'The rule "slashes.old" is a copy of "slashes" (…/rules/slashes.md), so both fire.',
  ],
  ["switched-off.md", "warning", "off", "The rule is switched off, so it never fires (enabled: false in the file)."],
  [
    "text-before-fence.md",
    "broken",
    "front-matter",
    'Front matter must start with exactly "---" on line 1; remove what stands before it.',
  ],
  ["too-large.md", "broken", "skipped", "It was not read: it has 65563 bytes; a rule has at most 65536."],
  [
    "too-many-triggers.md",
    "broken",
    "over-limit",
    'A rule has at most 32 patterns; this one was left out: "word32\\b".',
  ],
  ["trigger-by-another-name.md", "broken", "unknown-key", 'Unknown key "pattern"; it was left out.'],
  ["two-keys.md", "warning", "duplicate-key", 'The key "ttsr_trigger" stands twice; this one counts.'],
  ["unclosed-class.md", "broken", "syntax", "A class is opened with [ and never closed."],
  ["unclosed-group.md", "broken", "syntax", "A group is opened with ( and never closed."],
  [
    "unicode-property.md",
    "warning",
    "p-without-u",
    "\\p needs the flag u, which rules do not have, so this matches the plain letters.",
  ],
  ["unknown-flag.md", "broken", "unsupported-flag", 'The flag "x" is not supported; only (?i), (?m) and (?s) are.'],
  ["unknown-key.md", "warning", "unknown-key", 'Unknown key "scopes"; it was left out.'],
  ["unknown-scope.md", "broken", "scope", 'The scope "bahs" is not known; a tool of that name is written "tool:bahs".'],
  [
    "unknown-zone.md",
    "warning",
    "wrong-type",
    '"in" must be one or more of code, comment, string, prose, any; "comments" was left out.',
  ],
  [
    "unless-always.md",
    "broken",
    "matches-empty",
    "`unless` holds on every text, so it excuses every match and the rule never fires.",
  ],
  [
    "warm-up-one.md",
    "warning",
    "warm-up",
    "`warmupMatches: 1` changes nothing: the rule acts from the first occurrence on without it.",
  ],
  [
    "whole-text.md",
    "warning",
    "whole-text-anchors",
    "^ and $ mean the whole text, so this fires only where nothing else is in it.",
  ],
  [
    "wrong-number.md",
    "warning",
    "wrong-type",
    '"unlessWithin" must be a whole number of lines, 0 or more; "two" was left out.',
  ],
  [
    "wrong-word.md",
    "warning",
    "wrong-type",
    '"repeatMode" must be one of always, once, after-gap; "onse" was left out.',
  ],
  [
    "zone-unreachable.md",
    "warning",
    "unreachable",
    "This rule is unreachable: prose has no comments and no strings, and its scope is prose alone.",
  ],
];

let folder: string;
let checked: Map<string, CheckedRule>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ttsr-broken-"));
  const rules = join(folder, "rules");
  cpSync(FIXTURES, rules, { recursive: true });
  // What is large, or has a name that not every disk takes, is made here.
  writeFileSync(join(rules, "too-large.md"), `---\nttsr_trigger: eval\n---\n${"x".repeat(64 * 1024)}`);
  mkdirSync(join(rules, "1/2/3/4/5/6/7/8/9"), { recursive: true });
  writeFileSync(join(rules, "1/2/3/4/5/6/7/8/9/too-deep.md"), "---\nttsr_trigger: eval\n---\nText.\n");
  registerRuleProviders();
  const dirs = { config: join(folder, "config"), state: join(folder, "state") };
  const set = await loadCapability("rules", { cwd: folder, dirs, ruleDirs: [rules], builtinRules: false });
  const lab = { tools: (name: string) => TOOLS.find((tool) => tool.name === name), languages: new Languages() };
  checked = new Map((await checkRules(set, lab)).map((rule) => [relative(rules, rule.path), rule]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("rules check on a folder of broken rules", () => {
  it("it holds forty and more, and none of them is ok", () => {
    expect(EXPECTED.length).toBeGreaterThan(40);
    expect([...checked.values()].filter(({ status }) => status === "ok").map(({ name }) => name)).toEqual([]);
    expect([...checked.keys()].sort()).toEqual(EXPECTED.map(([file]) => file).sort());
  });

  it.each(EXPECTED)("%s", (file, status, code, message) => {
    const rule = checked.get(file);
    const [first] = rule?.diagnostics.filter(({ severity }) => severity !== "info") ?? [];
    const said = (text: string): string => text.replaceAll(folder, "…");
    expect([rule?.status, first?.code, said(first?.message ?? "")]).toEqual([status, code, message]);
  });

  it("each reason is one sentence, without a line end", () => {
    for (const { diagnostics } of checked.values()) {
      for (const { message } of diagnostics) {
        expect(message).toMatch(/^[A-Z"`\\^][^\n]*[.?]$/);
        // A full stop, a blank and a capital letter begin another one.
        expect(message).not.toMatch(/[a-z)"`][.!?] [A-Z]/);
      }
    }
  });
});
