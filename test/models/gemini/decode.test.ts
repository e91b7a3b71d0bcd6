import { describe, expect, it } from "vitest";
import { wire } from "../../../src/models/gemini/index.js";
import { argsText, drive, events, fixture, targetOf } from "../drive.js";

const answer = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  responseId: "rid1",
  modelVersion: "gemini-x",
});
const ends = (finishReason = "STOP") => ({ candidates: [{ finishReason, index: 0 }] });
const call = (functionCall: object) => answer([{ functionCall }]);

describe("what a whole answer becomes", () => {
  it("thoughts and text, each with its signature", () => {
    const { parts, message, last } = drive(wire, fixture("gemini-thought-text-signature"));
    expect(parts[0]).toEqual({ type: "start", responseId: "rid1", model: "gemini-x" });
    expect(message.content).toEqual([
      { type: "thinking", thinking: "Weigh it.", signature: "SIGT" },
      { type: "text", text: "It is two.", replay: { thoughtSignature: "SIGE", after: true } },
    ]);
    // Rule 7: what server tools put in counts as input, the cache does not, thoughts are output.
    const usage = { input: 13, output: 16, cacheRead: 4, cacheWrite: 0, reasoning: 10 };
    expect(last).toEqual({ type: "finish", reason: "stop", rawReason: "STOP", usage });
  });

  it("calls, whole in one delta, with the id of the wire or one of ours, and the signature that came with the call", () => {
    const { parts, message, last } = drive(wire, fixture("gemini-parallel-calls"));
    expect(message.content).toEqual([
      {
        type: "toolCall",
        id: "g1",
        name: "read",
        arguments: { path: "a.ts" },
        replay: { id: "g1", thoughtSignature: "SIGC" },
      },
      { type: "toolCall", id: "call_rid1_1", name: "ls", arguments: {} },
      { type: "toolCall", id: "call_rid1_2", name: "read", arguments: { path: "b.ts" } },
      { type: "opaque", wire: "gemini", data: { text: "", thoughtSignature: "SIGE" } },
    ]);
    expect(argsText(parts, 0)).toBe('{"path":"a.ts"}');
    expect(last).toMatchObject({ type: "finish", reason: "toolUse", rawReason: "STOP" });
  });

  it("rule 9: code, its results, server responses, files and unknown parts are kept whole, in their place", () => {
    const { message } = drive(wire, fixture("gemini-other-parts"));
    expect(message.content.map((block) => (block.type === "opaque" ? block.data : block.type))).toEqual([
      "text",
      { executableCode: { language: "PYTHON", code: "print(1)" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
      { functionResponse: { name: "srv", response: { x: 1 } } },
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      { hologram: { beam: [1] } },
      "text",
    ]);
  });

  it("made-up ids are the same for the same answer, and others for another answer that has no id", () => {
    const nameless = (text: string) => [
      { ...answer([{ text }, { functionCall: { name: "ls" } }]), responseId: undefined },
      ends(),
    ];
    const id = (text: string) => drive(wire, events(...nameless(text))).message.content[1];
    expect(id("a")).toEqual(id("a"));
    expect(id("a")).not.toEqual(id("b"));
    expect(id("a")).toMatchObject({ id: expect.stringMatching(/^call_[0-9a-f]{8}_0$/) });
  });

  it("F14: a call with an id that comes twice is one call", () => {
    const twice = call({ id: "g1", name: "bash", args: { command: "ls" } });
    expect(drive(wire, events(twice, twice, ends())).message.content).toHaveLength(1);
  });

  it("rule 8: only candidate 0, wherever it stands", () => {
    const mixed = {
      candidates: [
        { index: 1, content: { parts: [{ text: "other" }] }, finishReason: "MAX_TOKENS" },
        { index: 0, content: { parts: [{ text: "mine" }] }, finishReason: "STOP" },
      ],
    };
    const only1 = { candidates: [{ index: 1, content: { parts: [{ text: "other" }] } }] };
    const { message, last } = drive(wire, events(only1, mixed, only1));
    expect(message.content).toMatchObject([{ text: "mine" }]);
    expect(last).toMatchObject({ rawReason: "STOP" });
  });
});

describe("signatures", () => {
  const content = (...parts: object[]) => drive(wire, events(answer(parts), ends())).message.content;

  it("on a text part", () => {
    expect(content({ text: "a", thoughtSignature: "S" })).toEqual([
      { type: "text", text: "a", replay: { thoughtSignature: "S" } },
    ]);
  });
  it("on an empty-text part with no block open is kept by itself", () => {
    expect(content({ text: "", thoughtSignature: "S" })).toEqual([
      { type: "opaque", wire: "gemini", data: { text: "", thoughtSignature: "S" } },
    ]);
    expect(content({ text: "hm", thought: true }, { text: "", thoughtSignature: "S" })).toEqual([
      { type: "thinking", thinking: "hm" },
      { type: "opaque", wire: "gemini", data: { text: "", thoughtSignature: "S" } },
    ]);
  });
  it("on a thought without words", () => {
    expect(content({ text: "", thought: true, thoughtSignature: "S" })).toEqual([
      { type: "thinking", thinking: "", signature: "S" },
    ]);
  });
  it("on a part with nothing else", () => {
    expect(content({ thoughtSignature: "S" })).toEqual([
      { type: "opaque", wire: "gemini", data: { thoughtSignature: "S" } },
    ]);
  });
  it("a second one in the same text does not replace the first", () => {
    expect(content({ text: "a", thoughtSignature: "S1" }, { text: "b", thoughtSignature: "S2" })).toMatchObject([
      { text: "a", replay: { thoughtSignature: "S1" } },
      { text: "b", replay: { thoughtSignature: "S2" } },
    ]);
  });
  it("empty text without one leaves nothing", () => {
    expect(content({ text: "" })).toEqual([]);
  });
  it("reasoning after text began is kept", () => {
    expect(content({ text: "a" }, { text: "hm", thought: true }, { text: "b" })).toMatchObject([
      { text: "a" },
      { thinking: "hm" },
      { text: "b" },
    ]);
  });
});

describe("arguments by path, written as they come", () => {
  const piece = (...partialArgs: object[]) => call({ partialArgs, willContinue: true });
  const grown = (payloads: object[], more: object[] = [call({}), ends()]) => {
    const driven = drive(wire, events(call({ name: "edit", willContinue: true }), ...payloads, ...more));
    return { ...driven, text: argsText(driven.parts, 0), block: driven.message.content[0] };
  };

  it("nested objects, lists, escapes, other alphabets, every scalar; the signature stays with the call", () => {
    const { parts, message } = drive(wire, fixture("gemini-partial-args"));
    const args = {
      path: "a.ts",
      edits: [
        { old: 'a "q"\nb\\', new: "秋😀", all: true },
        { old: "x", new: null },
      ],
      n: 1.5,
    };
    expect(JSON.parse(argsText(parts, 0))).toEqual(args);
    expect(message.content).toEqual([
      { type: "toolCall", id: "call_rid1_0", name: "edit", arguments: args, replay: { thoughtSignature: "SIGP" } },
      { type: "toolCall", id: "call_rid1_1", name: "ls", arguments: {} },
    ]);
  });

  it("a string can be watched while it grows", () => {
    const decoder = wire.createDecoder(targetOf(wire));
    const push = (payload: object) =>
      events(payload)
        .flatMap((event) => decoder.push(event))
        .flatMap((part) => (part.type === "args_delta" ? [part.text] : []))
        .join("");
    expect(push(call({ name: "write", willContinue: true }))).toBe("{");
    expect(push(piece({ jsonPath: "$.content", stringValue: "ev", willContinue: true }))).toBe('"content":"ev');
    expect(push(piece({ jsonPath: "$.content", stringValue: 'al("', willContinue: true }))).toBe('al(\\"');
    expect(push(piece({ jsonPath: "$.content", stringValue: "" }))).toBe('"');
    expect(push(call({}))).toBe("}");
  });

  it("half a character at the end of a piece meets its other half", () => {
    const { block } = grown([
      piece({ jsonPath: "$.a", stringValue: "x\ud83d", willContinue: true }),
      piece({ jsonPath: "$.a", stringValue: "\ude00y" }),
    ]);
    expect(block).toMatchObject({ arguments: { a: "x😀y" } });
  });

  it("keys in brackets, keys with dots and quotes, the empty string, false and zero", () => {
    const { text } = grown([
      piece(
        { jsonPath: "$['a.b']", stringValue: "" },
        { jsonPath: '$["c\\"d"]', boolValue: false },
        { jsonPath: "$.e[0][0]", numberValue: 0 },
        { jsonPath: "$.e[0][1]", stringValue: "z" },
      ),
    ]);
    expect(JSON.parse(text)).toEqual({ "a.b": "", 'c"d': false, e: [[0, "z"]] });
  });

  it("a next path ends a string that was said to go on", () => {
    const { text } = grown([
      piece({ jsonPath: "$.a", stringValue: "1", willContinue: true }),
      piece({ jsonPath: "$.b", stringValue: "2" }),
    ]);
    expect(JSON.parse(text)).toEqual({ a: "1", b: "2" });
  });

  it("all in one part, and whole arguments at the end of an announced call", () => {
    const one = drive(
      wire,
      events(call({ name: "ls", partialArgs: [{ jsonPath: "$.path", stringValue: "src" }] }), ends()),
    );
    expect(one.message.content).toMatchObject([{ arguments: { path: "src" } }]);
    expect(grown([], [call({ args: { a: 1 } }), ends()]).block).toMatchObject({ arguments: { a: 1 } });
  });

  it("a server that repeats the name and the id with each piece writes one call", () => {
    const repeated = (more: object) => call({ id: "g", name: "ls", ...more });
    const { message } = drive(
      wire,
      events(
        answer([{ functionCall: { id: "g", name: "ls", willContinue: true }, thoughtSignature: "S" }]),
        repeated({ partialArgs: [{ jsonPath: "$.path", stringValue: "s", willContinue: true }], willContinue: true }),
        repeated({ partialArgs: [{ jsonPath: "$.path", stringValue: "rc" }] }),
        ends(),
      ),
    );
    expect(message.content).toEqual([
      { type: "toolCall", id: "g", name: "ls", arguments: { path: "src" }, replay: { id: "g", thoughtSignature: "S" } },
    ]);
  });

  it.each<[string, object[]]>([
    [
      "a path that was closed",
      [
        { jsonPath: "$.a.x", stringValue: "1" },
        { jsonPath: "$.b", stringValue: "2" },
        { jsonPath: "$.a.y", stringValue: "3" },
      ],
    ],
    [
      "a value that turns out to be an object",
      [
        { jsonPath: "$.a", stringValue: "1" },
        { jsonPath: "$.a.b", stringValue: "2" },
      ],
    ],
    [
      "an object that turns out to be a list",
      [
        { jsonPath: "$.a.b", stringValue: "1" },
        { jsonPath: "$.a[0]", stringValue: "2" },
      ],
    ],
    [
      "a value that was finished",
      [
        { jsonPath: "$.a", stringValue: "1" },
        { jsonPath: "$.a", stringValue: "2" },
      ],
    ],
    ["a list with a gap", [{ jsonPath: "$.a[1]", stringValue: "1" }]],
    ["a path that names many places", [{ jsonPath: "$.a[*]", stringValue: "1" }]],
    ["no path", [{ stringValue: "1" }]],
  ])("what cannot be written truly is refused, not guessed: %s", (_, pieces) => {
    const { block } = grown([piece(...pieces), piece({ jsonPath: "$.z", stringValue: "later" })]);
    expect(block).toMatchObject({ type: "toolCall", arguments: {}, invalidArguments: expect.any(String) });
  });

  it("rule 6, F19: a call whose end never came does not parse, not even one without arguments", () => {
    const cut = grown(
      [piece({ jsonPath: "$.command", stringValue: "rm -rf /tm", willContinue: true })],
      [ends("MAX_TOKENS")],
    );
    expect(cut.last).toMatchObject({ type: "finish", reason: "length" });
    expect(cut.block).toMatchObject({ arguments: {}, invalidArguments: '{"command":"rm -rf /tm' });
    expect(grown([], [ends("MAX_TOKENS")]).block).toMatchObject({ invalidArguments: "{" });
  });
});

describe("how an answer ends", () => {
  const text = answer([{ text: "half" }]);

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "refusal"],
    ["RECITATION", "refusal"],
    ["PROHIBITED_CONTENT", "refusal"],
    ["SPII", "refusal"],
    ["LANGUAGE", "refusal"],
    ["IMAGE_SAFETY", "refusal"],
  ])("%s: %s", (raw, reason) => {
    expect(drive(wire, events(text, ends(raw))).last).toMatchObject({ type: "finish", reason, rawReason: raw });
  });

  it("F17: a blocked prompt is a refusal", () => {
    const blocked = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 5 } };
    expect(drive(wire, events(blocked)).last).toMatchObject({
      type: "finish",
      reason: "refusal",
      rawReason: "PROHIBITED_CONTENT",
      usage: { input: 5 },
    });
  });

  it.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])("%s is an error that may be tried again", (raw) => {
    const { last } = drive(wire, events(text, ends(raw)));
    expect(last).toMatchObject({ type: "error", error: { code: "incomplete", retryable: true, raw } });
  });

  it.each(["OTHER", "NEW_THING"])("F18: %s is an error that names it, and is not tried again", (raw) => {
    const { last } = drive(wire, events(text, ends(raw)));
    expect(last).toMatchObject({
      type: "error",
      error: { retryable: false, raw, message: expect.stringContaining(raw) },
    });
  });

  it("a reason in every event, and parts after it, belong to one answer", () => {
    const each = (words: string) => answer([{ text: words }], { finishReason: "STOP" });
    const { message, last } = drive(wire, events(each("a"), each("b")));
    expect(message.content).toMatchObject([{ text: "ab" }]);
    expect(last).toMatchObject({ type: "finish", reason: "stop" });
  });

  it("rule 1, F5: no reason is incomplete, wherever the stream is cut", () => {
    for (const name of [
      "gemini-thought-text-signature",
      "gemini-parallel-calls",
      "gemini-partial-args",
      "gemini-other-parts",
    ]) {
      const whole = fixture(name);
      for (let cut = 0; cut < whole.length; cut++) {
        expect(drive(wire, whole.slice(0, cut)).last).toMatchObject({
          type: "error",
          error: { code: "incomplete", retryable: true },
        });
      }
      expect(drive(wire, whole).last.type).toBe("finish");
    }
    const unspecified = answer([{ text: "a" }], { finishReason: "FINISH_REASON_UNSPECIFIED" });
    expect(drive(wire, events(unspecified)).last).toMatchObject({ type: "error", error: { code: "incomplete" } });
  });

  it("rule 10: an error as bare JSON after the stream wins over a reason before it", () => {
    const error = { error: { code: 499, message: "The operation was cancelled.", status: "CANCELLED" } };
    const { last, message } = drive(wire, events(text, ends()), JSON.stringify(error, null, 2));
    expect(last).toMatchObject({ type: "error", error: { status: 499, code: "overloaded" } });
    expect(message.content).toMatchObject([{ text: "half" }]);
    expect(drive(wire, events(text, ends()), "\n").last.type).toBe("finish");
  });

  it.each<[string, object, object]>([
    [
      "overloaded",
      { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" },
      { code: "overloaded", status: 503 },
    ],
    [
      "limited",
      { code: 429, message: "Slow down.", status: "RESOURCE_EXHAUSTED" },
      { code: "rate-limit", status: 429 },
    ],
    [
      "too long",
      {
        code: 400,
        message: "The input token count (2) exceeds the maximum number of tokens allowed (1).",
        status: "INVALID_ARGUMENT",
      },
      { code: "context-overflow" },
    ],
  ])("rule 3: an error in the stream: %s", (_, error, expected) => {
    expect(drive(wire, events(text, { error }, ends())).last).toMatchObject({ type: "error", error: expected });
  });

  it("F11: an event that is no JSON is an error; `error: null`, [DONE] and unknown fields are none", () => {
    expect(
      drive(wire, [...events(text), { event: undefined, data: '{"candid' }, ...events(ends())]).last,
    ).toMatchObject({ error: { code: "incomplete" } });
    const { last } = drive(wire, [
      ...events({ ...text, error: null, newThing: 1 }, ends()),
      { event: undefined, data: "[DONE]" },
    ]);
    expect(last.type).toBe("finish");
  });

  it("an error as a list in the stream", () => {
    const data = '[{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}]';
    expect(drive(wire, [{ event: undefined, data }]).last).toMatchObject({
      error: { code: "overloaded", status: 503 },
    });
  });
});

describe("usage", () => {
  it("an event may leave counts out", () => {
    const { last, parts } = drive(
      wire,
      events(
        { ...answer([{ text: "a" }]), usageMetadata: { promptTokenCount: 5, thoughtsTokenCount: 2 } },
        { ...ends(), usageMetadata: { candidatesTokenCount: 3, trafficType: "ON_DEMAND" } },
      ),
    );
    expect(last).toMatchObject({ usage: { input: 5, output: 5, reasoning: 2 } });
    expect(parts.filter(({ type }) => type === "usage")).toHaveLength(2);
  });
});

describe("HTTP error bodies", () => {
  it("a wrong key is told by its detail", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];
    const error = { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details };
    expect(wire.readError(JSON.stringify({ error }))).toEqual({
      code: "API_KEY_INVALID",
      message: "API key not valid.",
    });
  });
  it.each([
    ["48s", 48_000],
    ["48.939935699s", 48_940],
    ["0s", 0],
  ])("RetryInfo: %s", (retryDelay, retryAfterMs) => {
    const details = [
      { "@type": "type.googleapis.com/google.rpc.Help" },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
    ];
    const error = { code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED", details };
    expect(wire.readError(JSON.stringify([{ error }]))).toEqual({
      code: "RESOURCE_EXHAUSTED",
      message: "Quota.",
      retryAfterMs,
    });
  });
  it("other texts", () => {
    expect(wire.readError("<html>")).toBeUndefined();
    expect(wire.readError('{"a":1}')).toBeUndefined();
    expect(wire.readError('{"error":"gone"}')).toEqual({ message: "gone" });
  });
});
