import { describe, expect, it } from "vitest";
import { wire } from "../../../src/models/openai-chat/index.js";
import type { WireEvent } from "../../../src/models/wire.js";
import { argsText, drive, events, fixture } from "../drive.js";

const chunk = (delta: object, more: object = {}) => ({ id: "c1", choices: [{ index: 0, delta, ...more }] });
const ends = (finish_reason = "stop") => chunk({}, { finish_reason });
const DONE: WireEvent = { event: undefined, data: "[DONE]" };
const content = (...payloads: object[]) => drive(wire, events(...payloads, ends())).message.content;

describe("what a whole answer becomes", () => {
  const whole = fixture("chat-reasoning-text-call");

  it.each([
    ["with [DONE]", [...whole, DONE]],
    ["with [DONE] twice", [...whole, DONE, DONE]],
    ["without [DONE]", whole],
  ])("thinking, text and call, %s", (_name, stream) => {
    const { parts, message, last } = drive(wire, stream);
    expect(message.responseId).toBe("c1");
    expect(message.content).toEqual([
      { type: "thinking", thinking: "I must read." },
      { type: "text", text: "Reading 秋😀." },
      { type: "toolCall", id: "call_a", name: "read", arguments: { path: "a.ts" } },
    ]);
    expect(argsText(parts, 2)).toBe('{"path":"a.ts"}');
    const usage = { input: 60, output: 30, cacheRead: 40, cacheWrite: 0, reasoning: 12 };
    expect(last).toEqual({ type: "finish", reason: "toolUse", rawReason: "tool_calls", usage });
    expect(parts.map(({ type }) => type).filter((type) => type.endsWith("_start") || type === "block_end")).toEqual([
      "thinking_start",
      "block_end",
      "text_start",
      "block_end",
      "call_start",
      "block_end",
    ]);
  });

  it.each(whole.map((_, at) => at))("cut before event %i: incomplete unless a reason was told", (at) => {
    const { last, message } = drive(wire, whole.slice(0, at));
    if (at === whole.length - 1) expect(last).toMatchObject({ type: "finish", rawReason: "tool_calls" });
    else {
      expect(last).toMatchObject({ type: "error", error: { code: "incomplete", retryable: true } });
      expect(message.stopReason).toBe("error");
    }
  });

  it("[DONE] alone is no end", () => {
    expect(drive(wire, [...whole.slice(0, -2), DONE]).last).toMatchObject({ error: { code: "incomplete" } });
  });

  it("nothing at all is incomplete", () => {
    expect(drive(wire, []).last).toMatchObject({ type: "error", error: { code: "incomplete" } });
  });

  it("hears the first choice only, by its index", () => {
    const both = (text: string, other: string) => ({
      id: "c",
      choices: [
        { index: 1, delta: { content: other } },
        { index: 0, delta: { content: text } },
      ],
    });
    expect(content(both("a", "x"), both("b", "y"))).toEqual([{ type: "text", text: "ab" }]);
  });

  it("tells the id and the model of the first chunk that has any", () => {
    const filters = { id: "", model: "", choices: [], prompt_filter_results: [] };
    const driven = drive(wire, events(filters, { ...chunk({ content: "a" }), model: "gpt" }, ends()));
    expect(driven.parts[0]).toEqual({ type: "start", responseId: "c1", model: "gpt" });
  });

  it("passes over chunks of an unknown shape", () => {
    expect(content({ id: "c1", object: "something.new" }, chunk({ content: "a", novel: { b: 1 } }))).toEqual([
      { type: "text", text: "a" },
    ]);
  });

  it("cannot go on after a broken chunk", () => {
    const broken: WireEvent = { event: undefined, data: '{"id":"c1","choices":[{"ind' };
    const { last } = drive(wire, [...whole.slice(0, 4), broken, ...whole.slice(4)]);
    expect(last).toMatchObject({ type: "error", error: { code: "incomplete" } });
  });
});

describe("thinking under its many names", () => {
  it.each([
    ["reasoning_content", { reasoning_content: "Hm." }],
    ["reasoning", { reasoning: "Hm." }],
    ["reasoning_text", { reasoning_text: "Hm." }],
    ["two names at once", { reasoning_content: "Hm.", reasoning: "Hm." }],
    ["an empty one beside it", { reasoning_content: "", reasoning: "Hm." }],
    ["parts of the content", { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }],
  ])("%s", (_name, delta) => {
    expect(content(chunk(delta), chunk({ content: "Yes." }))).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Yes." },
    ]);
  });

  it("parts of thinking and of text in one delta", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    expect(content(chunk({ content: [thinking, { type: "text", text: "Yes" }] }), chunk({ content: "." }))).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Yes." },
    ]);
  });

  it("after text began is a block of its own, and so is the text after it", () => {
    const stream = [chunk({ content: "a" }), chunk({ reasoning: "b" }), chunk({ content: "c" })];
    expect(content(...stream)).toMatchObject([{ text: "a" }, { thinking: "b" }, { text: "c" }]);
  });

  it("null or empty fields begin nothing", () => {
    expect(content(chunk({ content: null, reasoning: null, reasoning_details: [], tool_calls: null }))).toEqual([]);
    expect(content(chunk({ content: "", reasoning_content: "" }))).toEqual([]);
  });
});

describe("reasoning_details", () => {
  const details = (...reasoning_details: object[]) => chunk({ reasoning_details });
  const kept = (...payloads: object[]) => content(...payloads)[0];

  it("are put together and kept with the thinking, with a signature that comes after text began", () => {
    const { message, parts } = drive(wire, fixture("chat-reasoning-details"));
    expect(message.content).toEqual([
      {
        type: "thinking",
        thinking: "Hm.",
        signature: "SIG",
        replay: {
          reasoning_details: [{ type: "reasoning.text", text: "Hm.", format: "f1", index: 0, signature: "SIG" }],
        },
      },
      { type: "text", text: "Yes. Sure." },
    ]);
    expect(parts.filter(({ type }) => type === "signature")).toHaveLength(1);
  });

  it("without any other field are the thinking too", () => {
    const block = kept(
      details({ type: "reasoning.summary", summary: "H", index: 0 }),
      details({ type: "reasoning.summary", summary: "m", index: 0 }),
      details({ type: "reasoning.encrypted", data: "ENC", id: "rs_1", index: 0 }),
    );
    expect(block).toEqual({
      type: "thinking",
      thinking: "Hm",
      signature: "ENC",
      replay: {
        reasoning_details: [
          { type: "reasoning.summary", summary: "Hm", index: 0 },
          { type: "reasoning.encrypted", data: "ENC", id: "rs_1", index: 0 },
        ],
      },
    });
  });

  it("encrypted only is a redacted block; thinking that follows is another", () => {
    const encrypted = { type: "reasoning.encrypted", data: "ENC", index: 0 };
    const back = { reasoning_details: [encrypted] };
    expect(content(details(encrypted), chunk({ reasoning: "Hm." }), chunk({ content: "a" }))).toEqual([
      { type: "thinking", thinking: "", redacted: true, signature: "ENC", replay: back },
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "a" },
    ]);
  });

  it("an empty first piece does not make thinking redacted", () => {
    const block = kept(
      details({ type: "reasoning.text", text: "", index: 0 }),
      details({ type: "reasoning.text", text: "Hm", index: 0 }),
    );
    expect(block).toMatchObject({ type: "thinking", thinking: "Hm" });
    expect(block).not.toHaveProperty("redacted");
  });

  it("several indexes, ids, signatures and encrypted pieces stay apart and in order", () => {
    const block = kept(
      details({ type: "reasoning.text", text: "a", index: 0 }),
      details({ type: "reasoning.text", text: "x", index: 1 }),
      details({ type: "reasoning.text", text: "b", index: 0 }, { type: "reasoning.text", text: "y", index: 1 }),
      details({ type: "reasoning.text", signature: "S0", index: 0 }),
      details({ type: "reasoning.text", text: "new", index: 0 }),
      details({ type: "reasoning.encrypted", data: "E1", id: "t1", index: 0 }),
      details({ type: "reasoning.encrypted", data: "E2", id: "t2", index: 0 }),
      details({ type: "reasoning.encrypted", data: "E3" }, { type: "reasoning.encrypted", data: "E3" }),
    );
    expect(block).toMatchObject({
      replay: {
        reasoning_details: [
          { text: "ab", signature: "S0", index: 0 },
          { text: "xy", index: 1 },
          { text: "new", index: 0 },
          { data: "E1", id: "t1" },
          { data: "E2", id: "t2" },
          { data: "E3" },
        ],
      },
    });
  });
});
