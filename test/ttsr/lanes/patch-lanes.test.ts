import { describe, expect, it } from "vitest";
import type { Tool } from "../../../src/agent/ports.js";
import type { Rule } from "../../../src/capability/rule.js";
import { TtsrManager } from "../../../src/ttsr/manager.js";
import { createMonitor } from "../../../src/ttsr/monitor.js";
import { DEFAULT_TTSR, rule } from "../../support/rules.js";
import { fakeTool } from "../../support/tools.js";

const AS_ANY = rule("no-any", { ttsrTrigger: ["\\bas any\\b"], globs: ["*.ts"], scope: ["tool:edit", "tool:write"] });
const PATCH: Tool = {
  ...fakeTool("apply_patch", { authored: [{ kind: "patch", argument: "input" }] }),
  like: "edit",
};

/** Feeds one call, cut into pieces of so many units. @returns as in "a.ts added 0 as any;" */
async function fires(
  rules: Rule[],
  tool: Tool | undefined,
  args: Record<string, string>,
  size: number,
): Promise<string[]> {
  const manager = new TtsrManager(DEFAULT_TTSR);
  for (const each of rules) expect(manager.addRule(each)).toBe(true);
  const found: string[] = [];
  const monitor = createMonitor({
    manager,
    tools: () => tool,
    cwd: "/project",
    onBatch: (matches) => {
      for (const {
        rule: { name },
        lane,
        excerpt,
      } of matches) {
        found.push(`${name} ${lane.filePath} ${lane.argument} ${lane.part} ${excerpt}`);
      }
      return "pass";
    },
  });
  monitor.open(() => true);
  monitor.inspect({ type: "call_start", index: 0, id: "c", name: tool?.name ?? "mcp__fs__apply_patch" });
  const json = JSON.stringify(args);
  for (let at = 0; at < json.length; at += size) {
    monitor.inspect({ type: "args_delta", index: 0, text: json.slice(at, at + size) });
  }
  monitor.inspect({ type: "block_end", index: 0 });
  return found;
}

/** The same, whatever the cuts. */
async function always(
  rules: Rule[],
  tool: Tool | undefined,
  args: Record<string, string>,
  expected: string[],
): Promise<void> {
  for (const size of [1, 2, 3, 7, 10_000])
    expect(await fires(rules, tool, args, size), `pieces of ${size}`).toEqual(expected);
}

const twoFiles = (a: string, b: string): string =>
  `*** Begin Patch\n*** Update File: a.md\n@@\n keep\n-old\n+${a}\n*** Update File: src/b.ts\n@@\n keep\n+${b}\n*** End Patch`;

describe("TTSR-2.4 C38 a patch of several files", () => {
  it("each added line has the file that it is of", async () => {
    await always([AS_ANY], PATCH, { input: twoFiles("x as any", "clean") }, []);
    await always([AS_ANY], PATCH, { input: twoFiles("clean", "x as any;") }, ["no-any src/b.ts added 1 x as any;"]);
  });

  it("hunks and files never join, and neither does what stands between two added lines", async () => {
    const pair = rule("pair", { ttsrTrigger: ["one\\s*two"], scope: ["tool:edit"] });
    await always([pair], PATCH, { input: "*** Update File: a.ts\n+one\n@@\n+two\n*** Update File: b.ts\n+one\n+two" }, [
      "pair b.ts added 2 two",
    ]);
  });

  it("what is carried over is not authored; removed lines are watched by who names them", async () => {
    const removed = rule("keep-license", { ttsrTrigger: ["license"], scope: ["tool:edit.removed"] });
    const text = "*** Update File: a.ts\n x as any\n-// license\n+y\n";
    await always([AS_ANY, removed], PATCH, { input: text }, ["keep-license a.ts removed 0 // license"]);
  });

  it("a diff of git: paths without their prefix, a new file, an added line that begins with pluses", async () => {
    const plus = rule("plus", { ttsrTrigger: ["^\\+\\+ x as any"], scope: ["tool:edit"] });
    const diff =
      "diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1,2 @@\n keep\n+++ x as any\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+z as any\n";
    await always([AS_ANY, plus], PATCH, { input: diff }, [
      "plus x.ts added 0 ++ x as any",
      "no-any x.ts added 0 ++ x as any",
      "no-any new.ts added 1 z as any",
    ]);
  });
});

describe("TTSR-2.4 C37 the path stands only inside the patch", () => {
  it("in brackets, with a mark of its version", async () => {
    const any = rule("no-any", { ttsrTrigger: [": any\\b"], globs: ["**/*.ts"] });
    await always([any], PATCH, { input: "[demo.ts#ABCD]\nSWAP 1.=1:\n+export const v: any = 1" }, [
      "no-any demo.ts added 0 export const v: any ",
    ]);
  });

  it("also in a tool that says nothing of itself, beside its argument as it is", async () => {
    const plain = rule("plain", { ttsrTrigger: ["\\bas any\\b"], scope: ["tool:mcp__*.patch"] });
    const bound = rule("bound", { ttsrTrigger: ["\\bas any\\b"], globs: ["*.ts"] });
    await always([plain, bound], undefined, { patch: twoFiles("x", "y as any;") }, [
      "bound src/b.ts added 1 y as any;",
      "plain undefined patch undefined +y as any;",
    ]);
    await always([bound], undefined, { patch: twoFiles("y as any;", "x") }, []);
  });
});

describe("TTSR-3.1 C33 a tool under another name", () => {
  it("is watched by the rules that name the tool whose work it does", async () => {
    const named = rule("named", { ttsrTrigger: ["as any"], scope: ["tool:edit.added"] });
    const other = rule("other", { ttsrTrigger: ["as any"], scope: ["tool:write"] });
    await always([named, other], PATCH, { input: "*** Update File: a.ts\n+x as any" }, ["named a.ts added 0 x as any"]);
    const shell = {
      ...fakeTool("run_in_terminal", { authored: [{ kind: "text", argument: "command" }] }),
      like: "bash",
    };
    const force = rule("force", { ttsrTrigger: ["push -f\\b"], scope: ["tool:bash"] });
    await always([force], shell, { command: "git push -f x" }, ["force undefined command undefined git push -f "]);
  });
});
