/** What the test server is told to answer, in words that fit all four wires. */
import type { WireId } from "../../src/agent/messages.js";
import type { LoggedRequest } from "./log.js";

export type ServedWire = Exclude<WireId, "scripted">;

export const SERVED_WIRES: readonly ServedWire[] = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"];

export type AnswerBlock =
  /** `endless` repeats the text for ever (until the client closes); what follows it is never sent. */
  | { type: "text"; text: string; endless?: boolean }
  /** `redacted`: only the wires that know such a thing send it; `signature` holds the encrypted data. */
  | { type: "thinking"; thinking: string; signature?: string; redacted?: boolean }
  /** `args` as a string is sent as it stands, valid JSON or not. `id` is made up when absent. */
  | { type: "call"; name: string; args: Record<string, unknown> | string; id?: string };

/** Whole tokens; `input` without the cached ones, `output` with the reasoning ones. */
export interface AnswerUsage {
  input: number;
  output: number;
  cacheRead: number;
  /** Only anthropic-messages tells it apart; elsewhere it counts as plain input. */
  cacheWrite: number;
  reasoning: number;
}

const DEFAULT_USAGE: Readonly<AnswerUsage> = {
  input: 11,
  output: 44,
  cacheRead: 33,
  cacheWrite: 0,
  reasoning: 0,
};

/** One HTTP response. An event count is the number of SSE events that go out before the thing happens. */
export interface Answer {
  blocks?: readonly AnswerBlock[];
  /** Default: `toolUse` when there is a call, else `stop`. */
  stop?: "stop" | "toolUse" | "length" | "refusal";
  usage?: Partial<AnswerUsage>;

  // ---- how it is cut up ----
  /** Characters (code points) a delta; "whole" puts a block in one. Default 4. */
  chunk?: number | "whole";
  /** Milliseconds between events. Default 0. */
  gapMs?: number;
  /** Milliseconds before the status line. Default 0. */
  delayMs?: number;
  /** Asked before each event, with the count of those that went out; the event waits for the promise. What a test sees meanwhile hangs on no time. */
  before?: (count: number) => Promise<void> | undefined;
  /** The whole turn in one socket write. */
  burst?: boolean;
  /** Bytes a write, whatever lines and code points it cuts through. */
  splitBytes?: number;
  /** Line ends of the event stream. */
  crlf?: boolean;
  /** A comment line before every event, as some servers send to keep the line open. */
  comments?: boolean;
  /** Gemini only: string arguments come in pieces (`partialArgs`) instead of a call in one piece. */
  streamArgs?: boolean;

  // ---- how it goes wrong ----
  /** Sends nothing more after that many events, and keeps the connection open. */
  stallAfter?: number;
  /** Destroys the socket. */
  cutAfter?: number;
  /** Ends the response cleanly, in the middle of the answer. */
  endAfter?: number;
  /** Sends the wire's in-stream error, then ends. */
  errorAfter?: number;
  /** An HTTP error instead of a stream. */
  status?: number;
  /** Body of the HTTP error; default: one in the wire's own shape. An object is sent as JSON. */
  body?: string | object;
  /** `retry-after` header, seconds. */
  retryAfter?: number;
  headers?: Record<string, string>;
}

/** Answers in order, one a request; or a function that looks at the request. `index` counts from 0. */
export type Script = readonly Answer[] | ((request: LoggedRequest, index: number) => Answer | Promise<Answer>);

/** @returns an answer of one text block */
export function say(text: string, more: Omit<Answer, "blocks"> = {}): Answer {
  return { blocks: [{ type: "text", text }], ...more };
}

/** @returns an answer of one tool call */
export function callTool(
  name: string,
  args: Record<string, unknown> | string,
  more: Omit<Answer, "blocks"> = {},
): Answer {
  return { blocks: [{ type: "call", name, args }], ...more };
}

/** @returns for an answer that sends so many events, and the others once `until` is kept */
export function holdAfter(events: number, until: Promise<void>): Pick<Answer, "before"> {
  return { before: (count) => (count === events ? until : undefined) };
}

/** @returns the reason the answer ends with */
export function stopOf(answer: Answer): NonNullable<Answer["stop"]> {
  if (answer.stop) return answer.stop;
  return answer.blocks?.some((block) => block.type === "call") ? "toolUse" : "stop";
}

/** @returns the usage with the defaults filled in */
export function usageOf(answer: Answer): AnswerUsage {
  return { ...DEFAULT_USAGE, ...answer.usage };
}
