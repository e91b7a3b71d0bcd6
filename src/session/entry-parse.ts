/** Reads what a line of a log holds. Whoever wrote it may have been killed, be a newer version, or another program: nothing is taken on faith. */
import type {
  AssistantMessage,
  Json,
  Message,
  OccurrenceCount,
  ThinkingLevel,
  Usage,
  WireId,
} from "../agent/messages.js";
import { NO_USAGE } from "../agent/messages.js";
import type {
  SessionEntry,
  SessionHeader,
  SessionRecord,
  TtsrInjection,
  TtsrInjectionPlace,
  TtsrInjectionRule,
} from "./session-entries.js";

type Fields = Record<string, unknown>;

/** Format of the log that this version writes. */
export const LOG_VERSION = 1;

/**
 * @param value what `JSON.parse` made of a line
 * @param previousId parent of an entry that names none, so that a plain list of entries is a conversation too
 * @returns undefined where it is no record
 */
export function parseRecord(value: unknown, previousId: string | null): SessionRecord | undefined {
  if (!isFields(value) || typeof value["type"] !== "string") return undefined;
  if (value["type"] === "session") return parseHeader(value);
  const { id, parentId, timestamp } = value;
  if (typeof id !== "string" || id === "") return undefined;
  const base = {
    id,
    parentId: parentId === null || typeof parentId === "string" ? parentId : previousId,
    timestamp: typeof timestamp === "string" ? timestamp : "",
  };
  return parseEntry(value["type"], value, base);
}

/** @returns the version that a header claims, where the value is a header of a format newer than ours */
export function newerVersion(value: unknown): number | undefined {
  if (!isFields(value) || value["type"] !== "session") return undefined;
  const { version } = value;
  return typeof version === "number" && version > LOG_VERSION ? version : undefined;
}

function parseHeader(value: Fields): SessionHeader | undefined {
  const { id, timestamp, cwd, parentSession } = value;
  if (typeof id !== "string" || id === "" || typeof cwd !== "string") return undefined;
  return {
    type: "session",
    version: LOG_VERSION,
    id,
    timestamp: typeof timestamp === "string" ? timestamp : "",
    cwd,
    ...(typeof parentSession === "string" ? { parentSession } : {}),
  };
}

function parseEntry(
  type: string,
  value: Fields,
  base: { id: string; parentId: string | null; timestamp: string },
): SessionEntry | undefined {
  switch (type) {
    case "message": {
      const message = parseMessage(value["message"]);
      return message && { type, ...base, message };
    }
    case "ttsr_injection": {
      const injection = parseInjection(value);
      return injection && { type, ...base, ...injection };
    }
    case "model_change": {
      const { provider, model, thinking } = value;
      if (typeof provider !== "string" || typeof model !== "string") return undefined;
      return { type, ...base, provider, model, ...(isThinking(thinking) ? { thinking } : {}) };
    }
    case "compaction": {
      const { summary, firstKeptId, tokensBefore } = value;
      if (typeof summary !== "string" || typeof firstKeptId !== "string") return undefined;
      return { type, ...base, summary, firstKeptId, tokensBefore: count(tokensBefore) };
    }
    case "branch": {
      const { fromId, label } = value;
      if (typeof fromId !== "string") return undefined;
      return { type, ...base, fromId, ...(typeof label === "string" ? { label } : {}) };
    }
    case "title":
      return typeof value["title"] === "string" ? { type, ...base, title: value["title"] } : undefined;
    case "custom":
      if (typeof value["kind"] !== "string") return undefined;
      return { type, ...base, kind: value["kind"], data: (value["data"] ?? null) as Json };
    default:
      return { type: "foreign", ...base, foreignType: type };
  }
}

function parseMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined;
  if (value["role"] === "user" && typeof value["content"] === "string") {
    return { ...value, role: "user", content: [{ type: "text", text: value["content"] }] };
  }
  if (!Array.isArray(value["content"])) return undefined;
  const blocks: unknown[] = value["content"];
  switch (value["role"]) {
    case "user":
      return blocks.every(isTextOrImage) ? (value as unknown as Message) : undefined;
    case "toolResult": {
      if (typeof value["toolCallId"] !== "string" || typeof value["toolName"] !== "string") return undefined;
      const { denied, ...rest } = value;
      const kept = isDenied(denied) ? { denied } : {};
      return blocks.every(isTextOrImage)
        ? ({ ...rest, isError: value["isError"] === true, ...kept } as unknown as Message)
        : undefined;
    }
    case "assistant":
      return blocks.every(isAssistantBlock) ? parseAssistant(value) : undefined;
    default:
      return undefined;
  }
}

function parseAssistant(value: Fields): AssistantMessage | undefined {
  const { provider, model, wire, stopReason, usage } = value;
  if (typeof provider !== "string" || typeof model !== "string" || typeof stopReason !== "string") return undefined;
  const { occurrences, ...rest } = value;
  const counted = Array.isArray(occurrences) ? occurrences.filter(isOccurrence) : [];
  const message = { ...rest, ...(counted.length > 0 ? { occurrences: counted } : {}) } as unknown as AssistantMessage;
  if (typeof wire === "string" && isUsage(usage)) return message;
  // A wire that nobody speaks: what only the same wire may read is then sent to none.
  return {
    ...message,
    wire: typeof wire === "string" ? (wire as WireId) : "scripted",
    usage: isUsage(usage) ? usage : { ...NO_USAGE },
  };
}

function parseInjection(value: Fields): TtsrInjection | undefined {
  if (!Array.isArray(value["rules"])) return undefined;
  const rules = value["rules"].map(parseInjectionRule).filter((rule) => rule !== undefined);
  const { contextMode, cutMessageId, interruptMessageId } = value;
  return {
    rules,
    attempt: count(value["attempt"]),
    turn: count(value["turn"]),
    contextMode: contextMode === "keep" || contextMode === "rewind" ? contextMode : "discard",
    cutMessageId: typeof cutMessageId === "string" ? cutMessageId : "",
    ...(typeof interruptMessageId === "string" ? { interruptMessageId } : {}),
    delivered: value["delivered"] !== false,
    discardedTokens: count(value["discardedTokens"]),
    estimated: value["estimated"] === true,
  };
}

/** Bare names are accepted (TTSR-8.1). */
function parseInjectionRule(value: unknown): TtsrInjectionRule | undefined {
  const fields: Fields = typeof value === "string" ? { name: value } : isFields(value) ? value : {};
  const { name, others } = fields;
  if (typeof name !== "string" || name === "") return undefined;
  return {
    name,
    hash: string(fields["hash"]),
    path: string(fields["path"]),
    ...parsePlace(fields),
    ...(Array.isArray(others) ? { others: others.filter(isFields).map(parsePlace) } : {}),
  };
}

function parsePlace(fields: Fields): TtsrInjectionPlace {
  const { filePath, toolName, repeats } = fields;
  return {
    lane: string(fields["lane"]),
    ...(typeof toolName === "string" ? { toolName } : {}),
    ...(typeof filePath === "string" ? { filePath } : {}),
    excerpt: string(fields["excerpt"]),
    ...(typeof repeats === "string" ? { repeats } : {}),
    start: count(fields["start"]),
    end: count(fields["end"]),
  };
}

function isTextOrImage(block: unknown): boolean {
  if (!isFields(block)) return false;
  if (block["type"] === "text") return typeof block["text"] === "string";
  return block["type"] === "image" && typeof block["mediaType"] === "string" && typeof block["data"] === "string";
}

function isDenied(value: unknown): boolean {
  if (!isFields(value) || typeof value["reason"] !== "string") return false;
  return value["by"] === "user" || value["by"] === "policy" || value["by"] === "rule";
}

function isAssistantBlock(block: unknown): boolean {
  if (!isFields(block)) return false;
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string";
    case "thinking":
      return typeof block["thinking"] === "string";
    case "toolCall":
      return typeof block["id"] === "string" && typeof block["name"] === "string" && isFields(block["arguments"]);
    case "opaque":
      return typeof block["wire"] === "string";
    default:
      return false;
  }
}

function isOccurrence(value: unknown): value is OccurrenceCount {
  if (!isFields(value) || typeof value["rule"] !== "string" || typeof value["hash"] !== "string") return false;
  return Number.isSafeInteger(value["times"]) && Number(value["times"]) > 0;
}

function isUsage(value: unknown): value is Usage {
  if (!isFields(value)) return false;
  return ["input", "output", "cacheRead", "cacheWrite"].every((key) => typeof value[key] === "number");
}

const LEVELS: ReadonlySet<unknown> = new Set([
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
] satisfies ThinkingLevel[]);

function isThinking(value: unknown): value is ThinkingLevel {
  return LEVELS.has(value);
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
