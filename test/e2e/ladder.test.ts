/** TTSR-5.6: what happens to a model that does not listen, step by step, and what a script learns of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, SERVED_WIRES, say } from "../server/index.js";
import { NO_EVAL, World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

const BAD = callTool("write", { path: "bad.mjs", content: "export const f = eval(x);\n" });
const BAD_TEXT = say("I call eval(x) here.");
const BODY = "eval runs whatever text reaches it.";
const INSTEAD = "Do this instead: Write a parser.";
const STRICT = ["--permission-mode", "yolo", "--fail-on-violation", "--output-format", "json", "go"];

/** The lines of the last thing that a request says to the model. */
function lastLines(index: number): string[] {
  const last = world.server.requests[index]!.neutral().messages.at(-1)!;
  return (last.results[0]?.text ?? last.text).split("\n");
}

describe.each(SERVED_WIRES)("TTSR-5.6 the ladder over %s", (wire) => {
  it("interrupt, interrupt that leads with what to do, blocked call, told; --fail-on-violation: exit 6", async () => {
    world = await World.open([BAD, BAD, BAD, say("I give up.")]);
    const run = await world.print(STRICT, wire);
    expect(world.server.requests).toHaveLength(4);

    const first = lastLines(1);
    expect(first[1]).toMatch(/^Your output broke a rule/);
    expect(first).toEqual(expect.arrayContaining([BODY, INSTEAD]));

    const second = lastLines(2);
    expect(second[1]).toBe(INSTEAD);
    expect(second).toContain("Cut: write call of bad.mjs (content): export const f = eval(");
    expect(second).not.toContain(BODY);

    const blocked = lastLines(3);
    expect(blocked[1]).toMatch(/^This call was not run/);
    expect(blocked).toContain("Blocked: write call of bad.mjs (content): export const f = eval(");
    expect(existsSync(join(world.project, "bad.mjs"))).toBe(false);

    expect(run.stderr.match(/Rule no-eval has used up its interrupts/g)).toHaveLength(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      status: "ok",
      text: "I give up.",
      ttsr: { interrupts: 2, unheeded: ["no-eval"] },
    });
    expect(run.code).toBe(6);
  });
});

describe("TTSR-5.6 what a script learns", () => {
  it("prose past the budget is delivered, and a violation", async () => {
    world = await World.open([BAD_TEXT, BAD_TEXT, BAD_TEXT]);
    const run = await world.print(STRICT);
    expect(JSON.parse(run.stdout)).toMatchObject({ text: "I call eval(x) here.", ttsr: { unheeded: ["no-eval"] } });
    expect(run).toMatchObject({ code: 6, stderr: expect.stringContaining("delivered with a reminder") });
  });

  it("a rule that was heeded in the end is none, however often it interrupted", async () => {
    world = await World.open([BAD_TEXT, BAD_TEXT, say("A parser.")]);
    const run = await world.print(STRICT);
    expect(JSON.parse(run.stdout)).toMatchObject({ text: "A parser.", ttsr: { interrupts: 2, unheeded: [] } });
    expect(run.code).toBe(0);
  });

  it("nobody asked: exit 0", async () => {
    world = await World.open([BAD, BAD, BAD, say("I give up.")], { ".rules/no-eval.md": NO_EVAL });
    const run = await world.print(["--permission-mode", "yolo", "go"]);
    expect(run).toMatchObject({ code: 0, stdout: "I give up.\n", stderr: expect.stringContaining("used up") });
  });
});
