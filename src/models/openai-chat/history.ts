/** The conversation as messages of this wire. */
import type {
  AssistantMessage,
  ImageBlock,
  Json,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../agent/messages.js";
import type { ModelRequest } from "../../agent/ports.js";
import { CallIds } from "../call-ids.js";
import { fields, type JsonObject, list } from "../json.js";
import type { ModelTarget } from "../wire.js";
import type { Dialect } from "./dialect.js";

/** Mistral takes nine characters of a-z, A-Z, 0-9 and no other number of them; the others are not as strict. */
const STRICT = /[^a-zA-Z0-9]/g;
const OTHERS = /[^a-zA-Z0-9_.:-]/g;

/** @param request its messages have passed `history.ts` of the agent */
export function wireMessages(request: ModelRequest, target: ModelTarget, dialect: Dialect): JsonObject[] {
  const ids = dialect.strictTurns ? new CallIds(STRICT, 9, true) : new CallIds(OTHERS, 64);
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
  return dialect.strictTurns ? inTurn(wired) : wired;
}

/** What stands between a result and the user's next words, where the model must have the word in between. */
const BRIDGE: JsonObject = { role: "assistant", content: "I have the results." };

/** The user's messages that follow one another become one; after a result the model speaks before the user does. */
function inTurn(wired: readonly JsonObject[]): JsonObject[] {
  const turns: JsonObject[] = [];
  for (const message of wired) {
    const last = turns.at(-1);
    if (message["role"] === "user" && last?.["role"] === "user") {
      turns[turns.length - 1] = { role: "user", content: [...partsOf(last), ...partsOf(message)] };
      continue;
    }
    if (message["role"] === "user" && last?.["role"] === "tool") turns.push(BRIDGE);
    turns.push(message);
  }
  return turns;
}

function partsOf(message: JsonObject): readonly Json[] {
  const { content } = message;
  return typeof content === "string" ? [{ type: "text", text: content }] : list(content);
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
