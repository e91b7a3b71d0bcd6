import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import { compileGlobs } from "../../src/ttsr/globs.js";
import { isRuleFile } from "../../src/ttsr/rule-files.js";
import { parseScope } from "../../src/ttsr/scope.js";
import type { LaneInfo, LaneOptions } from "../../src/ttsr/types.js";
import { decide, mayWatch, watchOf } from "../../src/ttsr/watch.js";
import { rule } from "./helpers.js";

function decision(
  scope: string[],
  lane: Partial<LaneInfo>,
  more: { globs?: string[]; options?: LaneOptions } = {},
): string {
  const { watch } = watchOf(rule("x", { scope, globs: more.globs ?? [] }));
  if (!watch) return "broken";
  const info: LaneInfo = { source: "tool", contentIndex: 0, ...lane };
  const verdict = decide(watch, info, more.options ?? {});
  // What is skipped beforehand must never be what would have been watched.
  if (verdict !== "no") expect(mayWatch(watch, info.source, info.toolName ?? "", more.options ?? {})).toBe(true);
  return verdict;
}

describe("TTSR-3.1 scope", () => {
  const edit = { toolName: "edit", argument: "added", part: 0, filePath: "src/a.ts" };
  it.each<[string, string[], Partial<LaneInfo>, string]>([
    ["default: text", [], { source: "text" }, "yes"],
    ["default: tool", [], { toolName: "bash", argument: "command" }, "yes"],
    ["default: not thinking", [], { source: "thinking" }, "no"],
    ["text", ["text"], { source: "text" }, "yes"],
    ["text only", ["text"], edit, "no"],
    ["thinking", ["thinking"], { source: "thinking" }, "yes"],
    ["toolcall is tool", ["toolcall"], edit, "yes"],
    ["name", ["tool:edit"], edit, "yes"],
    ["other name", ["tool:write"], edit, "no"],
    ["bare known name", ["edit"], edit, "yes"],
    ["bare known name with files", ["edit(*.ts)"], edit, "yes"],
    ["list in one string", ["text, tool:edit(*.ts), tool:write(*.ts)"], edit, "yes"],
    ["commas inside brackets", ["tool:edit(*.{js,ts})"], edit, "yes"],
    ["two globs", ["tool:edit(*.js,*.ts)"], edit, "yes"],
    ["glob that is not it", ["tool:edit(*.js)"], edit, "no"],
    ["glob on tool", ["tool(src/*.ts)"], edit, "yes"],
    ["parentheses in a glob", ["tool:edit(src/(app)/*.ts)"], { ...edit, filePath: "src/(app)/a.ts" }, "yes"],
    ["argument", ["tool:bash.command"], { toolName: "bash", argument: "command" }, "yes"],
    ["other argument", ["tool:bash.command"], { toolName: "bash", argument: "note" }, "no"],
    ["beginning of a dotted argument", ["tool:task.items"], { toolName: "task", argument: "items.0.text" }, "yes"],
    ["C30 dots in a name", ["tool:mcp.github.create_pr"], { toolName: "mcp.github.create_pr", argument: "t" }, "yes"],
    ["C30 star in a name", ["tool:mcp__*"], { toolName: "mcp__git__push", argument: "t" }, "yes"],
    ["star in the middle", ["tool:mcp*.body"], { toolName: "mcp__git", argument: "body" }, "yes"],
    ["colons and slashes", ["tool:srv:a/b-c"], { toolName: "srv:a/b-c", argument: "t" }, "yes"],
    ["a tool that is not there yet", ["tool:later"], { toolName: "later", argument: "t" }, "yes"],
  ])("%s", (_name, scope, lane, expected) => {
    expect(decision(scope, lane)).toBe(expected);
  });

  it("TTSR-2.4 removed lines are watched only by rules that name them", () => {
    const removed = { ...edit, argument: "removed" };
    expect(decision(["tool:edit"], removed)).toBe("no");
    expect(decision([], removed)).toBe("no");
    expect(decision(["tool:edit.*"], removed)).toBe("no");
    expect(decision(["tool:edit.removed(*.ts)"], removed)).toBe("yes");
    expect(decision(["tool:edit.removed"], edit)).toBe("no");
    expect(decision([], { toolName: "mcp__x", argument: "removed" })).toBe("yes");
  });

  it.each([
    ["prose", 'Did you mean "text"?'],
    ["reasoning", 'Did you mean "thinking"?'],
    ["txt", 'Did you mean "text"?'],
    ["thinkin", 'Did you mean "thinking"?'],
    ["bahs", 'Did you mean "bash"?'],
    ["text(*.md)", "text"],
    ["tool:edit((*.ts)", "Close its parenthesis."],
    ["tool:", "It is made of text, thinking, tool and tool:<name>, with commas between."],
    ["edit.added", 'Did you mean "tool:edit.added"?'],
    ["text thinking", "Put commas between them."],
    ["src/**/*.ts", "Files stand under `globs`, or as in tool:edit(*.ts)."],
    ["any", "Leave it out to watch text and tools."],
    ["zzzzzz", undefined],
  ])("C32 %s is an error", (token, suggestion) => {
    const { scope, problems } = parseScope([token]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(token);
    expect(problems[0]?.suggestion).toBe(suggestion);
    expect(scope).toEqual({ text: false, thinking: false, tools: [] });
  });

  it("a blank behind the colon and in front of the files does not matter", () => {
    const { scope, problems } = parseScope(["tool: edit (*.ts)"]);
    const [tool] = scope.tools;
    expect([problems.length, tool?.head?.text, tool?.path?.("a.ts"), tool?.path?.("a.js")]).toEqual([
      0,
      "edit",
      true,
      false,
    ]);
  });

  it("a wrong token leaves the right ones", () => {
    const { scope, problems } = parseScope(["prose, thinking"]);
    expect([scope.thinking, problems.length]).toEqual([true, 1]);
  });
});

describe("TTSR-3.2 globs", () => {
  it.each<[string[], string, boolean]>([
    [["*.ts"], "a.ts", true],
    [["*.ts"], "deep/er/a.ts", true],
    [["*.ts"], "a.tsx", false],
    [["/*.ts"], "a.ts", true],
    [["/*.ts"], "src/a.ts", false],
    [["src/*.ts"], "src/a.ts", true],
    [["src/*.ts"], "lib/src/a.ts", false],
    [["src/*.ts"], "src/x/a.ts", false],
    [["**/*.ts"], "a.ts", true],
    [["src/**/*.ts"], "src/a.ts", true],
    [["src/**/*.ts"], "src/x/y/a.ts", true],
    [["dist/"], "packages/a/dist/x.js", true],
    [["dist/"], "dist", false],
    [["dist"], "dist/x.js", true],
    [["*.{ts,tsx}"], "src/a.tsx", true],
    [["*.ts", "!*.test.ts"], "src/a.test.ts", false],
    [["*.ts", "!*.test.ts"], "src/a.ts", true],
    [["!*.md"], "a.md", false],
    [["!*.md"], "a.ts", true],
    [["*.ts"], ".hidden/.a.ts", true],
    [["*.ts"], "../other/a.ts", true],
  ])("%j on %s: %s", (patterns, path, expected) => {
    expect(compileGlobs(patterns)(path)).toBe(expected);
  });

  it("restrict to lanes that have a matching file", () => {
    const globs = ["*.ts"];
    expect(decision(["tool"], { toolName: "edit", filePath: "a.ts" }, { globs })).toBe("yes");
    expect(decision(["tool"], { toolName: "edit", filePath: "a.js" }, { globs })).toBe("no");
    expect(decision(["text", "tool"], { source: "text" }, { globs })).toBe("no");
    expect(decision(["tool(src/**)"], { toolName: "edit", filePath: "a.ts" }, { globs })).toBe("no");
  });

  it("TTSR-2.5 wait for the file", () => {
    expect(decision(["tool"], { toolName: "edit" }, { globs: ["*.ts"] })).toBe("wait");
    expect(decision(["tool:edit(*.ts)", "tool:edit"], { toolName: "edit" })).toBe("yes");
    expect(decision(["tool"], { toolName: "edit" }, { options: { expectsPath: true } })).toBe("wait");
    expect(decision(["tool:edit"], { toolName: "edit" }, { options: { expectsPath: true } })).toBe("yes");
  });

  it("C14 a rule with globs and only prose in its scope is unreachable", () => {
    const unreachable = (more: Partial<Rule>): boolean => watchOf(rule("x", more)).unreachable;
    expect(unreachable({ scope: ["text"], globs: ["*.ts"] })).toBe(true);
    expect(unreachable({ scope: ["text", "thinking"], globs: ["*.ts"] })).toBe(true);
    expect(unreachable({ scope: ["text", "tool"], globs: ["*.ts"] })).toBe(false);
    expect(unreachable({ scope: ["text"] })).toBe(false);
  });
});

describe("TTSR-2.7 what is not watched by default", () => {
  it("C58 read-only tools, unless the scope names them", () => {
    const grep = { toolName: "grep", argument: "pattern" };
    expect(decision([], grep)).toBe("no");
    expect(decision(["tool:*"], grep)).toBe("no");
    expect(decision(["tool:grep"], grep)).toBe("yes");
    expect(decision(["grep"], grep)).toBe("yes");
    expect(decision([], { toolName: "mcp_look" }, { options: { readOnly: true } })).toBe("no");
    expect(decision([], grep, { options: { readOnly: false } })).toBe("yes");
  });

  it("C57 rule files, unless the scope names the tool", () => {
    const write = { toolName: "write", argument: "content", filePath: ".rules/no-eval.md" };
    expect(decision([], write)).toBe("no");
    expect(decision(["tool(*.md)"], write)).toBe("no");
    expect(decision(["tool:write"], write)).toBe("yes");
    expect(decision([], { ...write, filePath: "docs/eval.md" })).toBe("yes");
  });

  it.each([
    [".rules/a.md", true],
    ["pkg/.rules/python/uv.md", true],
    ["rules/no-x.md", true],
    [".cursor/rules/x.mdc", true],
    [".cursorrules", true],
    [".clinerules", true],
    [".github/instructions/a.instructions.md", true],
    ["src/rules/engine.ts", false],
    ["src/a.md", false],
    ["xrules/a.md", false],
  ])("%s is a rule file: %s", (path, expected) => {
    expect(isRuleFile(path)).toBe(expected);
  });
});
