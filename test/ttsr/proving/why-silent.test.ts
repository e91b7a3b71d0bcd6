import { describe, expect, it } from "vitest";
import type { Rule } from "../../../src/capability/rule.js";
import { Languages } from "../../../src/ttsr/ast/languages.js";
import { sampleFor } from "../../../src/ttsr/proving/sample.js";
import { whyNoMatch, whySilent } from "../../../src/ttsr/proving/why-silent.js";
import { rule } from "../../support/rules.js";
import { fakeTool } from "../../support/tools.js";

const TOOLS = [
  fakeTool("bash", { authored: [{ kind: "text", argument: "command" }] }),
  fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" }),
  fakeTool("read", { readOnly: true }),
];
const lab = { tools: (name: string) => TOOLS.find((tool) => tool.name === name) };

async function reasons(more: Partial<Rule>, text: string, tool: string, path?: string): Promise<string[] | undefined> {
  return (await whySilent(rule("r", more), sampleFor(text, tool, path), lab))?.reasons;
}

describe("why a rule is silent where its trigger matches", () => {
  it.each<[string, Partial<Rule>, string, string, string | undefined, string[] | undefined]>([
    ["it is not", {}, "eval(x)", "write", "a.ts", undefined],
    ["the trigger does not match", { scope: ["text"] }, "evaluate(x)", "write", "a.ts", undefined],
    ["scope", { scope: ["text"] }, "eval(x)", "bash", undefined, ["its scope (text) does not take in bash.command"]],
    [
      "a tool that only looks",
      {},
      "eval(x)",
      "read",
      "a.ts",
      ["its scope (text, tool) does not take in read.text of a.ts"],
    ],
    ["globs", { globs: ["*.ts"] }, "eval(x)", "write", "a.py", ["its `globs` (*.ts) do not cover a.py"]],
    ["no file", { globs: ["*.ts"] }, "eval(x)", "bash", undefined, ["it has `globs` (*.ts), and there is no file"]],
    ["a zone", { in: ["code"] }, "// eval(x)", "write", "a.ts", ["it stands outside of what `in: code` names"]],
    ["unless", { unless: ["fine"] }, "fine\neval(x)", "write", "a.ts", ["`unless` (fine) excuses it"]],
    [
      "two of them, each enough",
      { scope: ["tool:bash"], globs: ["*.ts"] },
      "eval(x)",
      "write",
      "a.py",
      ["its scope (tool:bash) does not take in write.content of a.py", "its `globs` (*.ts) do not cover a.py"],
    ],
  ])("%s", async (_, more, text, tool, path, expected) => {
    expect(await reasons(more, text, tool, path)).toEqual(expected);
  });

  it.each([
    ["bash", undefined, "its `astCondition` looks at files alone"],
    ["write", "a.md", "its `astCondition` cannot look at it: no language has files of this name"],
    ["write", "a.ts", "its `astCondition` does not match it, read as TypeScript"],
    ["write", "a.py", "its `astCondition` cannot look at it: @ast-grep/lang-python is not there", ["*.py"]],
    ["write", "a.py", "its `globs` (*.ts) do not cover a.py", ["*.ts"]],
  ])("or does not, with syntax: %s %s", (tool, path, said, globs: string[] = []) => {
    const syntax = rule("r", { ttsrTrigger: [], astCondition: ["eval($X)"], globs });
    expect(whyNoMatch(syntax, sampleFor("x", tool, path), { ...lab, languages: new Languages() })).toBe(said);
  });

  it("a command is of no file, whatever path is named", () => {
    expect(sampleFor("x", "bash", "a.ts")).not.toHaveProperty("filePath");
    expect(sampleFor("x", "mcp__notes__add", "a.ts")).toMatchObject({ filePath: "a.ts" });
  });

  it("what the model quotes", async () => {
    const silence = await whySilent(rule("r"), { source: "text", text: "I saw `eval(x)` there." }, lab);
    expect(silence).toMatchObject({
      match: { excerpt: "I saw `eval(", start: 7, end: 12 },
      reasons: ["it stands in a code span or a quote, and only `in: any` looks there"],
    });
  });
});
