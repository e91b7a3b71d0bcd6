/** What single servers do otherwise than the rest, each as reported of them. */
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import type { AssistantMessage, Message } from "../../../src/agent/messages.js";
import { NO_USAGE, userText } from "../../../src/agent/messages.js";
import { wire } from "../../../src/models/openai-chat/index.js";
import type { ModelTarget } from "../../../src/models/wire.js";
import { argsText, drive, events, targetOf } from "../drive.js";

const chunk = (tool_calls: object[], finish_reason: string | null = null) => ({
  id: "c1",
  choices: [{ index: 0, delta: { tool_calls }, finish_reason }],
});
const call = (id: string | undefined, index: number | undefined, name: string | undefined, args: string) => ({
  ...(id === undefined ? {} : { id }),
  ...(index === undefined ? {} : { index }),
  type: "function",
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});
const END = chunk([], "tool_calls");
const callsOf = (...payloads: object[]) => drive(wire, events(...payloads, END)).message.content;

describe("F14 a finish told twice", () => {
  const whole = call("x", 0, "read", '{"path":"a"}');

  it("with its calls once more is one call, with its arguments once", () => {
    const { parts, message } = drive(
      wire,
      events(chunk([whole]), chunk([whole], "tool_calls"), chunk([whole], "tool_calls")),
    );
    expect(message.content).toEqual([{ type: "toolCall", id: "x", name: "read", arguments: { path: "a" } }]);
    expect(argsText(parts, 0)).toBe('{"path":"a"}');
    expect(parts.filter(({ type }) => type === "finish")).toHaveLength(1);
  });

  it("after a streamed call too", () => {
    const pieces = [call("x", 0, "read", '{"path"'), call(undefined, 0, undefined, ':"a"}')];
    expect(callsOf(...pieces.map((piece) => chunk([piece])), chunk([whole]))).toMatchObject([
      { arguments: { path: "a" } },
    ]);
  });
});

describe("F15 calls that are hard to tell apart", () => {
  const two = [
    { name: "read", arguments: { path: "a" } },
    { name: "read", arguments: { path: "b" } },
  ];

  it("the same id under two indexes is two calls with an id each", () => {
    const content = callsOf(
      chunk([call("x", 0, "read", '{"path":"a"}'), call("x", 1, "read", "")]),
      chunk([call(undefined, 1, undefined, '{"path":"b"}')]),
    );
    expect(content).toMatchObject(two);
    expect(content.map((block) => (block.type === "toolCall" ? block.id : ""))).toEqual(["x", "x_"]);
  });

  it("no ids, and index 0 for both", () => {
    expect(
      callsOf(chunk([call(undefined, 0, "read", '{"path":"a"}')]), chunk([call(undefined, 0, "read", '{"path":"b"}')])),
    ).toMatchObject(two);
  });

  it.each([[0], [undefined]])("another id for every piece of one call, index %s", (index) => {
    const content = callsOf(
      chunk([call("r1", index, "read", '{"pa')]),
      chunk([call("r2", index, undefined, 'th":')]),
      chunk([call("r3", index, undefined, '"a"}')]),
    );
    expect(content).toEqual([{ type: "toolCall", id: "r1", name: "read", arguments: { path: "a" } }]);
  });

  it("the name on every piece", () => {
    const pieces = ['{"path"', ':"a', '"}'].map((args) => chunk([call(undefined, 0, "read", args)]));
    expect(callsOf(...pieces)).toMatchObject([{ arguments: { path: "a" } }]);
  });
});

const said = (content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  provider: "vendor",
  model: "model-1",
  wire: "openai-chat",
  content,
  stopReason: "stop",
  usage: { ...NO_USAGE },
});
const result = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "1: x" }],
  isError: false,
});
const CALL = { type: "toolCall", id: "call_abc", name: "read", arguments: { path: "a" } } as const;
const conversation: Message[] = [userText("hi"), said([CALL]), result("call_abc"), userText("stop"), userText("rule")];
const bodyOf = (target: Partial<ModelTarget>, messages: Message[] = conversation) =>
  wire.buildRequest({ system: "s", messages, tools: [], thinking: "off" }, targetOf(wire, target)).body;
const rolesOf = (target: Partial<ModelTarget>) =>
  (bodyOf(target)["messages"] as { role: string }[]).map(({ role }) => role);

describe("servers and models that want the roles in turn", () => {
  const turns = ["system", "user", "assistant", "tool", "assistant", "user"];

  it.each([
    { provider: "mistral", model: "mistral-medium-3.5" },
    { provider: "own", baseUrl: "https://api.mistral.ai/v1", model: "labs-1" },
    { provider: "openrouter", model: "mistralai/devstral-small" },
    { provider: "ollama", model: "gemma4:27b" },
  ])("$provider $model", (target) => {
    expect(rolesOf(target)).toEqual(turns);
    expect((bodyOf(target)["messages"] as object[]).at(-1)).toEqual({
      role: "user",
      content: [
        { type: "text", text: "stop" },
        { type: "text", text: "rule" },
      ],
    });
  });

  it("others get the conversation as it is", () => {
    expect(rolesOf({ provider: "openrouter", model: "z-ai/glm-5" })).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "user",
      "user",
    ]);
  });

  it("ids have nine letters or digits, stay the same, and differ where the same id comes again", () => {
    const twice = [
      ...conversation,
      said([CALL]),
      result("call_abc"),
      said([{ ...CALL, id: "Ab3dEf9hI" }]),
      result("Ab3dEf9hI"),
    ];
    const text = JSON.stringify(bodyOf({ provider: "mistral" }, twice));
    expect(text).toBe(JSON.stringify(bodyOf({ provider: "mistral" }, structuredClone(twice))));
    const ids = [...text.matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g)].map(([, id]) => id);
    expect(ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id ?? ""))).toBe(true);
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2], "Ab3dEf9hI", "Ab3dEf9hI"]);
    expect(new Set(ids)).toHaveLength(3);
  });

  it("Mistral refuses to be asked for usage, which it tells anyway", () => {
    expect(bodyOf({ provider: "mistral" })).not.toHaveProperty("stream_options");
    expect(bodyOf({ provider: "openrouter", model: "mistralai/devstral-small" })).toHaveProperty("stream_options");
  });
});

describe("how hard a model is asked to think", () => {
  const effort = (target: Partial<ModelTarget>, thinking: "off" | "minimal" | "high" | "xhigh") =>
    wire.buildRequest(
      { system: "", messages: [userText("hi")], tools: [], thinking },
      targetOf(wire, { reasoning: true, ...target }),
    ).body["reasoning_effort"];

  it("in the words that OpenAI's families take", () => {
    const at = (model: string) => ({ provider: "openai", model });
    expect(effort(at("gpt-5"), "off")).toBe("minimal");
    expect(effort(at("gpt-5.2"), "off")).toBe("none");
    expect(effort(at("gpt-5.2"), "xhigh")).toBe("xhigh");
    expect(effort(at("o3"), "minimal")).toBe("low");
  });

  it("in low, medium and high elsewhere, and not at all where thinking is off", () => {
    const own = { provider: "own", model: "m" };
    expect(effort(own, "minimal")).toBe("low");
    expect(effort(own, "xhigh")).toBe("high");
    expect(effort(own, "off")).toBeUndefined();
    expect(effort({ provider: "groq", model: "openai/gpt-oss-120b" }, "off")).toBe("low");
  });
});

it("the whole body is one that OpenAI's own client would send", () => {
  const body = wire.buildRequest(
    {
      system: "s",
      messages: conversation,
      tools: [{ name: "read", description: "Reads.", parameters: { type: "object" } }],
      thinking: "high",
      conversationId: "k",
    },
    targetOf(wire, { provider: "openai", model: "gpt-5", reasoning: true, maxOutput: 9 }),
  ).body;
  const wanted = {
    model: "gpt-5",
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 9,
    reasoning_effort: "high",
    prompt_cache_key: "k",
    tools: [{ type: "function", function: { name: "read", description: "Reads.", parameters: { type: "object" } } }],
    messages: [
      { role: "developer", content: "s" },
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_abc", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      { role: "tool", tool_call_id: "call_abc", content: "1: x" },
      { role: "user", content: "stop" },
      { role: "user", content: "rule" },
    ],
  } satisfies ChatCompletionCreateParamsStreaming;
  expect(body).toEqual(wanted);
});
