/** The conversation as everybody sees it: the loop, the wires, the session log, the faces. Plain data only. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Names of the four wire formats, and of the scripted model that needs none. */
export type WireId = "anthropic-messages" | "openai-responses" | "openai-chat" | "gemini" | "scripted";

export interface TextBlock {
  type: "text";
  text: string;
  /** What the wire wants back unaltered with this block (item ids, thought signatures). Only its own wire reads it. */
  replay?: Json;
}

export interface ThinkingBlock {
  type: "thinking";
  /** Empty when redacted. */
  thinking: string;
  /** Proof by the provider; thinking without one is never sent back. For redacted thinking: the encrypted data. */
  signature?: string;
  redacted?: boolean;
  replay?: Json;
}

export interface ToolCallBlock {
  type: "toolCall";
  id: string;
  name: string;
  /** Exactly the parse of the joined argument deltas; `{}` when there were none. */
  arguments: Record<string, unknown>;
  /** The joined deltas where they do not parse to an object. Such a call is answered with an error, never run. */
  invalidArguments?: string;
  replay?: Json;
}

/** A block that we do not act on (server tools, unknown kinds): kept, and sent back as it was on the same wire. */
export interface OpaqueBlock {
  type: "opaque";
  wire: WireId;
  data: Json;
}

export interface ImageBlock {
  type: "image";
  mediaType: string;
  /** base64 */
  data: string;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock | OpaqueBlock;

/** Whole tokens. `input` excludes what came from or went into the cache. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Part of `output` that was reasoning, where the wire says so. */
  reasoning?: number;
  /** Counted by us, because the attempt was cut before the provider told. */
  estimated?: boolean;
}

export type StopReason = "stop" | "length" | "toolUse" | "refusal" | "aborted" | "error";
export type AbortReason = "user" | "ttsr" | "timeout" | "budget";

/** A place in an answer. */
export interface RewindPoint {
  /** Index in `content`. */
  block: number;
  /** Of the block's text, UTF-16 units; 0: before the block. */
  offset: number;
}

/** How often a rule held in one answer. */
export interface OccurrenceCount {
  /** Its name. */
  rule: string;
  /** SHA-256 of its file, hex. */
  hash: string;
  times: number;
}

export interface AssistantMessage {
  role: "assistant";
  provider: string;
  model: string;
  wire: WireId;
  content: AssistantBlock[];
  stopReason: StopReason;
  usage: Usage;
  responseId?: string;
  /** Only with `stopReason: "aborted"`. */
  abortReason?: AbortReason;
  /** With `abortReason: "ttsr"`: the rules that cut it. */
  cutBy?: string[];
  /** Rules that count before they act (`warmupMatches`), and how often they held in it. Only on an answer that ended whole. */
  occurrences?: OccurrenceCount[];
  /** What comes after this point is never sent, though it stands in the log. */
  rewoundTo?: RewindPoint;
  /** Only with `stopReason: "error"`: one sentence. */
  errorMessage?: string;
}

export interface UserMessage {
  role: "user";
  content: (TextBlock | ImageBlock)[];
  /** Written by the program, not by the user: the interrupt of a stream rule, a reminder of one, what a command of the user's own printed. */
  synthetic?: "ttsr-interrupt" | "ttsr-reminder" | "user-command";
  /** The rules that are told in it. */
  rules?: string[];
  /** Those of them that are only named, because their text stands before it. */
  again?: string[];
}

/** Why a call was not run: somebody who was asked, the settings and flags, or a stream rule. */
export interface DeniedView {
  by: "user" | "policy" | "rule";
  reason: string;
}

export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextBlock | ImageBlock)[];
  isError: boolean;
  /** The call was not run. For people; no model is sent it but in the words of `content`. */
  denied?: DeniedView;
  /** The rules that are told in front of the result, or instead of one. */
  rules?: string[];
  /** Those of them that are only named, because their text stands before it. */
  again?: string[];
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

export const NO_USAGE: Readonly<Usage> = Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });

/** @returns a user message of one text block */
export function userText(text: string, more: Omit<UserMessage, "role" | "content"> = {}): UserMessage {
  return { role: "user", content: [{ type: "text", text }], ...more };
}

/** @returns the visible text of a message, blocks joined with nothing between */
export function textOf(message: Message): string {
  let text = "";
  for (const block of message.content) if (block.type === "text") text += block.text;
  return text;
}

/** @returns the sum of two usages; estimated if either is */
export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
    ...(a.estimated || b.estimated ? { estimated: true } : {}),
  };
}
