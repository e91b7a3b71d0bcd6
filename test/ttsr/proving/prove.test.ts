import { describe, expect, it } from "vitest";
import { proveRule, trySample } from "../../../src/ttsr/proving/prove.js";
import { sampleFor, samplesOf } from "../../../src/ttsr/proving/sample.js";
import { rule } from "../../support/rules.js";
import { fakeTool } from "../../support/tools.js";

const TOOLS = [
  fakeTool("bash", { authored: [{ kind: "text", argument: "command" }] }),
  fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" }),
  fakeTool("edit", { authored: [{ kind: "edits", argument: "edits" }], pathArgument: "path" }),
];
const tools = (name: string) => TOOLS.find((tool) => tool.name === name);
const example = (text: string, more = {}) => ({ text, ...more });

describe("where an example stands", () => {
  const places = (...args: Parameters<typeof samplesOf>): string[] =>
    samplesOf(...args).map(({ source, toolName, argument, filePath }) =>
      [source === "tool" ? `${toolName}.${argument}` : source, filePath].filter(Boolean).join(" "),
    );

  it("without a scope: the model's text, a file, an edit, a command", () => {
    expect(places(rule("r"), example("x"))).toEqual([
      "text",
      "write.content example.txt",
      "edit.added example.txt",
      "bash.command",
    ]);
  });

  it.each([
    [["tool:bash"], [], ["bash.command"]],
    [["thinking"], [], ["thinking"]],
    [["tool:edit.removed"], [], ["edit.removed example.txt"]],
    [["tool:edit", "tool:write"], ["**/*.{ts,tsx}"], ["write.content example.ts", "edit.added example.ts"]],
    [["tool:write(src/**/*.py)"], [], ["write.content src/example.py"]],
    [["tool:mcp__db__query.sql"], [], ["mcp__db__query.sql example.txt"]],
    [["tool:mcp__*"], [], ["mcp__x.text example.txt"]],
  ])("scope %j, globs %j", (scope, globs, expected) => {
    expect(places(rule("r", { scope, globs }), example("x"))).toEqual(expected);
  });

  it("an example may name its file and its tool", () => {
    expect(places(rule("r"), example("x", { path: "a/b.go", tool: "write" }))).toEqual(["write.content a/b.go"]);
  });

  it("TTSR-3.3 where zones count, in a file of code; in the shell only where it is named", () => {
    const code = rule("r", { in: ["code"] });
    expect(places(code, example("x"))).toEqual(["text", "write.content example.ts", "edit.added example.ts"]);
    expect(places({ ...code, scope: ["tool:bash"] }, example("x"))).toEqual(["bash.command"]);
    expect(places(code, example("x", { tool: "bash" }))).toEqual(["bash.command"]);
    expect(places({ ...code, in: ["prose"] }, example("x"))).toContain("write.content example.txt");
  });

  it("a tool named by the user is tried whatever the scope says", () => {
    expect(sampleFor("x", "bash", undefined)).toMatchObject({ toolName: "bash", argument: "command" });
    expect(sampleFor("x", "mcp__a.b.c", "f.ts")).toMatchObject({
      toolName: "mcp__a",
      argument: "b.c",
      filePath: "f.ts",
    });
  });
});

describe("a rule's examples", () => {
  it("TTSR-3.3 with zones", async () => {
    const fire = [example("x = eval(y)"), example("# eval(", { path: "a.ts" })];
    const silent = [example("// eval(y)"), example("'eval('"), example("# eval(y)", { path: "a.py" })];
    const verdicts = await proveRule(
      rule("r", { ttsrTrigger: ["\\beval\\("], in: ["code"], scope: ["tool"], examples: { fire, silent } }),
      { tools },
      true,
    );
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  });

  it("hold", async () => {
    const verdicts = await proveRule(
      rule("r", {
        ttsrTrigger: ["\\bany\\b", "--force(?!-with-lease)"],
        examples: {
          fire: [example("x: any;"), example("git push --force")],
          silent: [example("anyone"), example("--force-with-lease")],
        },
      }),
      { tools },
      true,
    );
    expect(verdicts.map(({ ok, reason }) => reason ?? ok)).toEqual([true, true, true, true]);
    expect(verdicts.flatMap(({ verdicts: each }) => each).every(({ splitInvariant }) => splitInvariant)).toBe(true);
  });

  it("that do not hold are said with the reason", async () => {
    const verdicts = await proveRule(
      rule("r", {
        scope: ["tool:bash"],
        ttsrTrigger: ["eval\\("],
        examples: {
          fire: [example("evaluate("), example("x", { path: "a.ts", tool: "write" })],
          silent: [example("retrieval(")],
        },
      }),
      { tools },
      false,
    );
    expect(verdicts.map(({ reason }) => reason)).toEqual([
      'It should fire on "evaluate(", and its trigger does not match that.',
      'It should fire on "x", and its trigger does not match that.',
      'It should be silent on "retrieval(", and fires in bash.command at "retrieval(".',
    ]);
  });

  it("are tried in quoted arguments, and over the wire's escapes", async () => {
    const verdict = await trySample(
      [rule("r", { ttsrTrigger: ['say\\("hi"\\)\\n\\tgo'] })],
      sampleFor('say("hi")\n\tgo 😀', "write", "a.py"),
      { tools },
    );
    expect(verdict).toMatchObject({ splitInvariant: true, matches: [{ start: 0, end: 13 }] });
  });
});
