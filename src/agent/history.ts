/**
 * What is sent of a conversation. Whatever was cut, killed or switched in between, the result is a legal request: every call has its
 * result right after it, no result stands alone, nothing unfinished is replayed, no message is empty, no string holds half a character.
 */
import type { AssistantBlock, AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "./messages.js";

const NOT_RUN = "Not run: the turn was interrupted before this call.";

/** @returns a new list; the messages given are not changed */
export function prepareHistory(messages: readonly Message[]): Message[] {
  return sentMessages(messages).map((message) => wellFormed(message));
}

/** @returns which messages are sent, before their strings are mended */
export function sentMessages(messages: readonly Message[]): Message[] {
  const sent: Message[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "toolResult") continue;
    if (message.role === "user") {
      if (message.content.some((block) => block.type !== "text" || block.text !== "")) sent.push(message);
      continue;
    }
    const kept = sendable(message);
    if (!kept) continue;
    sent.push(kept);
    const results = resultsAfter(messages, at);
    for (const block of kept.content) {
      if (block.type === "toolCall") sent.push(results.get(block.id) ?? orphanResult(block));
    }
  }
  return sent;
}

/** Only up to the next answer: some servers use the same call id again in every answer. */
function resultsAfter(messages: readonly Message[], at: number): Map<string, ToolResultMessage> {
  const results = new Map<string, ToolResultMessage>();
  for (let i = at + 1; i < messages.length; i++) {
    const message = messages[i];
    if (message?.role === "assistant") break;
    if (message?.role === "toolResult") results.set(message.toolCallId, message);
  }
  return results;
}

function sendable(message: AssistantMessage): AssistantMessage | undefined {
  if (message.stopReason !== "aborted" && message.stopReason !== "error") {
    return message.content.length === 0 ? undefined : message;
  }
  // Cut short: only whole things are sent. Calls never ran, thinking without its signature is refused by the wires.
  const content = withoutRewound(message).filter((block) => {
    if (block.type === "text") return block.text.trim() !== "";
    return block.type === "thinking" && (block.signature !== undefined || block.replay !== undefined);
  });
  if (content.some((block) => block.type === "text")) return { ...message, content };
  if (message.abortReason !== "ttsr") return undefined;
  // TTSR-6.4: the interrupt that follows speaks of something, so something must stand before it.
  const call = message.content.find((block) => block.type === "toolCall");
  const what = call?.type === "toolCall" ? `call to ${call.name}` : "answer";
  const by = message.cutBy?.length ? ` by rule ${message.cutBy.join(", ")}` : "";
  return { ...message, content: [...content, { type: "text", text: `[${what} cut off${by}; not run]` }] };
}

/** TTSR-6.4. */
function withoutRewound({ content, rewoundTo }: AssistantMessage): AssistantBlock[] {
  if (!rewoundTo) return content;
  const before = content.slice(0, rewoundTo.block);
  const last = content[rewoundTo.block];
  // A proof of the whole text is none of a part of it.
  if (last?.type === "text") before.push({ type: "text", text: last.text.slice(0, rewoundTo.offset) });
  return before;
}

function orphanResult(call: ToolCallBlock): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: NOT_RUN }],
    isError: true,
  };
}

/** Half a surrogate pair makes providers refuse the whole session for ever. */
function wellFormed<T>(value: T): T {
  if (typeof value === "string") return fixString(value) as T;
  if (Array.isArray(value)) {
    let changed = false;
    const copy = value.map((item: unknown) => {
      const fixed = wellFormed(item);
      changed ||= fixed !== item;
      return fixed;
    });
    return changed ? (copy as T) : value;
  }
  if (value !== null && typeof value === "object") {
    let copy: Record<string, unknown> | undefined;
    for (const [key, item] of Object.entries(value)) {
      const fixed = wellFormed(item);
      if (fixed !== item) {
        copy ??= { ...(value as Record<string, unknown>) };
        copy[key] = fixed;
      }
    }
    return (copy ?? value) as T;
  }
  return value;
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function fixString(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
}
