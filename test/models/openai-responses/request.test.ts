import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import type { AssistantBlock, AssistantMessage, Message } from "../../../src/agent/messages.js";
import { NO_USAGE, userText } from "../../../src/agent/messages.js";
import type { ModelRequest } from "../../../src/agent/ports.js";
import { wire } from "../../../src/models/openai-responses/index.js";
import type { ModelTarget } from "../../../src/models/wire.js";
import { drive, events, fixture, targetOf } from "../drive.js";

const GPT: ModelTarget = targetOf(wire, { provider: "openai", model: "gpt-5", apiKey: "sk-test" });
const READ = {
  name: "read",
  description: "Reads.",
  parameters: { type: "object", properties: { path: { type: "string" } } },
};
const BASH = { name: "bash", description: "Runs.", parameters: { type: "object", properties: {} } };

function asked(more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "", messages: [userText("hi")], tools: [], thinking: "off", ...more };
}
function said(content: AssistantBlock[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    provider: "openai",
    model: "gpt-5",
    wire: "openai-responses",
    content,
    stopReason: "stop",
    usage: { ...NO_USAGE },
    ...more,
  };
}
const bodyOf = (more: Partial<ModelRequest>, target = GPT) => wire.buildRequest(asked(more), target).body;
const inputOf = (messages: Message[], target = GPT) => bodyOf({ messages }, target)["input"];
const result = (toolCallId: string, text: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
});

describe("the request", () => {
  const conversation: Message[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", mediaType: "image/png", data: "AAAA" },
      ],
    },
    said(
      [
        { type: "thinking", thinking: "Hm.", signature: "ENC", replay: { id: "rs_1" } },
        { type: "text", text: "I read it.", replay: { id: "msg_1", phase: "commentary" } },
        { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a.ts" }, replay: { id: "fc_1" } },
      ],
      { stopReason: "toolUse" },
    ),
    result("call_1", "1: x"),
    said([{ type: "text", text: "Done.", replay: { id: "msg_2" } }]),
    userText("thanks"),
  ];

  it("is this one, key for key", () => {
    const expected = {
      model: "gpt-5",
      instructions: "Be brief.",
      input: [
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "look" },
            { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
          ],
        },
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "ENC" },
        {
          type: "message",
          role: "assistant",
          id: "msg_1",
          content: [{ type: "output_text", text: "I read it.", annotations: [] }],
          status: "completed",
          phase: "commentary",
        },
        { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: '{"path":"a.ts"}' },
        { type: "function_call_output", call_id: "call_1", output: "1: x" },
        {
          type: "message",
          role: "assistant",
          id: "msg_2",
          content: [{ type: "output_text", text: "Done.", annotations: [] }],
          status: "completed",
        },
        { type: "message", role: "user", content: [{ type: "input_text", text: "thanks" }] },
      ],
      tools: [
        {
          type: "function",
          name: "bash",
          description: "Runs.",
          parameters: { type: "object", properties: {} },
          strict: false,
        },
        {
          type: "function",
          name: "read",
          description: "Reads.",
          parameters: { type: "object", properties: { path: { type: "string" } } },
          strict: false,
        },
      ],
      parallel_tool_calls: true,
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 32000,
      prompt_cache_key: "conv-1",
      store: false,
      stream: true,
    } satisfies ResponseCreateParamsStreaming;
    const request = asked({
      system: "Be brief.",
      messages: conversation,
      tools: [READ, BASH],
      thinking: "high",
      conversationId: "conv-1",
    });
    const built = wire.buildRequest(request, { ...GPT, maxOutput: 32000 });
    expect(built.url).toBe("http://127.0.0.1:9/v1/responses");
    expect(built.headers).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      authorization: "Bearer sk-test",
    });
    expect(built.body).toEqual(expected);
    expect(JSON.stringify(built.body)).toBe(JSON.stringify(expected));
  });

  it("is the same bytes for the same conversation, whatever the order of the tools", () => {
    const bytes = (tools: ModelRequest["tools"]) => JSON.stringify(bodyOf({ messages: conversation, tools }));
    expect(bytes([READ, BASH])).toBe(bytes([BASH, READ]));
  });

  it("of a longer conversation begins with that of the shorter one", () => {
    const short = JSON.stringify(inputOf(conversation.slice(0, 3))).slice(0, -1);
    expect(JSON.stringify(inputOf(conversation)).startsWith(short)).toBe(true);
  });

  it("leaves out what is not there", () => {
    expect(bodyOf({}, targetOf(wire, { model: "gpt-4o" }))).toEqual({
      model: "gpt-4o",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }],
      store: false,
      stream: true,
    } satisfies ResponseCreateParamsStreaming);
  });

  it("has the user's own headers, which win", () => {
    const { headers } = wire.buildRequest(asked(), { ...GPT, headers: { "api-key": "k", authorization: "none" } });
    expect(headers).toMatchObject({ "api-key": "k", authorization: "none" });
    expect(wire.buildRequest(asked(), targetOf(wire)).headers).not.toHaveProperty("authorization");
  });

  it("sends back what was streamed so that the answer's own items stand there again", () => {
    const target = { ...GPT, provider: "vendor", model: "model-1" };
    const { message } = drive(wire, fixture("responses-reasoning-message-call"), "", target);
    expect(inputOf([userText("hi"), message, result("call_a", "ok")], target)).toEqual([
      { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
      {
        type: "reasoning",
        id: "rs_1",
        summary: [
          { type: "summary_text", text: "**Looking**" },
          { type: "summary_text", text: "**Writing**" },
        ],
        encrypted_content: "ENC1",
      },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        content: [{ type: "output_text", text: "I read it.", annotations: [] }],
        status: "completed",
        phase: "commentary",
      },
      { type: "function_call", id: "fc_1", call_id: "call_a", name: "read", arguments: '{"path":"a.ts"}' },
      { type: "function_call_output", call_id: "call_a", output: "ok" },
    ]);
  });
});

describe("what goes back", () => {
  const thought: AssistantBlock = { type: "thinking", thinking: "Hm.", signature: "ENC", replay: { id: "rs_1" } };
  const text: AssistantBlock = { type: "text", text: "Hi.", replay: { id: "msg_1" } };
  const call: AssistantBlock = { type: "toolCall", id: "call_1", name: "read", arguments: {}, replay: { id: "fc_1" } };
  const plainText = { type: "message", role: "assistant", content: "Hi." };

  it.each<[string, Partial<AssistantMessage>]>([
    ["another model", { model: "gpt-4.1" }],
    ["another provider", { provider: "azure" }],
    ["another wire", { wire: "openai-chat" }],
  ])("of %s: the words, no ids and no reasoning", (_, other) => {
    expect(inputOf([said([thought, text, call], other)])).toEqual([
      plainText,
      { type: "function_call", call_id: "call_1", name: "read", arguments: "{}" },
    ]);
  });

  it("of a cut answer: signed reasoning and words, without ids", () => {
    expect(inputOf([said([thought, text], { stopReason: "aborted", abortReason: "ttsr" })])).toEqual([
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "ENC" },
      plainText,
    ]);
  });

  it("no reasoning without its encrypted form, no empty text", () => {
    expect(inputOf([said([{ type: "thinking", thinking: "Hm." }, { type: "text", text: "" }, text])])).toHaveLength(1);
  });

  it("encrypted reasoning of which nothing was shown", () => {
    expect(
      inputOf([said([{ type: "thinking", thinking: "", signature: "ENC", replay: { id: "rs_1" } }, text])]),
    ).toMatchObject([{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ENC" }, { id: "msg_1" }]);
  });

  it("arguments that did not parse go back as an empty object: servers refuse broken JSON", () => {
    const broken: AssistantBlock = { type: "toolCall", id: "c", name: "read", arguments: {}, invalidArguments: '{"pa' };
    expect(inputOf([said([broken]), result("c", "bad")])).toMatchObject([{ arguments: "{}" }, { output: "bad" }]);
  });

  it("call ids that are too long are cut the same way in call and result, and stay apart", () => {
    const ids = [`${"x".repeat(80)}a`, `${"x".repeat(80)}b`];
    const calls = ids.map((id): AssistantBlock => ({ type: "toolCall", id, name: "read", arguments: {} }));
    const items = inputOf([said(calls), ...ids.map((id) => result(id, "ok"))]) as unknown as { call_id: string }[];
    const [a, b, resultA, resultB] = items.map((item) => item.call_id);
    expect(a).toHaveLength(64);
    expect(a).not.toBe(b);
    expect([resultA, resultB]).toEqual([a, b]);
  });

  it("images of a tool, and several texts", () => {
    const output = (content: Extract<Message, { role: "toolResult" }>["content"]) =>
      inputOf([said([call]), { role: "toolResult", toolCallId: "call_1", toolName: "read", content, isError: false }]);
    expect(
      output([
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
    ).toMatchObject([{}, { output: "a\nb" }]);
    expect(output([{ type: "image", mediaType: "image/png", data: "AA" }])).toMatchObject([
      {},
      { output: [{ type: "input_image", image_url: "data:image/png;base64,AA", detail: "auto" }] },
    ]);
    expect(output([])).toMatchObject([{}, { output: "" }]);
  });

  it("opaque items as they were to the same provider, to nobody else; calls that we never offered are answered", () => {
    const { message } = drive(wire, fixture("responses-server-tools"), "", GPT);
    const types = (target: ModelTarget) => (inputOf([message], target) as { type: string }[]).map(({ type }) => type);
    expect(types(GPT)).toEqual([
      "mcp_list_tools",
      "web_search_call",
      "mcp_call",
      "apply_patch_call",
      "apply_patch_call_output",
      "local_shell_call",
      "local_shell_call_output",
      "hologram_call",
      "message",
    ]);
    expect(inputOf([message])).toMatchObject({
      2: { type: "mcp_call", id: "mcp_1", name: "lookup", server_label: "s", arguments: '{"q":1}', output: "found" },
      4: { call_id: "call_p", status: "failed" },
      6: { call_id: "call_s" },
    });
    expect(types({ ...GPT, provider: "azure" })).toEqual(["message"]);
  });

  it("a request for leave that nobody gave is answered with no", () => {
    const ask = { type: "mcp_approval_request", id: "mcpr_1", name: "x", server_label: "s", arguments: "{}" };
    expect(inputOf([said([{ type: "opaque", wire: "openai-responses", data: ask }])])).toMatchObject([
      ask,
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: false },
    ]);
  });

  it("a custom tool call and its answer in their own kind", () => {
    const item = { type: "custom_tool_call", id: "ctc_1", call_id: "call_c", name: "shell", input: "ls" };
    const { message } = drive(
      wire,
      events(
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: { status: "completed" } },
      ),
      "",
      GPT,
    );
    expect(inputOf([message, result("call_c", "no such tool")])).toEqual([
      item,
      { type: "custom_tool_call_output", call_id: "call_c", output: "no such tool" },
    ]);
  });
});

describe("how hard it thinks", () => {
  const reasoning = (model: string, thinking: ModelRequest["thinking"], more: Partial<ModelTarget> = {}) =>
    bodyOf({ thinking }, { ...GPT, model, ...more })["reasoning"];
  it.each<[string, ModelRequest["thinking"], string | undefined]>([
    ["gpt-5", "off", "minimal"],
    ["gpt-5", "minimal", "minimal"],
    ["gpt-5", "xhigh", "high"],
    ["gpt-5-codex", "off", "low"],
    ["gpt-5.1", "off", "none"],
    ["gpt-5.1", "minimal", "low"],
    ["gpt-5.1", "xhigh", "high"],
    ["gpt-5.1-codex-max", "xhigh", "xhigh"],
    ["gpt-5.5-2026-04-23", "xhigh", "xhigh"],
    ["openai/gpt-5.2", "off", "none"],
    ["o4-mini", "minimal", "low"],
    ["o4-mini", "off", "low"],
    ["gpt-oss-20b", "medium", "medium"],
    ["some-model", "xhigh", "xhigh"],
    ["some-model", "off", undefined],
  ])("%s, %s: %s", (model, level, effort) => {
    const expected = effort === undefined ? undefined : { effort, ...(level === "off" ? {} : { summary: "auto" }) };
    expect(reasoning(model, level)).toEqual(expected);
  });
  it("is not said to a model that cannot, and encrypted reasoning is not asked of it", () => {
    expect(reasoning("gpt-4o", "high")).toBeUndefined();
    expect(reasoning("gpt-5", "high", { reasoning: false })).toBeUndefined();
    expect(bodyOf({}, { ...GPT, reasoning: false })).not.toHaveProperty("include");
    expect(reasoning("gpt-4o", "high", { reasoning: true })).toEqual({ effort: "high", summary: "auto" });
  });
});
