/** C76 over a real connection: the chat template leaks into the answer, and the same request is sent again. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, SERVED_WIRES, say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

/** Nothing that holds this may be handled. */
const MARK = "AFTER-THE-LEAK";
const TAIL = `${MARK} `.repeat(80);
const LEAK = "I have written it.<|channel|>final<|message|>";
const QUICK = ["--set", "retry.baseDelayMs=1"];
const EVENTS = [...QUICK, "--permission-mode", "yolo", "--output-format", "stream-json"];

/** What all log files of the world hold. */
function logs(dir = world.state): string {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("");
}

describe.each(SERVED_WIRES)("C76 over %s", (wire) => {
  it.each<[string, Omit<Answer, "blocks">]>([
    ["in gaps", { chunk: 4, gapMs: 4 }],
    ["at once", { chunk: "whole", burst: true }],
    ["character by character", { chunk: 1 }],
  ])("the attempt is dropped and asked for again, its finished call does not run: %s", async (_, pieces) => {
    const leaking: Answer = {
      blocks: [
        { type: "call", name: "write", args: { path: "bad.mjs", content: "export const a = 1;\n" } },
        { type: "text", text: `${LEAK}${TAIL}` },
      ],
      ...pieces,
    };
    world = await World.open([leaking, say("Nothing is left to do.")]);
    const run = await world.print([...EVENTS, "Write it."], wire);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const { requests } = world.server;
    await Promise.all(requests.map(({ done }) => done));
    expect(requests).toHaveLength(2);
    expect(requests[1]?.body).toEqual(requests[0]?.body);
    if (pieces.gapMs !== undefined) expect(requests[0]?.closedEarly).toBe(true);
    expect(existsSync(join(world.project, "bad.mjs"))).toBe(false);

    const lines = run.events();
    const schema = JSON.parse((await world.run(["config", "schema", "--events"])).stdout);
    const validate = new Ajv({ strict: true }).compile(schema);
    for (const line of lines) expect([validate(line), line]).toEqual([true, line]);
    const types = lines.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
    expect(types).toEqual([
      ...["session", "agent_start", "turn_start", "message_start", "message_update", "message_end", "retry"],
      ...["message_start", "message_update", "message_end", "turn_end", "agent_end", "result"],
    ]);
    const drawn = lines.map((line) => (line.type === "message_update" ? JSON.stringify(line.delta) : "")).join("");
    expect(drawn).not.toMatch(/<\|channel\|>|AFTER/);
    expect(lines.find(({ type }) => type === "retry")).toMatchObject({
      code: "leaked",
      attempt: 1,
      maxAttempts: 2,
      message: `m of ${wire} wrote <|channel|>, a control token of its chat template, into its answer.`,
    });
    expect(lines.at(-1)).toMatchObject({ status: "ok", text: "Nothing is left to do." });
    expect(logs()).toContain("Nothing is left to do.");
    expect(logs()).not.toContain("<|channel");
  });

  it("one that leaks in each attempt is delivered after two more, with one notice and exit 0", async () => {
    const leaking = say("It is done.<|im_end|>\n<|im_start|>user\n");
    world = await World.open([leaking, leaking, leaking]);
    const run = await world.print([...QUICK, "Go."], wire);
    expect(world.server.requests).toHaveLength(3);
    expect(run).toMatchObject({ code: 0, stdout: "It is done.<|im_end|>\n<|im_start|>user\n\n" });
    expect(run.stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^m of \S+ wrote <\|im_end\|>, .* Trying again in [\d.]+ s \(1 of 2\)\.$/),
      expect.stringMatching(/Trying again in [\d.]+ s \(2 of 2\)\.$/),
      expect.stringMatching(/^m of \S+ wrote <\|im_end\|>, a control token .*; it is taken as it is\./),
    ]);
  });
});

describe("C76 with nothing else on", () => {
  it("no rules at all, ttsr.enabled: false", async () => {
    world = await World.open([say("Fine.<|eot_id|>"), say("Fine.")]);
    const run = await world.run([
      ...["-p", "--no-rules", "-m", "openai-chat/m", "--set", "ttsr.enabled=false", ...QUICK, "Go."],
    ]);
    expect(run).toMatchObject({ code: 0, stdout: "Fine.\n", stderr: expect.stringContaining("<|eot_id|>") });
  });

  it("a crash in the wait: the session goes on with the prompt, and nothing of the attempt", async () => {
    world = await World.open([say("Fine.<|eot_id|>"), say("Back.")]);
    const run = await world.run(
      [
        "-p",
        "--trust",
        "-m",
        "openai-chat/m",
        "--set",
        "retry.baseDelayMs=8000",
        "--output-format",
        "stream-json",
        "Go.",
      ],
      { kill: (kill, told) => told('"type":"retry"', () => kill("SIGKILL")) },
    );
    expect(run.signal).toBe("SIGKILL");
    const again = await world.print(["-c", "And?"], "openai-chat");
    expect(again).toMatchObject({ code: 0, stdout: "Back.\n" });
    const sent = world.server.requests[1]?.neutral().messages ?? [];
    expect(sent.map(({ role, text }) => `${role}: ${text}`)).toEqual(["user: Go.", "user: And?"]);
  });

  it("what is in code or quoted is delivered without a word", async () => {
    const text =
      "A turn ends with `<|im_end|>`:\n\n```\nHi.<|im_end|>\n```\n\n> Hi.<|im_end|>\n\nThe <|im_end|> token ends it.";
    world = await World.open([say(text)]);
    expect(await world.print(["Go."])).toMatchObject({ code: 0, stdout: `${text}\n`, stderr: "" });
    expect(world.server.requests).toHaveLength(1);
  });
});
