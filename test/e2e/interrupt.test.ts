import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, SERVED_WIRES, say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

const LONG = "// and on and on and on\n".repeat(20);
const badCall = (more = {}) =>
  callTool("write", { path: "a.mjs", content: `export const a = (s) => eval(s);\n${LONG}` }, more);
const badText = (more = {}) => say(`Take eval(s) for it. ${"And so on. ".repeat(60)}`, more);
const GOOD_CALL = callTool("write", { path: "a.mjs", content: "export const a = (s) => parse(s);\n" });
const DONE = say("All done.");

/** Ways in which a provider may cut its answer. */
const CUTS = [
  ["small pieces with gaps", { chunk: 5, gapMs: 2 }],
  ["single characters", { chunk: 1 }],
  ["one burst", { burst: true }],
  ["one piece", { chunk: "whole" }],
] as const;

describe.each(SERVED_WIRES)("an interrupt over %s", (wire) => {
  it.each(CUTS)("TTSR-6.2, 6.7, 2.6: of a tool call that comes in %s", async (_, cut) => {
    world = await World.open([badCall(cut), GOOD_CALL, DONE]);
    const run = await world.print(["--permission-mode", "yolo", "--output-format", "stream-json", "write it"], wire);
    expect(run.code, run.stderr).toBe(0);
    const [first, retry, last] = world.server.requests;
    expect(world.server.requests).toHaveLength(3);
    // Gemini's calls come whole; a burst may be written before the abort reaches the server. Nothing of it was handled either way.
    if ("gapMs" in cut && wire !== "gemini") expect(first?.closedEarly).toBe(true);
    const sent = retry?.neutral().messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["user", "user"]);
    expect(sent[0]?.text).toBe("write it");
    expect(sent[1]?.text).toMatch(/^<system-interrupt reason="rule_violation" rule="no-eval" path=/);
    expect(sent[1]?.text).toContain("Cut: write call of a.mjs (content): export const a = (s) => eval(");
    expect(last?.neutral().messages.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool"]);
    expect(readFileSync(join(world.project, "a.mjs"), "utf8")).toBe("export const a = (s) => parse(s);\n");
    const executions = run.events().filter((event) => event.type === "tool_execution_start");
    expect(executions).toHaveLength(1);
    // The verdict and its place are the same, however it is cut.
    expect(run.events().find((event) => event.type === "ttsr_triggered")).toMatchObject({
      matches: [{ rule: "no-eval", toolName: "write", argument: "content", filePath: "a.mjs", start: 24, end: 29 }],
    });
  });

  it.each(CUTS)("TTSR-6.2: of text that comes in %s", async (_, cut) => {
    world = await World.open([badText(cut), DONE]);
    const run = await world.print(["--output-format", "stream-json", "say it"], wire);
    expect(run.code, run.stderr).toBe(0);
    expect(world.server.requests).toHaveLength(2);
    if ("gapMs" in cut) expect(world.server.requests[0]?.closedEarly).toBe(true);
    expect(world.server.requests[1]?.neutral().messages).toHaveLength(2);
    expect(run.events().at(-1)).toMatchObject({
      type: "result",
      status: "ok",
      text: "All done.",
      ttsr: { interrupts: 1 },
    });
    const shown = run
      .events()
      .flatMap((event) =>
        event.type === "message_update" && "delta" in event ? [(event.delta as { text: string }).text] : [],
      );
    expect(shown.join("").replace("All done.", "")).not.toContain("eval(");
  });

  it("TTSR-6.4 keep: the retry holds [history, partial, interrupt], without the cut call", async () => {
    const bad = { chunk: 5, blocks: [...(say("I write it now.").blocks ?? []), ...(badCall().blocks ?? [])] };
    world = await World.open([bad, GOOD_CALL, DONE]);
    const run = await world.print(["--permission-mode", "yolo", "--set", "ttsr.contextMode=keep", "write it"], wire);
    expect(run.code, run.stderr).toBe(0);
    const sent = world.server.requests[1]?.neutral().messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(sent[1]).toMatchObject({ text: "I write it now.", calls: [] });
    expect(run.stdout).toBe("All done.\n");
  });

  it("TTSR-10.4: headless it is one line on stderr, and the exit code of the final answer", async () => {
    world = await World.open([badCall({ chunk: 5 }), DONE]);
    const run = await world.print(["write it"], wire);
    expect(run).toMatchObject({ code: 0, stdout: "All done.\n" });
    expect(run.stderr).toBe("rule ⟲ no-eval  a.mjs: …export const a = (s) => eval(\n");
    expect(existsSync(join(world.project, "a.mjs"))).toBe(false);
  });
});
