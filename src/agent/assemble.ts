/** Grows one assistant message from the parts of a stream. */
import { isTooDeep } from "./json-depth.js";
import type { AssistantMessage, Json, ToolCallBlock, Usage } from "./messages.js";
import { NO_USAGE } from "./messages.js";
import type { ModelStream, StreamPart } from "./ports.js";

export interface Assembler {
  /** The message so far. Calls have their arguments only after `seal`. */
  readonly message: AssistantMessage;
  /** Characters that the model has written so far, of every kind. */
  readonly written: number;
  apply(part: StreamPart): void;
  /** Parses the calls' arguments. Call it once, when nothing more comes. */
  seal(): AssistantMessage;
}

/** @returns an assembler for one attempt of `model` */
export function createAssembler(model: Pick<ModelStream, "provider" | "model" | "wire">): Assembler {
  const message: AssistantMessage = {
    role: "assistant",
    provider: model.provider,
    model: model.model,
    wire: model.wire,
    content: [],
    stopReason: "stop",
    usage: { ...NO_USAGE },
  };
  const argumentTexts = new Map<number, string[]>();
  let written = 0;

  function apply(part: StreamPart): void {
    const { content } = message;
    switch (part.type) {
      case "start":
        if (part.responseId) message.responseId = part.responseId;
        return;
      case "text_start":
        content[part.index] = { type: "text", text: "" };
        return;
      case "text_delta": {
        const block = content[part.index];
        if (block?.type === "text") block.text += part.text;
        written += part.text.length;
        return;
      }
      case "thinking_start":
        content[part.index] = { type: "thinking", thinking: "", ...(part.redacted ? { redacted: true } : {}) };
        return;
      case "thinking_delta": {
        const block = content[part.index];
        if (block?.type === "thinking") block.thinking += part.text;
        written += part.text.length;
        return;
      }
      case "signature": {
        const block = content[part.index];
        if (block?.type === "thinking") block.signature = part.signature;
        return;
      }
      case "call_start":
        content[part.index] = { type: "toolCall", id: part.id, name: part.name, arguments: {} };
        argumentTexts.set(part.index, []);
        return;
      case "args_delta":
        argumentTexts.get(part.index)?.push(part.text);
        written += part.text.length;
        return;
      case "replay": {
        const block = content[part.index];
        if (block && block.type !== "opaque") block.replay = part.data;
        return;
      }
      case "opaque":
        content[part.index] = { type: "opaque", wire: model.wire, data: part.data };
        return;
      case "usage":
        message.usage = part.usage;
        return;
      case "finish":
        message.stopReason = part.reason;
        message.usage = part.usage;
        return;
      case "error":
        message.stopReason = "error";
        message.errorMessage = part.error.message;
        return;
      case "block_end":
      case "warning":
        return;
    }
  }

  function seal(): AssistantMessage {
    for (const [index, pieces] of argumentTexts) {
      const block = message.content[index];
      if (block?.type === "toolCall") setArguments(block, pieces.join(""));
    }
    // A stream that was cut may leave a hole where a block was announced out of order.
    message.content = message.content.filter((block) => block !== undefined);
    return message;
  }

  return {
    message,
    get written() {
      return written;
    },
    apply,
    seal,
  };
}

function setArguments(block: ToolCallBlock, text: string): void {
  if (text.trim() === "") return;
  try {
    const value = isTooDeep(text) ? null : (JSON.parse(text) as Json);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      block.arguments = value as Record<string, unknown>;
      return;
    }
  } catch {
    // Not JSON: told to the model by whoever would run the call.
  }
  block.invalidArguments = text;
}

/**
 * The usage of an attempt that was cut before the provider told it. About four characters are one token; a provider that already told
 * the input is believed.
 * @param requestCharacters size of what was sent
 */
export function estimateUsage(told: Usage, written: number, requestCharacters: number): Usage {
  const known = told.input + told.cacheRead + told.cacheWrite > 0;
  return {
    input: known ? told.input : Math.ceil(requestCharacters / 4),
    output: Math.max(told.output, Math.ceil(written / 4)),
    cacheRead: told.cacheRead,
    cacheWrite: told.cacheWrite,
    estimated: true,
  };
}
