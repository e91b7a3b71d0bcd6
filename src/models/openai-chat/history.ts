/** The conversation as messages of this wire. */
import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "../../agent/messages.js";
import type { ModelRequest } from "../../agent/ports.js";
import { CallIds } from "../call-ids.js";
import { fields, type JsonObject, list } from "../json.js";
import type { ModelTarget } from "../wire.js";
import type { Dialect } from "./dialect.js";

/** Mistral takes nine characters of a-z, A-Z, 0-9; the others are not as strict. */
const MISTRAL = /[^a-zA-Z0-9]/g;
const OTHERS = /[^a-zA-Z0-9_.:-]/g;

/** @param request its messages have passed `history.ts` of the agent */
export function wireMessages(request: ModelRequest, target: ModelTarget, dialect: Dialect): JsonObject[] {
  const ids = target.provider === "mistral" ? new CallIds(MISTRAL, 9) : new CallIds(OTHERS, 64);
  const wired: JsonObject[] = [];
  if (request.system.trim() !== "") wired.push({ role: dialect.systemRole, content: request.system });
  let images: ImageBlock[] = [];
  for (const message of request.messages) {
    if (message.role === "toolResult") {
      wired.push(toolMessage(message, ids));
      images.push(...imagesOf(message));
      continue;
    }
    // A result is text on this wire; its pictures follow all results of the answer, as the user's.
    if (images.length > 0) wired.push({ role: "user", content: images.map(imagePart) });
    images = [];
    if (message.role === "user") wired.push({ role: "user", content: userContent(message.content) });
    else {
      const assistant = assistantMessage(message, target, dialect, ids);
      if (assistant) wired.push(assistant);
    }
  }
  if (images.length > 0) wired.push({ role: "user", content: images.map(imagePart) });
  return wired;
}

function userContent(blocks: readonly (TextBlock | ImageBlock)[]): string | JsonObject[] {
  if (blocks.every((block) => block.type === "text")) return joined(blocks);
  return blocks
    .filter((block) => block.type === "image" || block.text !== "")
    .map((block) => (block.type === "image" ? imagePart(block) : { type: "text", text: block.text }));
}

function joined(blocks: readonly { type: string; text?: string }[]): string {
  return blocks.flatMap((block) => (block.type === "text" && block.text ? [block.text] : [])).join("\n\n");
}

function imagesOf(message: Message): ImageBlock[] {
  return message.content.filter((block): block is ImageBlock => block.type === "image");
}

function imagePart(block: ImageBlock): JsonObject {
  return { type: "image_url", image_url: { url: `data:${block.mediaType};base64,${block.data}` } };
}

function toolMessage(message: ToolResultMessage, ids: CallIds): JsonObject {
  const pictures = imagesOf(message).length > 0 ? "(the picture follows)" : "(no output)";
  return { role: "tool", tool_call_id: ids.result(message.toolCallId), content: joined(message.content) || pictures };
}

function assistantMessage(
  message: AssistantMessage,
  target: ModelTarget,
  dialect: Dialect,
  ids: CallIds,
): JsonObject | undefined {
  // Blocks of one answer; the user must see them as one text.
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const calls = message.content.flatMap((block) =>
    block.type === "toolCall"
      ? [
          {
            id: ids.call(block.id),
            type: "function",
            function: { name: block.name, arguments: JSON.stringify(block.arguments) },
          },
        ]
      : [],
  );
  const thinking = thinkingBack(message, target, dialect);
  if (text === "" && calls.length === 0 && Object.keys(thinking).length === 0) return undefined;
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...thinking,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Thinking goes back to the model that thought it, in the form in which it came. */
function thinkingBack(message: AssistantMessage, target: ModelTarget, dialect: Dialect): JsonObject {
  const same = message.wire === "openai-chat" && message.provider === target.provider && message.model === target.model;
  if (!same) return {};
  const blocks = message.content.filter((block) => block.type === "thinking");
  const details = blocks.flatMap((block) => list(fields(block.replay)["reasoning_details"]));
  // Gateways sign what they pass on; where they did, they want it back whole.
  if (details.length > 0) return { reasoning_details: details };
  if (dialect.thinkingBack !== "reasoning_content") return {};
  const thinking = blocks.map((block) => block.thinking).join("");
  return thinking === "" ? {} : { reasoning_content: thinking };
}
