/** What scripts read: every line of real runs against the published schema, in the promised order, and nothing else on standard output. */
import Ajv, { type ValidateFunction } from "ajv";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Script, ServedWire } from "../server/index.js";
import { callTool, SERVED_WIRES, say } from "../server/index.js";
import { type Ended, NO_EVAL, World } from "../support/program.js";

let validate: ValidateFunction;
let world: World;

beforeAll(async () => {
  world = await World.open([]);
  const { code, stdout } = await world.run(["config", "schema", "--events"]);
  await world.close();
  expect(code).toBe(0);
  validate = new Ajv({ allErrors: true, strict: true }).compile(JSON.parse(stdout));
});
afterEach(() => world.close());

type Lines = ReturnType<Ended["events"]>;

async function run(
  script: Script,
  more: readonly string[] = [],
  wire: ServedWire = "anthropic-messages",
  files: Record<string, string> = {},
) {
  world = await World.open(script, files);
  const ended = await world.print(["--output-format", "stream-json", ...more, "Go."], wire);
  return { ...ended, lines: ended.events() };
}

/** Every line is an event of the published schema; the first is the session, the last the result. */
function expectValid(lines: Lines): void {
  for (const line of lines) {
    const ok = validate(line);
    expect({ line: ok ? "" : line, errors: validate.errors ?? [] }).toEqual({ line: "", errors: [] });
  }
  expect(lines[0]).toMatchObject({ type: "session", cwd: world.project });
  expect(lines.at(-1)).toMatchObject({ type: "result" });
  for (const type of ["session", "result", "agent_start", "agent_end"]) expect(of(lines, type)).toHaveLength(1);
}

const of = (lines: Lines, type: string): Lines => lines.filter((line) => line.type === type);

/** Types in order, deltas in a row as one. */
const typesOf = (lines: Lines): string[] =>
  lines.map(({ type }) => type).filter((type, at, all) => type !== "message_update" || all[at - 1] !== type);

const REPLY = ["message_start", "message_update", "message_end"];
const CONTENT = "export const f = (s) => eval(s);\n// and more, and more\n";
const BAD = callTool("write", { path: "f.mjs", content: CONTENT });
const EDITS = ["--permission-mode", "auto-edit"];

describe.each(SERVED_WIRES)("TTSR-7.3 stream-json over %s", (wire) => {
  it("an interrupted run: the order of its events, each by the schema", async () => {
    const script = [
      { blocks: [{ type: "text", text: "I write it." } as const, ...(BAD.blocks ?? [])] },
      callTool("write", { path: "f.mjs", content: "export const f = parse;\n" }),
      say("It is written."),
    ];
    const { code, lines, stderr } = await run(script, EDITS, wire);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expectValid(lines);
    expect(typesOf(lines)).toEqual([
      ...["session", "agent_start", "turn_start", "message_start", "message_update", "ttsr_triggered", "message_end"],
      ...["ttsr_retry", ...REPLY, "tool_execution_start", "tool_execution_end", "turn_end"],
      ...["turn_start", ...REPLY, "turn_end", "agent_end", "result"],
    ]);
    expect(of(lines, "message_end")[0]).toMatchObject({ message: { stopReason: "aborted", abortReason: "ttsr" } });
    const start = CONTENT.indexOf("eval(");
    const match = { rule: "no-eval", source: "tool", toolName: "write", argument: "content", filePath: "f.mjs", start };
    expect(of(lines, "ttsr_triggered")).toMatchObject([
      {
        rules: [{ name: "no-eval", path: `${world.project}/.rules/no-eval.md`, description: expect.any(String) }],
        matches: [match],
        attempt: 1,
      },
    ]);
    expect(of(lines, "ttsr_retry")).toEqual([
      { type: "ttsr_retry", rules: ["no-eval"], attempt: 2, contextMode: "discard" },
    ]);
  });
});

describe("stream-json of runs that do not end well, by the schema", () => {
  it("TTSR-5.5, TTSR-7.2: a rule past its budget blocks the call; what may not run unasked is denied by name and flag", async () => {
    const { code, lines } = await run([BAD, BAD, BAD, callTool("bash", { command: "touch x" }), say("No.")], EDITS);
    expectValid(lines);
    expect(of(lines, "ttsr_triggered")).toHaveLength(2);
    expect(of(lines, "ttsr_suppressed")).toMatchObject([{ rule: "no-eval", reason: "budget", action: "blocked" }]);
    expect(of(lines, "tool_execution_end")).toMatchObject([
      { toolName: "write", denied: { by: "rule" }, result: { isError: true } },
      {
        toolName: "bash",
        denied: { by: "policy", reason: expect.stringMatching(/--allow .*--permission-mode yolo/) },
        result: { isError: true },
      },
    ]);
    // What a rule blocked is told under ttsr.
    expect(lines.at(-1)).toMatchObject({ denials: [{ tool: "bash", reason: expect.stringContaining("--allow") }] });
    expect(lines.at(-1)).toMatchObject({ status: "ok", text: "No.", ttsr: { interrupts: 2, rules: { "no-eval": 2 } } });
    expect(code).toBe(0);
  });

  it("a denial after which nothing is said: exit 5", async () => {
    const { code, lines } = await run([callTool("bash", { command: "touch x" }), say("")]);
    expectValid(lines);
    expect(lines.at(-1)).toMatchObject({ status: "denied", text: "", denials: [{ tool: "bash" }] });
    expect(code).toBe(5);
  });

  it("a budget of turns: exit 4", async () => {
    const call = callTool("ls", { path: "." });
    const { code, lines, stderr } = await run([call, call, call], ["--max-turns", "2"]);
    expectValid(lines);
    expect(lines.at(-1)).toMatchObject({ status: "budget", error: { code: "budget" } });
    expect(stderr).toMatch(/--max-turns 2/);
    expect(world.server.requests).toHaveLength(2);
    expect(code).toBe(4);
  });

  it("an error of the provider: exit 1, its words in the event and the result", async () => {
    const { code, lines, stderr } = await run([{ status: 400, body: { error: { message: "bad thing" } } }]);
    expectValid(lines);
    expect(of(lines, "error")).toMatchObject([{ message: expect.stringContaining("bad thing") }]);
    expect(lines.at(-1)).toMatchObject({ status: "error", error: { message: expect.stringContaining("bad thing") } });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  });

  it("an answer that broke off, a server that failed, and the answer at the third time", async () => {
    const script = [say("The first half of", { cutAfter: 4 }), { status: 503 }, say("All of it.")];
    const { code, lines } = await run(script, ["--set", "retry.baseDelayMs=1"]);
    expectValid(lines);
    expect(of(lines, "retry")).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    expect(lines.at(-1)).toMatchObject({ status: "ok", text: "All of it." });
    expect(code).toBe(0);
  });
});

describe("--output-format json and text", () => {
  it("json is exactly the result, with the session's id; TTSR-10.4 the interrupt is one line on stderr", async () => {
    world = await World.open([say("use eval(x) "), say("A parser.", { usage: { input: 7, output: 9, cacheRead: 0 } })]);
    const { code, stdout, stderr } = await world.print(["--output-format", "json", "Go."]);
    const result = JSON.parse(stdout);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(validate(result)).toBe(true);
    expect(Object.keys(result).sort()).toEqual(["denials", "sessionId", "status", "text", "ttsr", "type", "usage"]);
    expect(result).toMatchObject({ type: "result", status: "ok", text: "A parser.", ttsr: { interrupts: 1 } });
    expect(stderr).toBe("rule ⟲ no-eval  text: …use eval(\n");
    expect(code).toBe(0);
  });

  it("json: the usage is the sum over the run, in whole tokens", async () => {
    world = await World.open([callTool("ls", {}), say("Two.")]);
    const { stdout } = await world.print(["--output-format", "json", "Go."]);
    expect(JSON.parse(stdout).usage).toEqual({ input: 22, output: 88, cacheRead: 66, cacheWrite: 0 });
  });

  it.each(SERVED_WIRES)("TTSR-10.4 text over %s holds the final answer alone; exit 0", async (wire) => {
    world = await World.open([BAD, say("I wrote a parser.")]);
    const ended = await world.print([...EDITS, "Go."], wire);
    expect(ended).toMatchObject({ code: 0, stdout: "I wrote a parser.\n" });
    expect(ended.stderr).toBe("rule ⟲ no-eval  f.mjs: …export const f = (s) => eval(\n");
  });
});

describe("C77 stream-json of a rule that only counts", () => {
  it("tells each occurrence once, and the message that stands has its count", async () => {
    const rule = NO_EVAL.replace("instead:", "warmupMatches: 3\ninstead:");
    const script = [BAD, callTool("write", { path: "g.mjs", content: CONTENT }), say("It is written.")];
    const { code, lines, stderr } = await run(script, EDITS, "anthropic-messages", { ".rules/no-eval.md": rule });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expectValid(lines);
    expect(of(lines, "ttsr_suppressed")).toMatchObject([
      { rule: "no-eval", reason: "warm-up", action: "none" },
      { rule: "no-eval", reason: "warm-up", action: "none" },
    ]);
    const counts = of(lines, "message_end").flatMap((line) => ("message" in line ? [line.message] : []));
    expect(counts).toMatchObject([
      { occurrences: [{ rule: "no-eval", times: 1 }] },
      { occurrences: [{ rule: "no-eval", times: 1 }] },
      {},
    ]);
    expect(lines.at(-1)).toMatchObject({ ttsr: { interrupts: 0, audit: [], unheeded: [] } });
  });
});
