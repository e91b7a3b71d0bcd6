import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { expect, it } from "vitest";
import type { AssistantMessage, Message } from "../../../src/agent/messages.js";
import { NO_USAGE, userText } from "../../../src/agent/messages.js";
import { wire } from "../../../src/models/anthropic-messages/index.js";
import { targetOf } from "../drive.js";

const TARGET = targetOf(wire, { provider: "anthropic", model: "claude-sonnet-5", maxOutput: 64_000 });

const answer: AssistantMessage = {
  role: "assistant",
  provider: "anthropic",
  model: "claude-sonnet-5",
  wire: "anthropic-messages",
  content: [
    { type: "thinking", thinking: "Hm.", signature: "SIG" },
    { type: "thinking", thinking: "", redacted: true, signature: "ENC" },
    { type: "text", text: "Reading." },
    { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a" } },
  ],
  stopReason: "toolUse",
  usage: { ...NO_USAGE },
};
const result: Message = {
  role: "toolResult",
  toolCallId: "toolu_1",
  toolName: "read",
  content: [
    { type: "text", text: "1: x" },
    { type: "image", mediaType: "image/png", data: "AAAA" },
  ],
  isError: true,
};

it("the whole body is one that Anthropic's own client would send", () => {
  const { body } = wire.buildRequest(
    {
      system: "s",
      messages: [userText("hi"), answer, result, userText("rule", { synthetic: "ttsr-interrupt" })],
      tools: [{ name: "read", description: "Reads.", parameters: { type: "object" } }],
      thinking: "high",
    },
    TARGET,
  );
  const wanted = {
    model: "claude-sonnet-5",
    max_tokens: 64_000,
    stream: true,
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "high" },
    tools: [
      {
        name: "read",
        description: "Reads.",
        input_schema: { type: "object" },
        eager_input_streaming: true,
        cache_control: { type: "ephemeral" },
      },
    ],
    system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
    messages: [
      { role: "user", content: [{ type: "text", text: "hi" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "SIG" },
          { type: "redacted_thinking", data: "ENC" },
          { type: "text", text: "Reading." },
          { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: [
              { type: "text", text: "1: x" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            ],
            is_error: true,
          },
          { type: "text", text: "rule", cache_control: { type: "ephemeral" } },
        ],
      },
    ],
  } satisfies MessageCreateParamsStreaming;
  expect(body).toEqual(wanted);
});
