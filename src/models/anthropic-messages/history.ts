/** The conversation as messages of this wire. */
import type {
  AssistantMessage,
  ImageBlock,
  Json,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../agent/messages.js";
import { CallIds } from "../call-ids.js";
import type { JsonObject } from "../json.js";
import type { ModelTarget } from "../wire.js";

export interface WireMessage {
  role: "user" | "assistant";
  content: JsonObject[];
}

/** What stands for a message of nothing but white space, which the API refuses. */
const NO_TEXT = "(no text)";

/**
 * @param messages have passed `history.ts` of the agent
 * @returns messages of alternating roles; results and what the user says after them are one user message
 */
export function wireMessages(messages: readonly Message[], target: ModelTarget): WireMessage[] {
  const ids = new CallIds(/[^a-zA-Z0-9_-]/g, 64);
  const wired: WireMessage[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = contentOf(message, target, ids);
    if (content.length === 0) continue;
    const last = wired.at(-1);
    if (last?.role === role) last.content.push(...content);
    else wired.push({ role, content });
  }
  trimLastAssistant(wired);
  return wired;
}

function contentOf(message: Message, target: ModelTarget, ids: CallIds): JsonObject[] {
  switch (message.role) {
    case "user": {
      const content = textsAndImages(message.content);
      return content.length > 0 ? content : [{ type: "text", text: NO_TEXT }];
    }
    case "toolResult":
      return [toolResult(message, ids)];
    case "assistant":
      return assistantBlocks(message, target, ids);
  }
}

function textsAndImages(blocks: readonly (TextBlock | ImageBlock)[]): JsonObject[] {
  const content: JsonObject[] = [];
  for (const block of blocks) {
    if (block.type === "image") {
      content.push({ type: "image", source: { type: "base64", media_type: block.mediaType, data: block.data } });
    } else if (block.text.trim() !== "") {
      content.push({ type: "text", text: block.text });
    }
  }
  return content;
}

function toolResult(message: ToolResultMessage, ids: CallIds): JsonObject {
  const content = textsAndImages(message.content);
  return {
    type: "tool_result",
    tool_use_id: ids.result(message.toolCallId),
    ...(content.length > 0 ? { content } : {}),
    ...(message.isError ? { is_error: true } : {}),
  };
}

/** Signatures hold for the model that wrote them only; blocks of server tools for the provider that ran them. */
function assistantBlocks(message: AssistantMessage, target: ModelTarget, ids: CallIds): JsonObject[] {
  const sameProvider = message.wire === "anthropic-messages" && message.provider === target.provider;
  const sameModel = sameProvider && message.model === target.model;
  const content: JsonObject[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        if (block.text.trim() !== "") content.push({ type: "text", text: block.text });
        break;
      case "thinking":
        if (!sameModel || !block.signature) break;
        content.push(
          block.redacted
            ? { type: "redacted_thinking", data: block.signature }
            : { type: "thinking", thinking: block.thinking, signature: block.signature },
        );
        break;
      case "toolCall":
        content.push({ type: "tool_use", id: ids.call(block.id), name: block.name, input: block.arguments as Json });
        break;
      case "opaque":
        if (sameProvider && block.wire === "anthropic-messages") content.push(block.data as JsonObject);
        break;
    }
  }
  return content;
}

/** A conversation that ends with the model (a paused turn) must not end with white space. */
function trimLastAssistant(wired: WireMessage[]): void {
  const last = wired.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== "assistant" || block?.["type"] !== "text") return;
  last.content[last.content.length - 1] = { ...block, text: String(block["text"]).trimEnd() };
}

/**
 * With a thinking budget the answer that the results belong to must begin with its thinking.
 * @returns false where it was written by another model or without thinking
 */
export function mayThinkOn(wired: readonly WireMessage[]): boolean {
  const last = wired.at(-1);
  if (last?.role !== "user" || last.content[0]?.["type"] !== "tool_result") return true;
  const first = wired.at(-2)?.content[0]?.["type"];
  return first === "thinking" || first === "redacted_thinking";
}
