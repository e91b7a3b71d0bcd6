/** The conversation as input items of this wire. */
import type {
  AssistantMessage,
  ImageBlock,
  Json,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../agent/messages.js";
import { CallIds } from "../call-ids.js";
import { type JsonObject, objectOf, text } from "../json.js";
import type { ModelTarget } from "../wire.js";
import { answerToForeignCall } from "./foreign-calls.js";

/** What the API takes as a `call_id`. Other wires make longer ones. */
const FORBIDDEN_IN_CALL_ID = /[^\w.:-]/g;
const LONGEST_CALL_ID = 64;

interface SentCalls {
  ids: CallIds;
  /** Ids, as sent, of the calls whose input is free text. */
  custom: Set<string>;
}

/** @returns the input items of a conversation that has passed `history.ts` */
export function inputItems(messages: readonly Message[], target: ModelTarget): JsonObject[] {
  const items: JsonObject[] = [];
  const calls = { ids: new CallIds(FORBIDDEN_IN_CALL_ID, LONGEST_CALL_ID), custom: new Set<string>() };
  for (const message of messages) {
    if (message.role === "user") items.push({ type: "message", role: "user", content: contentParts(message.content) });
    else if (message.role === "assistant") items.push(...assistantItems(message, target, calls));
    else items.push(resultItem(message, calls));
  }
  return items;
}

/**
 * Ids and encrypted reasoning go back only to the model that made them. From an answer that was cut short nothing goes back under its
 * id: the server would look for the item that must follow it.
 */
function assistantItems(message: AssistantMessage, target: ModelTarget, calls: SentCalls): JsonObject[] {
  const sameProvider = message.wire === "openai-responses" && message.provider === target.provider;
  const ours = sameProvider && message.model === target.model;
  const whole = ours && message.stopReason !== "aborted" && message.stopReason !== "error";
  const items: JsonObject[] = [];
  for (const block of message.content) {
    const replay: JsonObject = (ours && "replay" in block ? objectOf(block.replay) : undefined) ?? {};
    const id = whole ? text(replay["id"]) : undefined;
    switch (block.type) {
      case "text": {
        if (block.text === "") break;
        const phase = text(replay["phase"]);
        const said = id
          ? { id, content: [{ type: "output_text", text: block.text, annotations: [] }], status: "completed" }
          : { content: block.text };
        items.push({ type: "message", role: "assistant", ...said, ...(phase ? { phase } : {}) });
        break;
      }
      case "thinking": {
        if (!ours || !block.signature) break;
        const kept = replay["summary"];
        const summary = Array.isArray(kept) ? kept : block.thinking === "" ? [] : [block.thinking];
        items.push({
          type: "reasoning",
          ...(id ? { id } : {}),
          summary: summary.map((part: Json) => ({ type: "summary_text", text: part })),
          encrypted_content: block.signature,
        });
        break;
      }
      case "toolCall": {
        const call_id = calls.ids.call(block.id);
        const head = { ...(id ? { id } : {}), call_id, name: block.name };
        const input = text(replay["custom"]);
        if (input === undefined) {
          items.push({ type: "function_call", ...head, arguments: JSON.stringify(block.arguments) });
        } else {
          calls.custom.add(call_id);
          items.push({ type: "custom_tool_call", ...head, input });
        }
        break;
      }
      case "opaque": {
        if (!sameProvider || block.wire !== "openai-responses") break;
        const item = objectOf(block.data);
        if (!item) break;
        items.push(item);
        const answer = answerToForeignCall(item);
        if (answer) items.push(answer);
        break;
      }
    }
  }
  return items;
}

function resultItem(message: ToolResultMessage, calls: SentCalls): JsonObject {
  const call_id = calls.ids.result(message.toolCallId);
  const plain = message.content.every((block) => block.type === "text");
  const output = plain
    ? message.content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
    : contentParts(message.content);
  return { type: calls.custom.has(call_id) ? "custom_tool_call_output" : "function_call_output", call_id, output };
}

function contentParts(blocks: readonly (TextBlock | ImageBlock)[]): Json[] {
  return blocks.map((block) =>
    block.type === "text"
      ? { type: "input_text", text: block.text }
      : { type: "input_image", image_url: `data:${block.mediaType};base64,${block.data}`, detail: "auto" },
  );
}
