/** What each recording must come out as: read from an independent reconstruction, mapped by tables that know nothing of the program. */
import { createHash } from "node:crypto";
import type { AssistantMessage, Usage } from "../../src/agent/messages.js";
import type { Recording } from "./recordings-serve.js";

export interface Digest {
  len: number;
  sha256: string;
}

export interface ExpectedCall {
  kind: string;
  id?: string | null;
  name: string;
  arguments?: unknown;
  arguments_valid?: boolean;
  arguments_raw?: string;
}

/** One entry of `expected.json`; what only some wires have is optional. */
export interface Expected {
  status: number;
  error: unknown;
  text?: string;
  thinking?: string;
  tool_calls?: ExpectedCall[];
  stop_reason?: string | null;
  usage?: Tree | null;
  id?: string;
  signatures?: Digest[];
  encrypted_reasoning?: Digest[];
  reasoning_details_opaque?: { type: string; format?: string; signature?: Digest; data?: Digest }[];
  blocks?: string[];
  items?: string[];
  other_parts?: string[];
}

export interface Tree {
  [key: string]: number | string | Tree | null | undefined;
}

const at = (tree: Tree | null | undefined, ...path: string[]): number => {
  let here: Tree[string] = tree ?? undefined;
  for (const key of path) here = typeof here === "object" && here !== null ? here[key] : undefined;
  return typeof here === "number" ? here : 0;
};

/** Our terms: input without the cache, output with the reasoning. */
export function expectedUsage(wire: Recording["wire"], told: Tree | null | undefined): Usage {
  const of = (input: number, output: number, cacheRead: number, cacheWrite: number, reasoning: number): Usage => ({
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  });
  switch (wire) {
    case "anthropic-messages":
      return of(
        at(told, "input_tokens"),
        at(told, "output_tokens"),
        at(told, "cache_read_input_tokens"),
        at(told, "cache_creation_input_tokens"),
        at(told, "output_tokens_details", "thinking_tokens"),
      );
    case "openai-responses": {
      const read = at(told, "input_tokens_details", "cached_tokens");
      const written = at(told, "input_tokens_details", "cache_write_tokens");
      const reasoning = at(told, "output_tokens_details", "reasoning_tokens");
      return of(at(told, "input_tokens") - read - written, at(told, "output_tokens"), read, written, reasoning);
    }
    case "openai-chat": {
      const read = at(told, "prompt_tokens_details", "cached_tokens");
      const written = at(told, "prompt_tokens_details", "cache_write_tokens");
      const reasoning = at(told, "completion_tokens_details", "reasoning_tokens");
      const [input, output] = [at(told, "prompt_tokens"), at(told, "completion_tokens")];
      const above = at(told, "total_tokens") - input - output;
      return of(input - read - written, output + (above === reasoning ? reasoning : 0), read, written, reasoning);
    }
    case "gemini": {
      const read = at(told, "cachedContentTokenCount");
      const thoughts = at(told, "thoughtsTokenCount");
      const input = at(told, "promptTokenCount") + at(told, "toolUsePromptTokenCount");
      return of(input - read, at(told, "candidatesTokenCount") + thoughts, read, 0, thoughts);
    }
  }
}

const STOP = ["end_turn", "stop_sequence", "tool_use", "pause_turn", "completed", "stop", "tool_calls", "STOP"];
const REASONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(STOP.map((raw) => [raw, "stop"])),
  max_tokens: "length",
  length: "length",
  MAX_TOKENS: "length",
  refusal: "refusal",
  RECITATION: "refusal",
};

/** @param calls client calls of the answer */
export function expectedReason(raw: string, calls: number): string {
  const reason = REASONS[raw] ?? `no reason for ${raw}`;
  return reason === "stop" && calls > 0 ? "toolUse" : reason;
}

/** Kinds of errors, told by a human from what the bodies say. */
export const ERRORS: Readonly<Record<string, { code: string; retryable: boolean }>> = {
  "anthropic-http-400": { code: "context-overflow", retryable: false },
  "anthropic-http-401": { code: "auth", retryable: false },
  "azure-openai-http-429": { code: "rate-limit", retryable: true },
  "deepseek-http-400": { code: "context-overflow", retryable: false },
  "google-http-400": { code: "auth", retryable: false },
  "google-http-429": { code: "rate-limit", retryable: true },
  "google-vertex-model-error-mid-stream": { code: "overloaded", retryable: true },
  "mistral-http-401": { code: "auth", retryable: false },
  "ollama-cloud-http-401": { code: "auth", retryable: false },
  "openai-gpt-5-nano-error-mid-stream": { code: "billing", retryable: false },
  "openrouter-http-401": { code: "auth", retryable: false },
  "openrouter-minimax-m2-free-error-mid-stream": { code: "bad-request", retryable: false },
  "xai-http-400": { code: "auth", retryable: false },
};

export const CLIENT_CALLS = new Set(["tool_use", "function_call", "function", "functionCall"]);

export const digest = (text: string): Digest => ({
  len: text.length,
  sha256: createHash("sha256").update(text).digest("hex"),
});

interface Replay {
  thoughtSignature?: string;
  encrypted_content?: string;
  reasoning_details?: { type: string; format?: string; signature?: string; data?: string }[];
}

/** @returns every proof in the message, in order, wherever the wire keeps it */
export function proofsOf(message: AssistantMessage): string[] {
  return message.content.flatMap((block) => {
    if (block.type === "thinking" && block.signature) return [block.signature];
    const kept = (block.type === "opaque" ? block.data : block.replay) as Replay | undefined;
    const proof = kept?.thoughtSignature ?? kept?.encrypted_content;
    return proof ? [proof] : [];
  });
}

/** @returns the signed or encrypted `reasoning_details` that would be sent back, as `expected.json` tells them */
export function detailsOf(message: AssistantMessage): NonNullable<Expected["reasoning_details_opaque"]> {
  return message.content.flatMap((block) => {
    const details =
      (block.type === "opaque" ? undefined : (block.replay as Replay | undefined))?.reasoning_details ?? [];
    return details
      .filter(({ signature, data }) => signature || data)
      .map(({ type, format, signature, data }) => ({
        type,
        ...(format ? { format } : {}),
        ...(signature ? { signature: digest(signature) } : {}),
        ...(data ? { data: digest(data) } : {}),
      }));
  });
}
