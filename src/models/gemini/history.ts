/** The conversation as `contents` of this wire. */
import type {
  AssistantMessage,
  ImageBlock,
  Json,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../agent/messages.js";
import { fields, type JsonObject, objectOf, text } from "../json.js";
import type { ModelTarget } from "../wire.js";
import { generation } from "./thinking.js";

interface Content {
  role: "user" | "model";
  parts: Json[];
}

/**
 * From generation 3 on a call without a signature is refused. Google names this word for calls that the model did not make itself
 * (from another model, or from before a switch).
 */
const UNSIGNED = "skip_thought_signature_validator";

/** @returns the contents of a conversation that has passed `history.ts`; roles alternate, results follow their calls in their order */
export function contentsOf(messages: readonly Message[], target: ModelTarget): Json[] {
  const contents: Content[] = [];
  const callIds = new Map<string, string>();
  for (const message of messages) {
    const role = message.role === "assistant" ? "model" : "user";
    const parts =
      message.role === "user"
        ? userParts(message.content)
        : message.role === "assistant"
          ? modelParts(message, target, callIds)
          : resultParts(message, target, callIds);
    if (parts.length === 0) continue;
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return contents.map(({ role, parts }) => ({ role, parts: role === "user" ? resultsFirst(parts) : parts }));
}

function modelParts(message: AssistantMessage, target: ModelTarget, callIds: Map<string, string>): JsonObject[] {
  const sameProvider = message.wire === "gemini" && message.provider === target.provider;
  const ours = sameProvider && message.model === target.model;
  const strict = (generation(target.model) ?? 0) >= 3;
  const parts: JsonObject[] = [];
  let called = false;
  for (const block of message.content) {
    const replay: JsonObject = ours && "replay" in block ? fields(block.replay) : {};
    const thoughtSignature = text(replay["thoughtSignature"]);
    const signed = thoughtSignature ? { thoughtSignature } : {};
    switch (block.type) {
      case "text":
        if (replay["after"] === true) parts.push({ text: block.text }, { text: "", ...signed });
        else if (block.text !== "") parts.push({ text: block.text, ...signed });
        break;
      case "thinking":
        if (!ours || !block.signature) break;
        parts.push({ text: block.thinking, thought: true, thoughtSignature: block.signature });
        break;
      case "toolCall": {
        const id = text(replay["id"]);
        if (id) callIds.set(block.id, id);
        else callIds.delete(block.id);
        // Only the first of several calls has a signature.
        const owed = strict && !called && !thoughtSignature ? { thoughtSignature: UNSIGNED } : signed;
        called = true;
        const args = block.arguments as JsonObject;
        parts.push({ functionCall: { ...(id ? { id } : {}), name: block.name, args }, ...owed });
        break;
      }
      case "opaque": {
        const part = objectOf(block.data);
        if (sameProvider && block.wire === "gemini" && part) parts.push(part);
        break;
      }
    }
  }
  return parts;
}

/** Ids go back only where the provider gave them: those that we made up mean nothing there. */
function resultParts(
  message: ToolResultMessage,
  target: ModelTarget,
  callIds: ReadonlyMap<string, string>,
): JsonObject[] {
  const id = callIds.get(message.toolCallId);
  const words = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const images = message.content.flatMap((block) => (block.type === "image" ? [inline(block)] : []));
  const within = (generation(target.model) ?? 0) >= 3 && images.length > 0;
  const functionResponse = {
    ...(id ? { id } : {}),
    name: message.toolName,
    response: message.isError ? { error: words } : { output: words },
    ...(within ? { parts: images } : {}),
  };
  return [{ functionResponse }, ...(within ? [] : images)];
}

/** The responses to the calls of one answer stand together, directly after it; images and words come after them. */
function resultsFirst(parts: readonly Json[]): Json[] {
  const isResult = (part: Json): boolean => "functionResponse" in fields(part);
  return [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))];
}

function userParts(blocks: readonly (TextBlock | ImageBlock)[]): JsonObject[] {
  return blocks.flatMap((block): JsonObject[] => {
    if (block.type === "image") return [inline(block)];
    return block.text === "" ? [] : [{ text: block.text }];
  });
}

function inline(block: ImageBlock): JsonObject {
  return { inlineData: { mimeType: block.mediaType, data: block.data } };
}
