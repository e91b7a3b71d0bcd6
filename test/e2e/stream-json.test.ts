import Ajv from "ajv";
import { afterEach, describe, expect, it } from "vitest";
import schema from "../../src/cli/schemas/events.json";
import { callTool, SERVED_WIRES, say } from "../server/index.js";
import { type Ended, World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

/** Every line is an event of the published schema; the first is the session, the last the result. */
function check(run: Ended): string[] {
  const events = run.events();
  for (const event of events) {
    if (!validate(event))
      throw new Error(`${JSON.stringify(event)} does not fit: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
  }
  const types = events.map((event) => event.type);
  expect(types[0]).toBe("session");
  expect(types.at(-1)).toBe("result");
  return types.filter((type, i) => type !== "message_update" || types[i - 1] !== type);
}

const BAD = callTool("write", { path: "a.mjs", content: "export const a = (s) => eval(s);\n// and more\n" });
const JSON_LINES = ["--output-format", "stream-json"];

describe("the published schema of events", () => {
  it.each(SERVED_WIRES)("TTSR-7.3: holds for an interrupted run over %s, in its order", async (wire) => {
    world = await World.open([BAD, callTool("ls", {}), say("Done.")]);
    const run = await world.print([...JSON_LINES, "go"], wire);
    expect(check(run)).toEqual([
      "session",
      "agent_start",
      "turn_start",
      "message_start",
      // Gemini's calls come whole: the piece that breaks the rule is the first and the last.
      ...(wire === "gemini" ? [] : ["message_update"]),
      "ttsr_triggered",
      "message_end",
      "ttsr_retry",
      "message_start",
      "message_update",
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "turn_end",
      "turn_start",
      "message_start",
      "message_update",
      "message_end",
      "turn_end",
      "agent_end",
      "result",
    ]);
  });

  it("TTSR-7.2: holds for a blocked call, a denied one, thinking, and a budget", async () => {
    world = await World.open([BAD, BAD, BAD, callTool("bash", { command: "rm -rf x" }), say("Done.")]);
    const blocked = await world.print([...JSON_LINES, "--permission-mode", "auto-edit", "go"]);
    const types = check(blocked);
    expect(types).toContain("ttsr_suppressed");
    const ends = blocked.events().filter((event) => event.type === "tool_execution_end");
    expect(ends).toMatchObject([
      { denied: { by: "rule" } },
      { denied: { by: "policy", reason: expect.stringContaining("--permission-mode yolo") } },
    ]);
    expect(blocked.code).toBe(0);
  });

  it("holds for failures, retries and the turn budget", async () => {
    world = await World.open((_, index) => (index === 0 ? { status: 529 } : callTool("ls", {})));
    const run = await world.print([...JSON_LINES, "--max-turns", "2", "--set", "retry.baseDelayMs=1", "go"]);
    expect(check(run)).toContain("retry");
    expect(run.code).toBe(4);
    expect(run.events().at(-1)).toMatchObject({
      status: "budget",
      error: { message: expect.stringContaining("--max-turns 2") },
    });
  });

  it("--output-format json is exactly the result, with the session's id", async () => {
    world = await World.open([say("Hello.")]);
    const run = await world.print(["--output-format", "json", "hi"]);
    const result = JSON.parse(run.stdout);
    expect(validate(result)).toBe(true);
    expect(Object.keys(result).sort()).toEqual(["sessionId", "status", "text", "ttsr", "type", "usage"]);
    expect(result).toMatchObject({ text: "Hello.", usage: { input: 11, output: 44, cacheRead: 33, cacheWrite: 0 } });
    expect(world.server.requests).toHaveLength(1);
  });
});
