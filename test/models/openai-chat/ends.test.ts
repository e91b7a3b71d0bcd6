import { describe, expect, it } from "vitest";
import { wire } from "../../../src/models/openai-chat/index.js";
import { drive, events } from "../drive.js";

const chunk = (delta: object, more: object = {}) => ({ id: "c1", choices: [{ index: 0, delta, ...more }] });
const ends = (finish_reason = "stop") => chunk({}, { finish_reason });
const say = (content: string) => chunk({ content });

describe("stop reasons", () => {
  it.each([
    ["stop", "stop"],
    ["eos", "stop"],
    ["STOP", "stop"],
    ["length", "length"],
    ["max_tokens", "length"],
    ["model_length", "length"],
    ["content_filter", "refusal"],
  ])("%s", (raw, reason) => {
    expect(drive(wire, events(say("a"), ends(raw))).last).toMatchObject({ type: "finish", reason, rawReason: raw });
  });

  it("the first one stands", () => {
    expect(drive(wire, events(say("a"), ends("length"), ends("stop"))).last).toMatchObject({ rawReason: "length" });
  });

  it("null and empty ones are none", () => {
    const stream = events(say("a"), chunk({}, { finish_reason: null }), chunk({}, { finish_reason: "" }));
    expect(drive(wire, stream).last).toMatchObject({ type: "error", error: { code: "incomplete" } });
  });

  it("an unknown one is an error that names it, and the text is kept", () => {
    const { last, message } = drive(wire, events(say("a"), ends("novel")));
    expect(last).toMatchObject({ type: "error", error: { code: "bad-request", retryable: false } });
    expect(message.errorMessage).toContain('"novel"');
    expect(message.content).toEqual([{ type: "text", text: "a" }]);
  });

  it.each(["error", "network_error", "insufficient_system_resource"])("%s is a failure that may heal", (raw) => {
    expect(drive(wire, events(say("a"), ends(raw))).last).toMatchObject({
      error: { code: "overloaded", retryable: true },
    });
  });

  it("a refusal is no text, and makes any end a refusal", () => {
    const { message, last, parts } = drive(
      wire,
      events(chunk({ refusal: "I can" }), chunk({ refusal: "not." }), ends()),
    );
    expect(message.content).toEqual([]);
    expect(last).toMatchObject({ type: "finish", reason: "refusal", rawReason: "stop" });
    expect(parts).toContainEqual({ type: "warning", message: "vendor refused: I cannot." });
  });
});

describe("errors in the stream", () => {
  it("error: null is none", () => {
    const { message, last } = drive(wire, events({ ...say("a"), error: null }, { ...ends(), error: null }));
    expect(message.content).toEqual([{ type: "text", text: "a" }]);
    expect(last).toMatchObject({ type: "finish", reason: "stop" });
  });

  it("an error wins over a reason seen before or beside it, and its usage counts", () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    const error = { code: 502, message: "Provider returned error", metadata: { raw: "upstream is gone" } };
    const failed = { ...ends("length"), error, usage };
    const { message, last } = drive(wire, events(say("a"), ends("length"), failed));
    expect(last).toMatchObject({ type: "error", error: { code: "overloaded", status: 502 } });
    expect(message.errorMessage).toContain("upstream is gone");
    expect(message.usage).toEqual({ input: 5, output: 2, cacheRead: 0, cacheWrite: 0 });
  });

  it.each([
    ["a text", { error: "model is overloaded, try again later" }, "overloaded"],
    ["a code as a word", { error: { code: "insufficient_quota", message: "no" } }, "billing"],
    ["a type", { error: { type: "rate_limit_error", message: "slow down" } }, "rate-limit"],
    ["a status", { error: { status: 401, message: "no" } }, "auth"],
    ["without a wrapper", { object: "error", message: "maximum context length is 5", code: 400 }, "context-overflow"],
  ])("%s", (_name, payload, code) => {
    expect(drive(wire, events(say("a"), payload)).last).toMatchObject({ type: "error", error: { code } });
  });

  it("an event named error", () => {
    const failed = { event: "error", data: JSON.stringify({ message: "rate limit", code: 429 }) };
    expect(drive(wire, [...events(say("a")), failed]).last).toMatchObject({ error: { code: "rate-limit" } });
  });

  it("bare JSON after the last event", () => {
    const error = JSON.stringify({ error: { code: 503, message: "gone" } });
    expect(drive(wire, events(say("a"), ends()), error).last).toMatchObject({ error: { code: "overloaded" } });
  });

  it.each([
    ['{"error":{"message":"no","code":"x"}}', { code: "x", message: "no" }],
    ['[{"error":{"message":"no","code":400}}]', { message: "no" }],
    ['{"message":"no"}', { message: "no" }],
    ['{"detail":"no"}', { message: "no" }],
    ['{"error":"no"}', { message: "no" }],
    ["<html>", undefined],
    ["", undefined],
    ["{}", undefined],
  ])("HTTP body %s", (body, told) => {
    expect(wire.readError(body)).toEqual(told);
  });
});

describe("usage", () => {
  const of = (usage: object, where: (usage: object) => object = (told) => ({ choices: [], usage: told })) =>
    drive(wire, events(say("a"), ends(), where(usage))).message.usage;
  const plain = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
  const known = { input: 10, output: 4, cacheRead: 0, cacheWrite: 0 };

  it("in a chunk without choices, in Groq's field, in the choice, in every chunk", () => {
    expect(of(plain)).toEqual(known);
    expect(of(plain, (usage) => ({ choices: [], x_groq: { usage } }))).toEqual(known);
    expect(of(plain, (usage) => chunk({}, { usage }))).toEqual(known);
    const growing = events(
      { ...say("a"), usage: { ...plain, completion_tokens: 1 } },
      { ...ends(), usage: plain },
      { choices: [], usage: null },
    );
    expect(drive(wire, growing).message.usage).toEqual(known);
  });

  it.each([
    ["OpenAI's cache", { ...plain, prompt_tokens_details: { cached_tokens: 6 } }, { input: 4, cacheRead: 6 }],
    ["DeepSeek's cache", { ...plain, prompt_cache_hit_tokens: 6 }, { input: 4, cacheRead: 6 }],
    ["Moonshot's cache", { ...plain, cached_tokens: 6 }, { input: 4, cacheRead: 6 }],
    [
      "cache writes",
      { ...plain, prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 5 } },
      { input: 2, cacheRead: 3, cacheWrite: 5 },
    ],
    [
      "reasoning inside the output",
      { ...plain, completion_tokens_details: { reasoning_tokens: 3 } },
      { output: 4, reasoning: 3 },
    ],
    [
      "reasoning on top, where the total says so",
      { ...plain, total_tokens: 21, completion_tokens_details: { reasoning_tokens: 7 } },
      { output: 11, reasoning: 7 },
    ],
  ])("%s", (_name, told, wanted) => {
    expect(of(told)).toEqual({ ...known, ...wanted });
  });

  it("nowhere is none", () => {
    expect(drive(wire, events(say("a"), ends())).message.usage).toEqual({ ...known, input: 0, output: 0 });
  });
});
