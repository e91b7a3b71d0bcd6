import { describe, expect, it } from "vitest";
import type { AssistantBlock, AssistantMessage, Message } from "../../../src/agent/messages.js";
import { NO_USAGE, userText } from "../../../src/agent/messages.js";
import type { ModelRequest } from "../../../src/agent/ports.js";
import { wire } from "../../../src/models/anthropic-messages/index.js";
import type { ModelTarget } from "../../../src/models/wire.js";
import { drive, fixture, targetOf } from "../drive.js";

const CACHE = { cache_control: { type: "ephemeral" } };
const READ = { name: "read", description: "Reads.", parameters: { type: "object", properties: {} } };
const BASH = { name: "bash", description: "Runs.", parameters: { type: "object", properties: {} } };

function asked(more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "", messages: [userText("hi")], tools: [], thinking: "off", ...more };
}
function said(content: AssistantBlock[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  const { provider, model } = targetOf(wire);
  const own = { provider, model, wire: "anthropic-messages" as const };
  return { role: "assistant", ...own, content, stopReason: "stop", usage: { ...NO_USAGE }, ...more };
}
const result = (toolCallId: string, text: string, isError = false): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: text === "" ? [] : [{ type: "text", text }],
  isError,
});
const bodyOf = (more: Partial<ModelRequest>, target: Partial<ModelTarget> = {}) =>
  wire.buildRequest(asked(more), targetOf(wire, target)).body;
const messagesOf = (messages: Message[], target: Partial<ModelTarget> = {}) =>
  bodyOf({ messages }, target)["messages"] as { role: string; content: Record<string, unknown>[] }[];
const call = (id: string, args: Record<string, unknown> = {}): AssistantBlock => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: args,
});
const text = (words: string): AssistantBlock => ({ type: "text", text: words });

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
      { type: "thinking", thinking: "Hm.", signature: "SIG" },
      text("Reading."),
      call("c1", { path: "a" }),
      call("c2"),
    ]),
    result("c1", "1: x"),
    result("c2", "gone", true),
    userText("and now?"),
  ];

  it("is this one, key for key", () => {
    const request = asked({ system: "Be brief.", messages: conversation, tools: [READ, BASH] });
    const target = targetOf(wire, { apiKey: "sk-test", maxOutput: 4000, headers: { "x-own": "1" } });
    const { url, headers, body } = wire.buildRequest(request, target);
    expect(url).toBe("http://127.0.0.1:9/v1/messages");
    expect(headers).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      "anthropic-version": "2023-06-01",
      "x-api-key": "sk-test",
      "x-own": "1",
    });
    expect(body).toEqual({
      model: "model-1",
      max_tokens: 4000,
      stream: true,
      tools: [
        { name: "bash", description: "Runs.", input_schema: BASH.parameters },
        { name: "read", description: "Reads.", input_schema: READ.parameters, ...CACHE },
      ],
      system: [{ type: "text", text: "Be brief.", ...CACHE }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "SIG" },
            { type: "text", text: "Reading." },
            { type: "tool_use", id: "c1", name: "read", input: { path: "a" } },
            { type: "tool_use", id: "c2", name: "read", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "1: x" }] },
            { type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "gone" }], is_error: true },
            { type: "text", text: "and now?", ...CACHE },
          ],
        },
      ],
    });
  });

  it("has the same bytes again, whatever the order of the tools, and leaves the conversation as it was", () => {
    const bytes = (messages: Message[], tools = [READ, BASH]) => JSON.stringify(bodyOf({ messages, tools }));
    const before = structuredClone(conversation);
    expect(bytes(conversation)).toBe(bytes(conversation, [BASH, READ]));
    expect(conversation).toEqual(before);
  });

  it("marks the cache at the tools, the system and the last user message only", () => {
    const body = bodyOf({ system: "s", messages: conversation, tools: [READ, BASH] });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3);
    const paused = bodyOf({ messages: [userText("a"), said([text("b")])] });
    expect(paused["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "a", ...CACHE }] },
      { role: "assistant", content: [{ type: "text", text: "b" }] },
    ]);
  });

  it("asks Anthropic itself to stream arguments as they come, and nobody else", () => {
    const tools = [READ];
    const eager = (target: Partial<ModelTarget>) => JSON.stringify(bodyOf({ tools }, target)["tools"]);
    expect(eager({ provider: "anthropic" })).toContain('"eager_input_streaming":true');
    expect(eager({ baseUrl: "https://api.anthropic.com/v1" })).toContain('"eager_input_streaming":true');
    expect(eager({ baseUrl: "https://api.anthropic.com.evil.example/v1" })).not.toContain("eager");
  });

  it("without key, system, tools leaves their fields out, but never the limit", () => {
    const { headers, body } = wire.buildRequest(asked(), targetOf(wire));
    expect(headers).not.toHaveProperty("x-api-key");
    expect(Object.keys(body)).toEqual(["model", "max_tokens", "stream", "messages"]);
    expect(body["max_tokens"]).toBe(8192);
  });
});

describe("what the API refuses is never sent", () => {
  it("empty texts, empty answers, white space at the end of a paused turn", () => {
    expect(messagesOf([userText("  \n")])[0]?.content).toMatchObject([{ text: "(no text)" }]);
    expect(messagesOf([userText("a"), said([text("")]), userText("b")])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b", ...CACHE },
        ],
      },
    ]);
    expect(messagesOf([userText("a"), said([text("b \n")])])[1]?.content).toEqual([{ type: "text", text: "b" }]);
  });

  it("an empty result has no content; results of one answer are one message", () => {
    const wired = messagesOf([said([call("c1"), call("c2")]), result("c1", ""), result("c2", "x")]);
    expect(wired).toHaveLength(2);
    expect(wired[1]?.content[0]).toEqual({ type: "tool_result", tool_use_id: "c1" });
  });

  it("ids of other vendors, and the same id twice", () => {
    const wired = messagesOf([
      said([call("functions.a:0")]),
      result("functions.a:0", "1"),
      said([call("functions.a:0")]),
      result("functions.a:0", "2"),
    ]);
    const ids = wired.map(({ content }) => content[0]?.["id"] ?? content[0]?.["tool_use_id"]);
    expect(ids).toEqual(["functions_a_0", "functions_a_0", "functions_a_0_2", "functions_a_0_2"]);
  });

  it("half surrogates", () => {
    expect(JSON.stringify(bodyOf({ messages: [userText("a\uD800b")] }))).toContain("a\uFFFDb");
  });
});

describe("what goes back of an answer", () => {
  const kept = (message: AssistantMessage, target: Partial<ModelTarget> = {}) =>
    messagesOf([message, userText("go")], target)
      .filter(({ role }) => role === "assistant")
      .flatMap(({ content }) => content);

  it("signed and redacted thinking to the model that thought it, and to no other", () => {
    const { message } = drive(wire, fixture("anthropic-thinking-text-call"));
    const rest = [
      { type: "text", text: "Reading 秋😀." },
      { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.ts" } },
    ];
    expect(kept(message)).toEqual([
      { type: "thinking", thinking: "I must read.", signature: "SIG" },
      { type: "redacted_thinking", data: "ENC" },
      ...rest,
    ]);
    expect(kept(message, { model: "other" })).toEqual(rest);
    expect(kept(message, { provider: "other" })).toEqual(rest);
    expect(kept({ ...message, wire: "openai-chat" })).toEqual(rest);
    expect(kept(said([{ type: "thinking", thinking: "unsigned" }, text("a")]))).toEqual([{ type: "text", text: "a" }]);
  });

  it("blocks of server tools as they were, to the same provider only", () => {
    const { message } = drive(wire, fixture("anthropic-server-tools"));
    const blocks = message.content.flatMap((block) => (block.type === "opaque" ? [block.data] : []));
    expect(blocks).toHaveLength(4);
    expect(kept(message)).toEqual([...blocks, { type: "text", text: "Found." }]);
    expect(kept(message, { model: "other" })).toHaveLength(5);
    expect(kept(message, { provider: "other" })).toEqual([{ type: "text", text: "Found." }]);
    expect(kept(said([{ type: "opaque", wire: "gemini", data: { x: 1 } }, text("a")]))).toEqual([
      { type: "text", text: "a" },
    ]);
  });
});

describe("thinking", () => {
  const of = (
    model: string,
    thinking: ModelRequest["thinking"],
    more: Partial<ModelTarget> = {},
    messages?: Message[],
  ) => {
    const body = bodyOf({ thinking, ...(messages ? { messages } : {}) }, { model, maxOutput: 32_000, ...more });
    return { thinking: body["thinking"], effort: (body["output_config"] as { effort?: string } | undefined)?.effort };
  };
  const adaptive = { type: "adaptive", display: "summarized" };

  it.each([
    ["claude-sonnet-4-5", "off", undefined, undefined],
    ["claude-sonnet-4-5", "medium", { type: "enabled", budget_tokens: 10_240 }, undefined],
    ["claude-3-7-sonnet-20250219", "low", { type: "enabled", budget_tokens: 4096 }, undefined],
    ["claude-haiku-4-5", "xhigh", { type: "enabled", budget_tokens: 30_976 }, undefined],
    ["claude-3-5-haiku-20241022", "high", undefined, undefined],
    ["claude-opus-4-6", "high", adaptive, "high"],
    ["claude-opus-4-6", "xhigh", adaptive, "high"],
    ["claude-opus-4-6", "minimal", adaptive, "low"],
    ["claude-opus-4-6", "off", undefined, undefined],
    ["claude-sonnet-5", "off", { type: "disabled" }, undefined],
    ["unknown-model", "high", undefined, undefined],
  ] as const)("%s %s", (model, level, thinking, effort) => {
    expect(of(model, level)).toEqual({ thinking, effort });
  });

  it("where the catalogue says that the model thinks, or does not", () => {
    expect(of("own", "low", { reasoning: true }).thinking).toEqual({ type: "enabled", budget_tokens: 4096 });
    expect(of("claude-sonnet-4-5", "low", { reasoning: false }).thinking).toBeUndefined();
  });

  it("leaves room for the answer, or is left out", () => {
    expect(of("claude-sonnet-4-5", "high", { maxOutput: 3000 }).thinking).toEqual({
      type: "enabled",
      budget_tokens: 1976,
    });
    expect(of("claude-sonnet-4-5", "high", { maxOutput: 2000 }).thinking).toBeUndefined();
  });

  it("a budget is not asked for in the middle of an answer that began without", () => {
    const bare = said([call("c1")], { model: "claude-sonnet-4-5" });
    const signed: AssistantBlock = { type: "thinking", thinking: "Hm.", signature: "S" };
    const thought = said([signed, call("c1")], { model: "claude-sonnet-4-5" });
    const ask = (message: AssistantMessage) =>
      of("claude-sonnet-4-5", "low", {}, [userText("a"), message, result("c1", "x")]);
    expect(ask(bare).thinking).toBeUndefined();
    expect(ask(thought).thinking).toMatchObject({ type: "enabled" });
  });
});
