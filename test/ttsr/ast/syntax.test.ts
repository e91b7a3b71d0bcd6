import { afterAll, describe, expect, it } from "vitest";
import type { AstPattern, Rule } from "../../../src/capability/rule.js";
import { readRuleFile } from "../../../src/discovery/rule-file.js";
import { Languages, languageOf } from "../../../src/ttsr/ast/languages.js";
import { TtsrManager } from "../../../src/ttsr/manager.js";
import { createMonitor } from "../../../src/ttsr/monitor.js";
import { proveRule } from "../../../src/ttsr/proving/prove.js";
import type { TtsrMatch } from "../../../src/ttsr/types.js";
import { DEFAULT_TTSR, rule } from "../../support/rules.js";
import { fakeTool } from "../../support/tools.js";

const WRITE = fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" });
const EDIT = fakeTool("edit", { authored: [{ kind: "edits", argument: "edits" }], pathArgument: "path" });
const tools = (name: string) => [WRITE, EDIT].find((tool) => tool.name === name);

const astRule = (astCondition: AstPattern[], more: Partial<Rule> = {}): Rule =>
  rule("syntax", { ttsrTrigger: [], astCondition, ...more });

/** Each util asks the one before it twice. */
function doubling(levels: number): AstPattern {
  const utils: Record<string, unknown> = { u0: { regex: "x" } };
  for (let n = 1; n <= levels; n++) utils[`u${n}`] = { any: [{ matches: `u${n - 1}` }, { matches: `u${n - 1}` }] };
  return { utils, rule: { matches: `u${levels}` } };
}

/** Their process is one for all. */
const languages = new Languages();
afterAll(() => languages.checker.stop());

/** One finished message with one call. @returns what fired before the call could run */
async function call(rules: Rule[], name: string, args: Record<string, unknown>, onDisk?: string): Promise<TtsrMatch[]> {
  const manager = new TtsrManager(DEFAULT_TTSR, { baseline: () => onDisk, languages });
  for (const each of rules) expect(manager.addRule(each), JSON.stringify(manager.diagnostics())).toBe(true);
  const found: TtsrMatch[] = [];
  const monitor = createMonitor({
    manager,
    tools,
    cwd: "/project",
    onBatch: (matches) => {
      found.push(...matches);
      return "pass";
    },
  });
  monitor.open();
  monitor.inspect({ type: "call_start", index: 0, id: "c1", name });
  monitor.inspect({ type: "args_delta", index: 0, text: JSON.stringify(args) });
  monitor.inspect({ type: "block_end", index: 0 });
  await monitor.close({
    role: "assistant",
    provider: "p",
    model: "m",
    wire: "scripted",
    content: [{ type: "toolCall", id: "c1", name, arguments: args }],
    stopReason: "toolUse",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  });
  return found;
}

describe("TTSR-4.5 rules on syntax", () => {
  it("fire on the file as it would be, and not on comments or strings", async () => {
    const rules = [astRule(["eval($A)"])];
    const [match] = await call(rules, "write", { path: "a.ts", content: "const x = 1;\nconst f = eval( src );\n" });
    expect(match).toMatchObject({
      trigger: 0,
      start: 23,
      end: 34,
      excerpt: "const f = eval( src )",
      lane: { toolCallId: "c1", toolName: "write", argument: "content", filePath: "a.ts" },
    });
    expect(await call(rules, "write", { path: "a.ts", content: '// eval(x)\nconst s = "eval(x)";\n' })).toEqual([]);
  });

  it("only where the match touches an added line", async () => {
    const rules = [astRule(["eval($A)"])];
    const disk = "const f = eval(a);\nconst g = 1;\n";
    expect(await call(rules, "write", { path: "a.ts", content: `${disk}const h = 2;\n` }, disk)).toEqual([]);
    const edits = [{ old: "const g = 1;", new: "const g = eval(\n  b,\n);" }];
    expect(await call(rules, "edit", { path: "a.ts", edits }, disk)).toMatchObject([{ excerpt: "const g = eval(" }]);
    const harmless = [{ old: "const g = 1;", new: "const g = 2;" }];
    expect(await call(rules, "edit", { path: "a.ts", edits: harmless }, disk)).toEqual([]);
  });

  it("see what only the whole file shows: an edit inside a loop", async () => {
    const rules = [
      astRule([{ kind: "await_expression", inside: { kind: "for_in_statement", stopBy: "end" } }], { globs: ["*.ts"] }),
    ];
    const disk = "for (const a of list) {\n  one(a);\n}\n";
    const edits = [{ old: "  one(a);", new: "  await one(a);" }];
    expect(await call(rules, "edit", { path: "a.ts", edits }, disk)).toHaveLength(1);
  });

  it("keep to scope and globs, and to languages that are known", async () => {
    const rules = [astRule(["eval($A)"], { globs: ["src/**"] })];
    expect(await call(rules, "write", { path: "lib/a.ts", content: "eval(x)" })).toEqual([]);
    expect(await call(rules, "write", { path: "src/a.txt", content: "eval(x)" })).toEqual([]);
    expect(await call(rules, "write", { path: "src/a.jsx", content: "eval(x)" })).toHaveLength(1);
    expect(
      await call([astRule(["eval($A)"], { scope: ["tool:edit"] })], "write", { path: "a.ts", content: "eval(x)" }),
    ).toEqual([]);
  });

  it("TTSR-3.5 `unless` excuses: above it, on its line in front of it, and below where that is asked for", async () => {
    const rules = (more: Partial<Rule> = {}) => [astRule(["eval($A)"], { unless: ["SAFE"], ...more })];
    const write = (content: string, more: Partial<Rule> = {}) => call(rules(more), "write", { path: "a.ts", content });
    expect(await write("// SAFE: it is ours\nconst f = eval(src);\n")).toEqual([]);
    expect(await write("/* SAFE */ eval(src);\n")).toEqual([]);
    expect(await write("// SAFE\n\n\n\neval(src);\n")).toHaveLength(1);
    expect(await write("// SAFE\n\n\n\neval(src);\n", { unlessWithin: 4 })).toEqual([]);
    expect(await write("eval(src); // SAFE\n")).toHaveLength(1);
    expect(await write("eval(src); // SAFE\n", { unlessAfter: 1 })).toEqual([]);
    expect(await write("eval(src);\n// SAFE", { unlessAfter: 1 })).toEqual([]);
    // The first is excused, the second is not.
    expect(await write("// SAFE\neval(a);\n1;\n2;\n3;\neval(b);\n")).toMatchObject([{ excerpt: "eval(b)" }]);
  });

  it("what a file's language does not know is not there", async () => {
    const rules = [astRule([{ kind: "jsx_element" }])];
    expect(await call(rules, "write", { path: "a.css", content: "a { color: red }" })).toEqual([]);
    expect(await call(rules, "write", { path: "a.tsx", content: "const a = <p>x</p>;" })).toHaveLength(1);
  });

  it("an edit that could not succeed, and broken code, fire nothing and stall nothing", async () => {
    const rules = [astRule(["eval($A)"])];
    const edits = [{ old: "not there", new: "eval(x)" }];
    expect(await call(rules, "edit", { path: "a.ts", edits }, "x")).toEqual([]);
    expect(await call(rules, "write", { path: "a.ts", content: "}}}} eval(" })).toEqual([]);
    expect(await call(rules, "write", { path: "a.ts", content: `${"x;".repeat(300_000)}eval(x)` })).toEqual([]);
  });

  it.each<[string, AstPattern, RegExp]>([
    ["half a statement", "if ($A", /is no whole piece of .*never match/],
    ["half a block", "if ($A) {", /is no whole piece of .*never match/],
    ["a kind that is none", { kind: "nope" }, /has no kind "nope"\.$/],
    [
      "what ends ast-grep",
      { utils: { a: { nthChild: { position: 1, ofRule: { matches: "a" } } } }, rule: { matches: "a" } },
      /cannot be used: its util "a" leads back to itself on the same node\.$/,
    ],
    ["what ends it in years", doubling(40), /cannot be used: its utils use each other so often .*\.$/],
    ["a key that is none", { patern: "x" }, /has no key "patern"; did you mean "pattern"\?$/],
  ])("a pattern that does not parse makes the rule broken: %s", (_, pattern, said) => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    expect(manager.addRule(astRule([pattern], { globs: ["*.ts"] }))).toBe(false);
    expect(manager.diagnostics()).toMatchObject([
      { code: "syntax-pattern", severity: "error", message: expect.stringMatching(said) },
    ]);
  });

  it.each<[string, Partial<Rule>, RegExp]>([
    ["a regular expression", { astCondition: ["\\beval\\("] }, /is no whole piece of TypeScript/],
    ["files in no language", { globs: ["*.cob", "src/*.{txt,log}"] }, /^No language is known for \.cob, \.txt, \.log/],
    ["a scope without files", { scope: ["text", "tool:bash"] }, /never fires: it looks at files/],
    ["zones", { in: ["code"] }, /^`in` means nothing to an astCondition/],
  ])("what cannot work is said: %s", (_, more, said) => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    manager.addRule(astRule(["eval($A)"], more));
    expect(manager.diagnostics().map(({ message }) => message)).toEqual([expect.stringMatching(said)]);
  });

  it.each<Partial<Rule>>([
    { scope: ["tool:edit.added(*.ts)"] },
    { scope: ["tool:write"], globs: ["src/**"] },
    { globs: ["*.{ts,tsx}", "!*.test.cob"] },
    { globs: ["*.cob", "src/**"] },
    { in: ["code"], ttsrTrigger: ["eval"] },
  ])("and what can is not: %j", (more) => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    expect(manager.addRule(astRule(["eval($A)"], more))).toBe(true);
    expect(manager.diagnostics()).toEqual([]);
  });

  it("utils may use each other, and themselves on what is below", () => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    const itself = {
      utils: { a: { any: [{ kind: "for_statement" }, { has: { matches: "a" } }] } },
      rule: { matches: "a" },
    };
    for (const [index, each] of [itself, doubling(8)].entries()) {
      expect(manager.addRule({ ...astRule([each]), name: `r${index}` }), JSON.stringify(manager.diagnostics())).toBe(
        true,
      );
    }
  });

  it("a language that is not installed says how to get it; the trigger of the rule works on", () => {
    const manager = new TtsrManager(DEFAULT_TTSR, { languages: new Languages("/nowhere/config") });
    expect(manager.addRule(astRule(["eval($A)"], { globs: ["**/*.py"] }))).toBe(false);
    expect(manager.diagnostics()[0]?.message).toBe(
      "Rules on the syntax of python need @ast-grep/lang-python; `npm install --prefix /nowhere/config @ast-grep/lang-python` brings it.",
    );
    expect(
      manager.addRule({ ...astRule(["eval($A)"], { globs: ["**/*.py"] }), name: "both", ttsrTrigger: ["eval"] }),
    ).toBe(true);
  });

  it.each([
    ["a.ts", "TypeScript"],
    ["a.d.mts", "TypeScript"],
    ["a/b.TSX", "Tsx"],
    ["a.py", "python"],
    ["Makefile", undefined],
  ])("%s is %s", (path, language) => expect(languageOf(path)).toBe(language));

  it("are read from front matter in every form, and proved by examples", async () => {
    const read = (condition: string): Rule =>
      readRuleFile({
        name: "r",
        provider: "project",
        path: "/r.md",
        bytes: Buffer.from(
          `---\nastCondition: ${condition}\nglobs: '*.ts'\nexamples: { fire: [eval(x)], silent: ["// eval(x)"] }\n---\nNo.\n`,
        ),
      }).rule;
    expect(read("eval($A)").astCondition).toEqual(["eval($A)"]);
    expect(read("['eval($A)', 'new Function($$$)']").astCondition).toEqual(["eval($A)", "new Function($$$)"]);
    const structured = read("\n  kind: call_expression\n  has: { pattern: eval }");
    expect(structured.astCondition).toEqual([{ kind: "call_expression", has: { pattern: "eval" } }]);
    for (const each of [read("eval($A)"), structured]) {
      expect((await proveRule(each, { tools, languages }, true)).map(({ ok, reason }) => reason ?? ok)).toEqual([
        true,
        true,
      ]);
    }
  });

  it("C47: a pattern that does not parse breaks its rule when it is loaded, and is no silent miss", () => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    for (const pattern of ["catch (e) {}", "foo($A", ""]) {
      const before = manager.diagnostics().length;
      expect(manager.addRule({ ...astRule([pattern], { globs: ["*.ts"] }), name: pattern }), pattern).toBe(false);
      const told = manager.diagnostics().slice(before);
      expect(
        told.map(({ severity, code }) => `${severity} ${code}`),
        pattern,
      ).toContain("error syntax-pattern");
    }
    expect(manager.hasRules()).toBe(false);
  });

  it("C48: names inside a structured rule stay as they are written", async () => {
    const { rule: read, diagnostics } = readRuleFile({
      name: "r",
      provider: "project",
      path: "/r.md",
      bytes: Buffer.from(
        "---\nastCondition:\n  utils:\n    is-eval: { kind: call_expression, has: { pattern: eval } }\n  rule: { matches: is-eval }\nglobs: '*.ts'\n---\nNo.\n",
      ),
    });
    expect(diagnostics).toEqual([]);
    expect(read.astCondition?.[0]).toMatchObject({ utils: { "is-eval": { kind: "call_expression" } } });
    expect(await call([read], "write", { path: "a.ts", content: "eval(x);\n" })).toHaveLength(1);
    expect(await call([read], "write", { path: "a.ts", content: "other(x);\n" })).toHaveLength(0);
  });
});
