import { describe, expect, it } from "vitest";
import { wire } from "../../../src/models/anthropic-messages/index.js";
import { argsText, drive, events, fixture } from "../drive.js";

const begin = {
  type: "message_start",
  message: { id: "msg_1", model: "m", usage: { input_tokens: 3, output_tokens: 1 } },
};
const start = (content_block: object, index = 0) => ({ type: "content_block_start", index, content_block });
const delta = (change: object, index = 0) => ({ type: "content_block_delta", index, delta: change });
const stop = (index = 0) => ({ type: "content_block_stop", index });
const ending = (stop_reason: string | null = "end_turn", more: object = {}) => [
  { type: "message_delta", delta: { stop_reason, ...more }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];
const say = (text: string, index = 0) => [
  start({ type: "text", text: "" }, index),
  delta({ type: "text_delta", text }, index),
  stop(index),
];
const call = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
const play = (...payloads: object[]) => drive(wire, events(begin, ...payloads, ...ending()));

describe("what a whole answer becomes", () => {
  const whole = fixture("anthropic-thinking-text-call");

  it("thinking with its signature, redacted thinking, text and call", () => {
    const { parts, message, last } = drive(wire, whole);
    expect(message.responseId).toBe("msg_1");
    expect(message.content).toEqual([
      { type: "thinking", thinking: "I must read.", signature: "SIG" },
      { type: "thinking", thinking: "", redacted: true, signature: "ENC" },
      { type: "text", text: "Reading 秋😀." },
      { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a.ts" } },
    ]);
    expect(argsText(parts, 3)).toBe('{"path":"a.ts"}');
    const usage = { input: 50, output: 30, cacheRead: 40, cacheWrite: 10, reasoning: 12 };
    expect(last).toEqual({ type: "finish", reason: "toolUse", rawReason: "tool_use", usage });
    expect(parts.filter(({ type }) => type === "block_end")).toHaveLength(4);
  });

  it.each(whole.map((_, at) => at))("cut before event %i is incomplete, and never a finish", (at) => {
    const { last } = drive(wire, whole.slice(0, at));
    expect(last).toMatchObject({ type: "error", error: { code: "incomplete", retryable: true } });
  });

  it("a call that is cut is never runnable", () => {
    const { message } = drive(wire, whole.slice(0, 15));
    expect(message.content.at(-1)).toMatchObject({ name: "read", arguments: {}, invalidArguments: '{"path":' });
  });

  it("server tools, their results, compaction and unknown blocks are kept whole in their place; a pause is told", () => {
    const { message, last } = drive(wire, fixture("anthropic-server-tools"));
    const opaque = (data: object) => ({ type: "opaque", wire: "anthropic-messages", data });
    expect(message.content).toEqual([
      opaque({ type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "q" } }),
      opaque({
        type: "web_search_tool_result",
        tool_use_id: "srv_1",
        content: [{ type: "web_search_result", url: "u", encrypted_content: "E" }],
      }),
      opaque({ type: "mcp_tool_use", id: "mcp_1", name: "ask", server_name: "s", input: { n: 1 } }),
      opaque({ type: "compaction", content: "Summary." }),
      { type: "text", text: "Found." },
    ]);
    expect(last).toMatchObject({ type: "finish", reason: "stop", rawReason: "pause_turn", pause: true });
  });

  it("two calls are told apart by their index, also interleaved", () => {
    const json = (partial_json: string, index: number) => delta({ type: "input_json_delta", partial_json }, index);
    const { message } = play(
      start(call, 0),
      start({ ...call, id: "toolu_2", name: "bash" }, 1),
      json('{"a"', 0),
      json('{"b"', 1),
      json(":1}", 0),
      json(":2}", 1),
      stop(1),
      stop(0),
    );
    expect(message.content).toMatchObject([
      { id: "toolu_1", arguments: { a: 1 } },
      { id: "toolu_2", name: "bash", arguments: { b: 2 } },
    ]);
  });
});

describe("shapes of other servers", () => {
  it("content and signature inside content_block_start", () => {
    const { message } = play(
      start({ type: "thinking", thinking: "Hm.", signature: "SIG" }, 0),
      stop(0),
      start({ type: "text", text: "Yes" }, 1),
      delta({ type: "text_delta", text: "." }, 1),
      stop(1),
      start({ ...call, input: { path: "a" } }, 2),
      stop(2),
    );
    expect(message.content).toEqual([
      { type: "thinking", thinking: "Hm.", signature: "SIG" },
      { type: "text", text: "Yes." },
      { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a" } },
    ]);
  });

  it("a whole input in the start and its deltas again is not written twice", () => {
    const again = delta({ type: "input_json_delta", partial_json: '{"path":"a"}' });
    const { parts, message } = play(start({ ...call, input: { path: "a" } }), again, stop());
    expect(argsText(parts, 0)).toBe('{"path":"a"}');
    expect(message.content).toMatchObject([{ arguments: { path: "a" } }]);
  });

  it("a signature in pieces is one", () => {
    const sign = (signature: string) => delta({ type: "signature_delta", signature });
    const { message } = play(start({ type: "thinking", thinking: "" }), sign("S1"), sign("S2"), stop());
    expect(message.content).toEqual([{ type: "thinking", thinking: "", signature: "S1S2" }]);
  });

  it("no start before a delta, no stop after it", () => {
    const { message } = play(delta({ type: "text_delta", text: "a" }), delta({ type: "text_delta", text: "b" }));
    expect(message.content).toEqual([{ type: "text", text: "ab" }]);
  });

  it("pings, unknown events and unknown deltas change nothing", () => {
    const { message, last } = play(
      { type: "ping" },
      { type: "novel_event", index: 0, delta: { text: "x" } },
      start({ type: "text", text: "" }),
      delta({ type: "novel_delta", novel: "x" }),
      delta({ type: "citations_delta", citation: { url: "u" } }),
      delta({ type: "text_delta", text: "a" }),
      stop(),
    );
    expect(message.content).toEqual([{ type: "text", text: "a" }]);
    expect(last).toMatchObject({ type: "finish" });
  });

  it("events named only by the event line", () => {
    const named = events(begin, ...say("a"), ...ending()).map(({ event, data }) => {
      const { type: _, ...rest } = JSON.parse(data) as Record<string, unknown>;
      return { event, data: JSON.stringify(rest) };
    });
    expect(drive(wire, named).message.content).toEqual([{ type: "text", text: "a" }]);
  });

  it("no input deltas are {}", () => {
    expect(play(start(call), delta({ type: "input_json_delta", partial_json: "" }), stop()).message.content).toEqual([
      { type: "toolCall", id: "toolu_1", name: "read", arguments: {} },
    ]);
  });
});

describe("how it ends", () => {
  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
  ])("%s", (raw, reason) => {
    const { last } = drive(wire, events(begin, ...say("a"), ...ending(raw)));
    expect(last).toEqual({
      type: "finish",
      reason,
      rawReason: raw,
      usage: { input: 3, output: 7, cacheRead: 0, cacheWrite: 0 },
    });
  });

  it("a refusal says why", () => {
    const why = { stop_details: { type: "refusal", category: "x", explanation: "It was blocked." } };
    const { parts } = drive(wire, events(begin, ...ending("refusal", why)));
    expect(parts).toContainEqual({ type: "warning", message: "vendor: It was blocked." });
  });

  it("an unknown reason is an error that names it; the text stays", () => {
    const { last, message } = drive(wire, events(begin, ...say("a"), ...ending("novel")));
    expect(last).toMatchObject({ type: "error", error: { code: "bad-request" } });
    expect(message.errorMessage).toContain('"novel"');
    expect(message.content).toEqual([{ type: "text", text: "a" }]);
  });

  it("arguments cut by the limit are never runnable", () => {
    const cut = delta({ type: "input_json_delta", partial_json: '{"path":"/etc' });
    const { message, last } = drive(wire, events(begin, start(call), cut, stop(), ...ending("max_tokens")));
    expect(message.content).toMatchObject([{ arguments: {}, invalidArguments: '{"path":"/etc' }]);
    expect(last).toMatchObject({ reason: "length" });
  });

  it.each([
    ["overloaded_error", "overloaded", 529],
    ["rate_limit_error", "rate-limit", 429],
    ["authentication_error", "auth", 401],
    ["billing_error", "billing", 402],
    ["api_error", "overloaded", 500],
    ["invalid_request_error", "bad-request", 400],
  ])("%s in the stream, first or later", (type, code, status) => {
    const failed = { type: "error", error: { type, message: "Sorry" } };
    const wanted = { type: "error", error: { code, status } };
    expect(drive(wire, events(failed)).last).toMatchObject(wanted);
    const later = drive(wire, events(begin, start({ type: "text", text: "a" }), failed, ...ending()));
    expect(later.last).toMatchObject(wanted);
    expect(later.message.content).toEqual([{ type: "text", text: "a" }]);
  });

  it("a broken event ends it", () => {
    const broken = { event: "content_block_delta", data: '{"type":"content_block_delta","ind' };
    const stream = [...events(begin, start(call)), broken, ...events(...ending())];
    expect(drive(wire, stream).last).toMatchObject({ type: "error", error: { code: "incomplete" } });
  });

  it.each([
    ['{"type":"error","error":{"type":"not_found_error","message":"no"}}', { code: "not_found_error", message: "no" }],
    ['{"error":{"message":"no"}}', { message: "no" }],
    ["<html>", undefined],
    ["[]", undefined],
  ])("HTTP body %s", (body, told) => {
    expect(wire.readError(body)).toEqual(told);
  });
});

describe("usage", () => {
  it("of the end is laid over that of the start, but for what is null or left out", () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 2, cache_creation_input_tokens: 1, output_tokens: 1 };
    const first = { type: "message_start", message: { id: "m", usage } };
    const last = {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { input_tokens: 8, cache_read_input_tokens: null, output_tokens: 9, iterations: [{ input_tokens: 99 }] },
    };
    const { message, parts } = drive(wire, events(first, last, { type: "message_stop" }));
    expect(message.usage).toEqual({ input: 8, output: 9, cacheRead: 2, cacheWrite: 1 });
    // An attempt that is cut has the input already.
    expect(parts[1]).toEqual({ type: "usage", usage: { input: 5, output: 1, cacheRead: 2, cacheWrite: 1 } });
  });
});
