import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../../src/agent/ports.js";
import { wire } from "../../../src/models/openai-responses/index.js";
import { argsText, drive, events, fixture } from "../drive.js";

const created = { type: "response.created", response: { id: "resp_1", model: "m" } };
const completed = (more: object = {}) => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", output: [], ...more },
});
const added = (output_index: number, item: object) => ({ type: "response.output_item.added", output_index, item });
const done = (output_index: number, item: object) => ({ type: "response.output_item.done", output_index, item });
const call = (more: object = {}) => ({ type: "function_call", id: "fc_1", call_id: "call_1", name: "bash", ...more });
const argsDelta = (output_index: number, delta: string) => ({
  type: "response.function_call_arguments.delta",
  output_index,
  delta,
});

describe("what a whole answer becomes", () => {
  it("reasoning, message and call, with ids, phase and encrypted reasoning to send back", () => {
    const { parts, message, last } = drive(wire, fixture("responses-reasoning-message-call"));
    expect(message.responseId).toBe("resp_1");
    expect(message.content).toEqual([
      {
        type: "thinking",
        thinking: "**Looking****Writing**",
        signature: "ENC1",
        replay: { id: "rs_1", summary: ["**Looking**", "**Writing**"] },
      },
      { type: "text", text: "I read it.", replay: { id: "msg_1", phase: "commentary" } },
      { type: "toolCall", id: "call_a", name: "read", arguments: { path: "a.ts" }, replay: { id: "fc_1" } },
    ]);
    expect(argsText(parts, 2)).toBe('{"path":"a.ts"}');
    expect(parts.filter(({ type }) => type === "args_delta")).toHaveLength(3);
    const usage = { input: 60, output: 30, cacheRead: 40, cacheWrite: 0, reasoning: 12 };
    expect(last).toEqual({ type: "finish", reason: "toolUse", rawReason: "completed", usage });
    expect(parts).toContainEqual({ type: "usage", usage });
    expect(parts.map(({ type }) => type).filter((type) => type === "block_end")).toHaveLength(3);
  });

  it("server tools, undeclared client tools and unknown items are kept whole, in their place, and are no calls", () => {
    const { message, last } = drive(wire, fixture("responses-server-tools"));
    expect(message.content.map((block) => (block.type === "opaque" ? block.data : block.type))).toEqual([
      { type: "mcp_list_tools", id: "mcpl_1", server_label: "s", tools: [] },
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } },
      { type: "mcp_call", id: "mcp_1", name: "lookup", server_label: "s", arguments: '{"q":1}', output: "found" },
      {
        type: "apply_patch_call",
        id: "apc_1",
        call_id: "call_p",
        status: "completed",
        operation: { type: "create_file", path: "x", diff: "+x" },
      },
      {
        type: "local_shell_call",
        id: "lsh_1",
        call_id: "call_s",
        status: "completed",
        action: { type: "exec", command: ["ls"], env: {} },
      },
      { type: "hologram_call", id: "h_1", beam: [1, 2, { x: null }] },
      "text",
    ]);
    expect(last).toMatchObject({ type: "finish", reason: "stop" });
  });

  it("rule 11: items whose id changes in every event, two of them at once, are known by their output index", () => {
    const { message } = drive(wire, fixture("responses-changing-ids"));
    expect(message.content).toEqual([
      { type: "thinking", thinking: "Think hard.", signature: "ENC2", replay: { id: "rs_ddd", summary: [] } },
      { type: "text", text: "Answer", replay: { id: "msg_ddd" } },
    ]);
  });

  it("rule 4: a refusal is no text; it is told, kept, and ends the answer as one", () => {
    const { parts, message, last } = drive(wire, fixture("responses-refusal"));
    expect(parts.some(({ type }) => type === "text_start")).toBe(false);
    expect(message.content).toEqual([
      {
        type: "opaque",
        wire: "openai-responses",
        data: {
          type: "message",
          id: "msg_r",
          role: "assistant",
          content: [{ type: "refusal", refusal: "I cannot help." }],
          status: "completed",
        },
      },
    ]);
    expect(parts).toContainEqual({ type: "warning", message: "The model refused: I cannot help." });
    expect(last).toMatchObject({ type: "finish", reason: "refusal", rawReason: "completed" });
  });

  it("a refusal that is never finished is one all the same", () => {
    const refusal = { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "No." };
    const { last, message } = drive(
      wire,
      events(created, added(0, { type: "message", id: "m" }), refusal, completed()),
    );
    expect(last).toMatchObject({ type: "finish", reason: "refusal" });
    expect(message.content).toHaveLength(1);
  });
});

describe("arguments: the joined deltas are the whole text", () => {
  const whole = '{"command":"ls"}';
  const argsDone = { type: "response.function_call_arguments.done", output_index: 0, arguments: whole };
  const shapes: Record<string, object[]> = {
    "pieces, then the whole": [
      added(0, call()),
      argsDelta(0, '{"comm'),
      argsDelta(0, 'and":"ls"}'),
      argsDone,
      done(0, call({ arguments: whole })),
    ],
    "only .done": [added(0, call({ arguments: "" })), argsDone, done(0, call({ arguments: whole }))],
    "only the finished item": [added(0, call()), done(0, call({ arguments: whole }))],
    "half in pieces, the rest in the finished item": [
      added(0, call()),
      argsDelta(0, '{"comm'),
      done(0, call({ arguments: whole })),
    ],
    "already when announced": [added(0, call({ arguments: whole })), done(0, call({ arguments: whole }))],
    "never announced": [done(0, call({ arguments: whole }))],
    "announced twice": [
      added(0, call()),
      argsDelta(0, '{"comm'),
      added(0, call()),
      argsDelta(0, 'and":"ls"}'),
      done(0, call({ arguments: whole })),
    ],
    "finished twice": [
      added(0, call()),
      argsDone,
      done(0, call({ arguments: whole })),
      done(0, call({ arguments: whole })),
    ],
    "never finished": [added(0, call()), argsDelta(0, whole)],
    "as an object": [added(0, call()), done(0, call({ arguments: { command: "ls" } }))],
    "the name comes late": [
      added(0, call({ name: undefined })),
      argsDelta(0, '{"comm'),
      done(0, call({ arguments: whole })),
    ],
    "pieces without output_index": [
      added(0, call()),
      { ...argsDelta(0, whole), output_index: undefined },
      done(0, call({ arguments: whole })),
    ],
  };
  for (const [shape, payloads] of Object.entries(shapes)) {
    it(shape, () => {
      const { parts, message, last } = drive(wire, events(created, ...payloads, completed()));
      expect(argsText(parts, 0)).toBe(whole);
      expect(message.content).toMatchObject([
        { type: "toolCall", id: "call_1", name: "bash", arguments: { command: "ls" } },
      ]);
      expect(last).toMatchObject({ type: "finish", reason: "toolUse" });
    });
  }

  it("nothing at all told, or only in the final object", () => {
    const empty = drive(wire, events(created, added(0, call()), done(0, call({ arguments: "" })), completed()));
    expect(empty.message.content).toMatchObject([{ arguments: {} }]);
    const late = drive(wire, events(created, completed({ output: [call({ arguments: whole })] })));
    expect(late.message.content).toMatchObject([{ type: "toolCall", arguments: { command: "ls" } }]);
  });

  it("an item without an end is finished by the final object; one that stands there under another index is not told twice", () => {
    const rs = { type: "reasoning", id: "rs_1", summary: [] };
    const output = [{ ...rs, encrypted_content: "ENC" }, call({ arguments: whole })];
    const ended = drive(wire, events(created, added(0, rs), added(1, call()), completed({ output })));
    expect(ended.message.content).toMatchObject([
      { type: "toolCall", arguments: { command: "ls" }, replay: { id: "fc_1" } },
      { type: "thinking", signature: "ENC", replay: { id: "rs_1" } },
    ]);
    const moved = drive(
      wire,
      events(created, added(4, call()), done(4, call({ arguments: whole })), completed({ output })),
    );
    expect(moved.message.content.filter(({ type }) => type === "toolCall")).toHaveLength(1);
  });

  it("what the watcher saw counts where the provider tells it twice and differently", () => {
    const { parts, message } = drive(
      wire,
      events(
        created,
        added(0, call()),
        argsDelta(0, '{"command":"ls"'),
        done(0, call({ arguments: '{"command":"rm"}' })),
        completed(),
      ),
    );
    expect(argsText(parts, 0)).toBe('{"command":"ls"');
    expect(message.content).toMatchObject([{ invalidArguments: '{"command":"ls"' }]);
    expect(parts.filter(({ type }) => type === "warning")).toHaveLength(1);
  });

  it("F15: a new id under an old index is a new call", () => {
    const second = call({ id: "fc_2", call_id: "call_2" });
    const { message, parts } = drive(
      wire,
      events(
        created,
        added(0, call()),
        argsDelta(0, '{"a":1}'),
        added(0, second),
        argsDelta(0, '{"b":2}'),
        completed(),
      ),
    );
    expect(message.content).toMatchObject([
      { id: "call_1", arguments: { a: 1 } },
      { id: "call_2", arguments: { b: 2 } },
    ]);
    const ended = parts.findIndex((part) => part.type === "block_end" && part.index === 0);
    expect(ended).toBeGreaterThan(0);
    expect(ended).toBeLessThan(parts.findIndex((part) => part.type === "call_start" && part.index === 1));
  });

  it("F15: calls written at once do not mix", () => {
    const second = call({ id: "fc_2", call_id: "call_2" });
    const { message } = drive(
      wire,
      events(
        created,
        added(0, call()),
        added(1, second),
        argsDelta(1, '{"b"'),
        argsDelta(0, '{"a":1}'),
        argsDelta(1, ":2}"),
        completed(),
      ),
    );
    expect(message.content).toMatchObject([{ arguments: { a: 1 } }, { arguments: { b: 2 } }]);
  });

  it("a custom tool's free text is no JSON of ours: streamed, kept to send back, never to be run", () => {
    const custom = { type: "custom_tool_call", id: "ctc_1", call_id: "call_c", name: "shell" };
    const piece = { type: "response.custom_tool_call_input.delta", output_index: 0, delta: "ls " };
    const { parts, message } = drive(
      wire,
      events(created, added(0, custom), piece, done(0, { ...custom, input: "ls -a" }), completed()),
    );
    expect(argsText(parts, 0)).toBe("ls -a");
    expect(message.content).toEqual([
      {
        type: "toolCall",
        id: "call_c",
        name: "shell",
        arguments: {},
        invalidArguments: "ls -a",
        replay: { id: "ctc_1", custom: "ls -a" },
      },
    ]);
  });
});

describe("reasoning", () => {
  const reasoning = (more: object = {}) => ({ type: "reasoning", id: "rs", summary: [], ...more });

  it("encrypted without a word shown stands before the call that follows from it", () => {
    const { message } = drive(
      wire,
      events(
        created,
        added(0, reasoning({ encrypted_content: "E0" })),
        added(1, call()),
        done(1, call({ arguments: "{}" })),
        done(0, reasoning({ encrypted_content: "E1" })),
        completed(),
      ),
    );
    expect(message.content).toMatchObject([{ type: "thinking", thinking: "", signature: "E1" }, { type: "toolCall" }]);
  });

  it("with neither words nor encrypted content leaves nothing", () => {
    expect(
      drive(wire, events(created, added(0, reasoning()), done(0, reasoning()), completed())).message.content,
    ).toEqual([]);
  });

  it("that comes only with the finished item is not lost, and not told twice where the numbers differ", () => {
    const words = [{ type: "summary_text", text: "Hm." }];
    const late = drive(
      wire,
      events(created, added(0, reasoning()), done(0, reasoning({ summary: words })), completed()),
    );
    expect(late.message.content).toMatchObject([{ thinking: "Hm." }]);
    const delta = { type: "response.reasoning_text.delta", output_index: 0, content_index: 3, delta: "Hm." };
    const once = drive(
      wire,
      events(created, added(0, reasoning()), delta, done(0, reasoning({ summary: words })), completed()),
    );
    expect(once.message.content).toMatchObject([{ thinking: "Hm." }]);
  });

  it("after text began is kept", () => {
    const delta = { type: "response.reasoning_summary_text.delta", output_index: 1, summary_index: 0, delta: "Later." };
    const text = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "First." };
    const { message } = drive(
      wire,
      events(created, added(0, { type: "message", id: "m" }), text, added(1, reasoning()), delta, completed()),
    );
    expect(message.content).toMatchObject([{ text: "First." }, { thinking: "Later." }]);
  });
});

describe("how an answer ends", () => {
  const incomplete = (reason?: string) => ({
    type: "response.incomplete",
    response: { status: "incomplete", output: [], ...(reason ? { incomplete_details: { reason } } : {}) },
  });
  it.each([
    ["max_output_tokens", "length"],
    ["content_filter", "refusal"],
  ])("incomplete, %s: %s", (raw, reason) => {
    expect(drive(wire, events(created, incomplete(raw))).last).toMatchObject({
      type: "finish",
      reason,
      rawReason: raw,
    });
  });

  it("F19: a call cut by the output limit does not parse", () => {
    const { message, last } = drive(
      wire,
      events(created, added(0, call()), argsDelta(0, '{"command":"rm -rf /tm'), incomplete("max_output_tokens")),
    );
    expect(last).toMatchObject({ reason: "length" });
    expect(message.content).toMatchObject([{ invalidArguments: '{"command":"rm -rf /tm' }]);
  });

  it("F18: an unknown reason is an error that names it, and is not tried again", () => {
    const { last } = drive(wire, events(created, incomplete("new_thing")));
    expect(last).toMatchObject({ type: "error", error: { retryable: false } });
    expect((last as Extract<StreamPart, { type: "error" }>).error.message).toContain("new_thing");
  });

  it("rule 1, F5: no terminal event is incomplete, wherever the stream is cut", () => {
    const whole = fixture("responses-reasoning-message-call");
    for (let cut = 0; cut < whole.length; cut++) {
      expect(drive(wire, whole.slice(0, cut)).last).toMatchObject({
        type: "error",
        error: { code: "incomplete", retryable: true },
      });
    }
  });

  it("F11: an event that is no JSON is an error, and nothing after it counts", () => {
    const { last, message } = drive(wire, [
      ...events(created, added(0, call())),
      { event: undefined, data: '{"type":"resp' },
      ...events(completed()),
    ]);
    expect(last).toMatchObject({ type: "error", error: { code: "incomplete" } });
    expect(message.stopReason).toBe("error");
  });

  it.each<[string, object, object]>([
    [
      "the documented event",
      { type: "error", code: "rate_limit_exceeded", message: "slow down", param: null },
      { code: "rate-limit" },
    ],
    [
      "the event as it is sent",
      { type: "error", error: { type: "insufficient_quota", code: "insufficient_quota", message: "quota" } },
      { code: "billing", retryable: false },
    ],
    [
      "a failed response",
      { type: "response.failed", response: { error: { code: "server_error", message: "oops" } } },
      { code: "overloaded", retryable: true },
    ],
    [
      "a failed response that says nothing",
      { type: "response.failed", response: { error: null } },
      { code: "overloaded" },
    ],
    [
      "too long",
      {
        type: "response.failed",
        response: {
          error: { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." },
        },
      },
      { code: "context-overflow" },
    ],
    [
      "a refused prompt",
      { type: "response.failed", response: { error: { code: "invalid_prompt", message: "flagged" } } },
      { code: "refused" },
    ],
    ["a gateway's own", { error: { code: 502, message: "upstream died" } }, { code: "overloaded", status: 502 }],
  ])("error in the stream: %s", (_, failure, error) => {
    const text = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "half" };
    const { last, message } = drive(
      wire,
      events(created, added(0, { type: "message", id: "m" }), text, failure, completed()),
    );
    expect(last).toMatchObject({ type: "error", error });
    expect(message.content).toMatchObject([{ text: "half" }]);
  });

  it("rule 10: an error as bare JSON after the stream", () => {
    const { last } = drive(wire, events(created), '{"error":{"code":"server_error","message":"gone"}}');
    expect(last).toMatchObject({ type: "error", error: { code: "overloaded" } });
    expect(drive(wire, events(created), "upstream closed").last).toMatchObject({ error: { code: "incomplete" } });
  });

  it("a second terminal event, [DONE], pings, unknown events and `error: null` change nothing", () => {
    const noise = events(
      { type: "ping" },
      { type: "response.new_thing.delta", output_index: 0, delta: "x" },
      { type: "keepalive", error: null },
    );
    const { parts, last } = drive(wire, [
      ...noise,
      ...events(created),
      ...noise,
      ...events(completed(), completed()),
      { event: undefined, data: "[DONE]" },
    ]);
    expect(last).toMatchObject({ type: "finish", reason: "stop" });
    expect(parts.map(({ type }) => type)).toEqual(["start", "finish"]);
  });
});

describe("usage", () => {
  const usage = (told: object) => {
    const { last } = drive(wire, events(created, completed({ usage: told })));
    return last.type === "finish" ? last.usage : undefined;
  };
  it("rule 7: cache reads and writes are no input", () => {
    const details = { cached_tokens: 50, cache_write_tokens: 20 };
    expect(usage({ input_tokens: 100, input_tokens_details: details, output_tokens: 5 })).toEqual({
      input: 30,
      output: 5,
      cacheRead: 50,
      cacheWrite: 20,
    });
  });
  it("rule 7: reasoning beside the output is added when the total says so", () => {
    const told = { input_tokens: 10, output_tokens: 5, output_tokens_details: { reasoning_tokens: 7 } };
    expect(usage({ ...told, total_tokens: 22 })).toMatchObject({ output: 12, reasoning: 7 });
    expect(usage({ ...told, total_tokens: 15 })).toMatchObject({ output: 5, reasoning: 7 });
  });
  it("none told is none", () => {
    expect(usage({})).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
  });
});

describe("HTTP error bodies", () => {
  it.each<[string, string, object | undefined]>([
    [
      "OpenAI",
      '{"error":{"message":"No such model","type":"invalid_request_error","param":null,"code":"model_not_found"}}',
      { code: "model_not_found", message: "No such model" },
    ],
    [
      "OpenAI, no code",
      '{"error":{"message":"Bad","type":"invalid_request_error","code":null}}',
      { code: "invalid_request_error", message: "Bad" },
    ],
    [
      "rule 13: xAI",
      '{"code":"invalid-argument","error":"Incorrect API key provided."}',
      { code: "invalid-argument", message: "Incorrect API key provided." },
    ],
    ["OpenRouter", '{"error":{"message":"No credits","code":402}}', { message: "No credits" }],
    ["local servers", '{"detail":"nope"}', { message: "nope" }],
    ["no JSON", "<html>", undefined],
    ["no error", '{"a":1}', undefined],
  ])("%s", (_, body, told) => {
    expect(wire.readError(body)).toEqual(told);
  });
});
