import { describe, expect, it } from "vitest";
import type { AssistantBlock, AssistantMessage, Message } from "../../../src/agent/messages.js";
import { NO_USAGE, userText } from "../../../src/agent/messages.js";
import type { ModelRequest } from "../../../src/agent/ports.js";
import { wire } from "../../../src/models/openai-chat/index.js";
import type { ModelTarget } from "../../../src/models/wire.js";
import { drive, fixture, targetOf } from "../drive.js";

const READ = { name: "read", description: "Reads.", parameters: { type: "object", properties: {} } };
const BASH = { name: "bash", description: "Runs.", parameters: { type: "object", properties: {} } };

function asked(more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "", messages: [userText("hi")], tools: [], thinking: "off", ...more };
}
function said(content: AssistantBlock[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  const { provider, model } = targetOf(wire);
  return {
    role: "assistant",
    provider,
    model,
    wire: "openai-chat",
    content,
    stopReason: "stop",
    usage: { ...NO_USAGE },
    ...more,
  };
}
const result = (toolCallId: string, text: string, image = false): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...(image ? [{ type: "image" as const, mediaType: "image/png", data: "AAAA" }] : []),
  ],
  isError: false,
});
const bodyOf = (more: Partial<ModelRequest>, target: Partial<ModelTarget> = {}) =>
  wire.buildRequest(asked(more), targetOf(wire, target)).body;
const messagesOf = (messages: Message[], target: Partial<ModelTarget> = {}) => bodyOf({ messages }, target)["messages"];
const call = (id: string, args: Record<string, unknown> = {}): AssistantBlock => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: args,
});
const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

describe("the request", () => {
  const conversation: Message[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", mediaType: "image/png", data: "AAAA" },
      ],
    },
    said([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Reading." },
      call("c1", { path: "a" }),
      call("c2"),
    ]),
    result("c1", "1: x"),
    result("c2", "", true),
    said([{ type: "text", text: "Done." }]),
    userText("thanks"),
  ];

  it("is this one, key for key", () => {
    const request = asked({ system: "Be brief.", messages: conversation, tools: [READ, BASH], conversationId: "s1" });
    const target = targetOf(wire, { apiKey: "sk-test", maxOutput: 4000, headers: { "x-own": "1" } });
    const { url, headers, body } = wire.buildRequest(request, target);
    expect(url).toBe("http://127.0.0.1:9/v1/chat/completions");
    expect(headers).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      authorization: "Bearer sk-test",
      "x-own": "1",
    });
    const wired = (id: string, args: string) => ({ id, type: "function", function: { name: "read", arguments: args } });
    expect(body).toEqual({
      model: "model-1",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 4000,
      tools: [
        { type: "function", function: BASH },
        { type: "function", function: READ },
      ],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "look" }, picture] },
        { role: "assistant", content: "Reading.", tool_calls: [wired("c1", '{"path":"a"}'), wired("c2", "{}")] },
        { role: "tool", tool_call_id: "c1", content: "1: x" },
        { role: "tool", tool_call_id: "c2", content: "(the picture follows)" },
        { role: "user", content: [picture] },
        { role: "assistant", content: "Done." },
        { role: "user", content: "thanks" },
      ],
    });
  });

  it("has the same bytes again, and a longer conversation begins with them", () => {
    const bytes = (messages: Message[], tools = [READ, BASH]) => JSON.stringify(bodyOf({ messages, tools }));
    expect(bytes(conversation)).toBe(bytes(structuredClone(conversation), [BASH, READ]));
    const short = bytes(conversation.slice(0, 4));
    expect(bytes(conversation).startsWith(short.slice(0, -2))).toBe(true);
  });

  it("without key, system, tools, limit leaves their fields out", () => {
    const { headers, body } = wire.buildRequest(asked(), targetOf(wire));
    expect(Object.keys(headers)).toEqual(["content-type", "accept"]);
    expect(Object.keys(body)).toEqual(["model", "stream", "stream_options", "messages"]);
  });

  it("an answer of calls only has null content; an empty answer and an empty result are not sent empty", () => {
    const wired = messagesOf([said([call("c1")]), result("c1", ""), said([]), userText("go")]) as object[];
    expect(wired).toMatchObject([{ content: null }, { role: "tool", content: "(no output)" }, { role: "user" }]);
  });

  it("half surrogates never leave", () => {
    expect(JSON.stringify(bodyOf({ messages: [userText("a\uD800b")] }))).toContain("a\uFFFDb");
  });

  it("ids of other vendors fit, and calls with the same id in two answers are two", () => {
    const long = `toolu|${"x".repeat(80)}`;
    const twice = [said([call(long)]), result(long, "1"), said([call(long)]), result(long, "2")];
    const wired = messagesOf(twice) as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    const ids = wired.map((message) => message.tool_calls?.[0]?.id ?? message.tool_call_id ?? "");
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(ids[0]).not.toBe(ids[2]);
    expect(ids.every((id) => /^[\w.:-]{1,64}$/.test(id))).toBe(true);
    const mistral = messagesOf([said([call("call_1-a")]), result("call_1-a", "1")], { provider: "mistral" });
    expect(JSON.stringify(mistral)).not.toContain("call_1-a");
    for (const [, id] of JSON.stringify(mistral).matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g)) {
      expect((id ?? "").length).toBeLessThanOrEqual(9);
    }
  });
});

describe("dialects", () => {
  const of = (target: Partial<ModelTarget>, thinking: ModelRequest["thinking"]) => {
    const more = { reasoning: true, maxOutput: 100, ...target };
    const {
      messages: _,
      model: __,
      stream: ___,
      stream_options: ____,
      ...rest
    } = bodyOf({ thinking, conversationId: "s1" }, more);
    return rest;
  };

  it.each([
    ["openai", {}, "high", { max_completion_tokens: 100, reasoning_effort: "high", prompt_cache_key: "s1" }],
    ["openai", {}, "off", { max_completion_tokens: 100, prompt_cache_key: "s1" }],
    ["openai", { reasoning: false }, "high", { max_completion_tokens: 100, prompt_cache_key: "s1" }],
    ["openrouter", {}, "xhigh", { max_tokens: 100, reasoning: { effort: "xhigh" } }],
    ["openrouter", { model: "openai/gpt-5" }, "off", { max_tokens: 100, reasoning: { effort: "minimal" } }],
    ["openrouter", {}, "minimal", { max_tokens: 100, reasoning: { effort: "minimal" } }],
    ["openrouter", {}, "off", { max_tokens: 100 }],
    ["deepseek", {}, "low", { max_tokens: 100, thinking: { type: "enabled" } }],
    ["zai", {}, "off", { max_tokens: 100, thinking: { type: "disabled" } }],
    ["mistral", {}, "high", { max_tokens: 100 }],
    ["own", {}, "medium", { max_tokens: 100, reasoning_effort: "medium" }],
    ["own", { baseUrl: "https://openrouter.ai/api/v1" }, "low", { max_tokens: 100, reasoning: { effort: "low" } }],
    ["own", { baseUrl: "https://notopenrouter.ai/v1" }, "low", { max_tokens: 100, reasoning_effort: "low" }],
    ["own", { reasoning: undefined }, "low", { max_tokens: 100 }],
  ] as const)("%s %j, thinking %s", (provider, target, thinking, wanted) => {
    expect(of({ provider, ...target } as Partial<ModelTarget>, thinking)).toEqual(wanted);
  });

  it("OpenAI's reasoning models are told by the developer", () => {
    const role = (model: string, provider = "openai") =>
      (bodyOf({ system: "s" }, { provider, model })["messages"] as { role: string }[])[0]?.role;
    expect(role("gpt-5")).toBe("developer");
    expect(role("o3-mini")).toBe("developer");
    expect(role("gpt-4o")).toBe("system");
    expect(role("gpt-5", "own")).toBe("system");
  });
});

describe("what goes back of thinking", () => {
  const back = (message: AssistantMessage, target: Partial<ModelTarget> = {}) =>
    (messagesOf([message], target) as object[])[0];
  const thought = said([{ type: "thinking", thinking: "Hm." }, call("c1")], { provider: "deepseek" });

  it("reasoning_content, where the vendor wants it and the model is the same", () => {
    expect(back(thought, { provider: "deepseek" })).toHaveProperty("reasoning_content", "Hm.");
    expect(back(thought, { provider: "deepseek", model: "other" })).not.toHaveProperty("reasoning_content");
    expect(back(thought, { provider: "zai" })).not.toHaveProperty("reasoning_content");
    expect(back(said([{ type: "thinking", thinking: "Hm." }, call("c1")]))).not.toHaveProperty("reasoning_content");
  });

  it("reasoning_details as they came, to the same provider and model only", () => {
    const { message } = drive(wire, fixture("chat-reasoning-details"));
    const details = [{ type: "reasoning.text", text: "Hm.", format: "f1", index: 0, signature: "SIG" }];
    expect(back(message)).toEqual({ role: "assistant", content: "Yes. Sure.", reasoning_details: details });
    const bare = { role: "assistant", content: "Yes. Sure." };
    expect(back(message, { model: "other" })).toEqual(bare);
    expect(back(message, { provider: "other" })).toEqual(bare);
    expect(back({ ...message, wire: "openai-responses" })).toEqual(bare);
  });

  it("blocks of other wires never go back", () => {
    const foreign: AssistantBlock = { type: "opaque", wire: "gemini", data: { secret: 1 } };
    expect(back(said([foreign, { type: "text", text: "a" }]))).toEqual({ role: "assistant", content: "a" });
  });
});
