import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAssembler } from "../../src/agent/assemble.js";
import { userText } from "../../src/agent/messages.js";
import type { StreamPart } from "../../src/agent/ports.js";
import { wire as anthropic } from "../../src/models/anthropic-messages/index.js";
import { wire as gemini } from "../../src/models/gemini/index.js";
import { createHttpModel } from "../../src/models/http.js";
import { wire as chat } from "../../src/models/openai-chat/index.js";
import { wire as responses } from "../../src/models/openai-responses/index.js";
import type { ModelTarget } from "../../src/models/wire.js";
import { systemClock } from "../../src/platform/clock.js";
import type { Expected } from "./recordings-expect.js";
import {
  CLIENT_CALLS,
  detailsOf,
  digest,
  ERRORS,
  expectedReason,
  expectedUsage,
  proofsOf,
} from "./recordings-expect.js";
import type { Framing, Recording, Replayer } from "./recordings-serve.js";
import { byteByByte, createReplayer, FRAMINGS, missing, readExpected, readRecordings } from "./recordings-serve.js";

const WIRES = {
  "anthropic-messages": anthropic,
  "openai-responses": responses,
  "openai-chat": chat,
  gemini,
};
const TIMEOUTS = { firstEventMs: 30_000, idleMs: 30_000 };

if (missing) console.warn(`Skipped: ${missing}`);

describe.skipIf(missing)(`recorded answers of providers${missing ? ` (${missing})` : ""}`, () => {
  const recordings = missing ? [] : readRecordings();
  const expected = missing ? {} : (readExpected() as Record<string, Expected>);
  let replayer: Replayer;
  beforeAll(async () => {
    replayer = await createReplayer();
  });
  afterAll(() => replayer.close());

  async function ask(recording: Recording, framing: Framing) {
    replayer.serve(recording, framing);
    const target: ModelTarget = {
      provider: "vendor",
      model: "model-1",
      wire: recording.wire,
      baseUrl: `http://127.0.0.1:${replayer.port}/v1`,
    };
    const fetch = framing === "byte per write" ? byteByByte : globalThis.fetch;
    const deps = { fetch, clock: systemClock, timeouts: TIMEOUTS };
    const model = createHttpModel(WIRES[recording.wire], target, deps);
    const request = { system: "", messages: [userText("hi")], tools: [], thinking: "off" as const };
    const parts: StreamPart[] = [];
    for await (const group of model.stream(request, new AbortController().signal)) parts.push(...group);
    const assembler = createAssembler(model);
    for (const part of parts) assembler.apply(part);
    return { parts, message: assembler.seal() };
  }

  it("are all there", () => {
    expect(recordings.length).toBe(81);
    expect(recordings.filter(({ id }) => expected[id] === undefined)).toEqual([]);
    const failing = recordings.filter(({ id }) => expected[id]?.error).map(({ id }) => id);
    expect(failing.sort()).toEqual(Object.keys(ERRORS).sort());
  });

  describe.each(recordings)("$wire $id", (recording) => {
    const told = expected[recording.id] as Expected;
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    it.each(FRAMINGS)("comes out right: %s", async (framing) => {
      const answer = await ask(recording, framing);
      answers.push(answer);
      check(recording, told, answer);
      // Not only the message: however the bytes are cut, the parts are the same.
      expect(answer.parts).toEqual(answers[0]?.parts);
    });
  });
});

function check(
  { id, wire }: Recording,
  told: Expected,
  { parts, message }: { parts: StreamPart[]; message: ReturnType<ReturnType<typeof createAssembler>["seal"]> },
): void {
  const last = parts.at(-1);
  expect(parts.filter(({ type }) => type === "finish" || type === "error")).toEqual([last]);
  const clientCalls = (told.tool_calls ?? []).filter(({ kind }) => CLIENT_CALLS.has(kind));

  if (told.error) {
    expect(last).toMatchObject({ type: "error", error: ERRORS[id] });
    if (told.status !== 200) expect(last).toMatchObject({ error: { status: told.status } });
    expect(message.stopReason).toBe("error");
  } else {
    const rawReason = told.stop_reason ?? "";
    expect(last).toMatchObject({
      type: "finish",
      rawReason,
      reason: expectedReason(rawReason, clientCalls.length),
      ...(rawReason === "pause_turn" ? { pause: true } : {}),
    });
  }
  expect(message.usage).toEqual(expectedUsage(wire, told.usage));
  if (told.id) expect(message.responseId).toBe(told.id);

  const of = (type: string): string =>
    message.content.map((block) => (block.type === type && "text" in block ? block.text : "")).join("");
  const thinking = message.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join("");
  expect(of("text")).toBe(told.text ?? "");
  expect(thinking).toBe(told.thinking ?? "");

  const calls = message.content.filter((block) => block.type === "toolCall");
  expect(calls.map(({ name }) => name)).toEqual(clientCalls.map(({ name }) => name));
  expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
  for (const [at, call] of calls.entries()) {
    const wanted = clientCalls[at];
    if (wanted?.id) expect(call.id).toBe(wanted.id);
    if (wanted?.arguments_valid === false) {
      // A cut call can never be run.
      expect(call.invalidArguments).toBe(wanted.arguments_raw);
      expect(call.arguments).toEqual({});
    } else {
      expect(call.arguments).toEqual(wanted?.arguments);
      expect(call.invalidArguments).toBeUndefined();
    }
  }

  const details = detailsOf(message);
  expect(details).toEqual(told.reasoning_details_opaque ?? []);
  if (wire !== "openai-chat") {
    const proofs = told.signatures ?? told.encrypted_reasoning ?? [];
    expect(proofsOf(message).map(digest)).toEqual(proofs);
  }
  checkPlaces(told, message.content);
}

type Blocks = ReturnType<ReturnType<typeof createAssembler>["seal"]>["content"];

/** Every block of the wire has its place, also those that are only kept. */
function checkPlaces(told: Expected, content: Blocks): void {
  const kept = content.flatMap((block) => (block.type === "opaque" ? [block.data as Record<string, unknown>] : []));
  if (told.blocks) {
    const NAMES = { text: "text", thinking: "thinking", toolCall: "tool_use" } as const;
    const kinds = content.map((block) =>
      block.type === "opaque" ? (block.data as { type: string }).type : NAMES[block.type],
    );
    expect(kinds).toEqual(told.blocks);
    const serverCalls = (told.tool_calls ?? []).filter(({ kind }) => !CLIENT_CALLS.has(kind));
    const keptCalls = kept.filter(({ type }) => serverCalls.some(({ kind }) => kind === type));
    expect(keptCalls.map(({ type, id, name, input }) => [type, id, name, input])).toEqual(
      serverCalls.map((call) => [call.kind, call.id, call.name, call.arguments]),
    );
  }
  if (told.items) {
    const NAMES = { text: "message", thinking: "reasoning", toolCall: "function_call" } as const;
    const items = content.map((block) =>
      block.type === "opaque" ? (block.data as { type: string }).type : NAMES[block.type],
    );
    // Reasoning of which nothing is shown and nothing can be sent back leaves nothing.
    const silent = told.thinking === "" && (told.encrypted_reasoning ?? []).length === 0;
    expect(items).toEqual(told.items.filter((item) => !(silent && item === "reasoning")));
  }
  if (told.other_parts) {
    const names = kept.map((data) => Object.keys(data).find((key) => told.other_parts?.includes(key)));
    expect(names.filter((name) => name !== undefined)).toEqual(told.other_parts);
  }
}
