/**
 * The shape that every wire format has: `request.ts` turns a request into HTTP, `decode.ts` turns server-sent events into parts, and
 * `index.ts` joins the two as a `Wire`. `http.ts` carries any wire over `fetch`.
 */
import type { Json, ThinkingLevel, WireId } from "../agent/messages.js";
import type { ModelRequest, StreamPart } from "../agent/ports.js";
import type { Price } from "./catalogue.js";

/** One model at one provider, with all that a wire must know to talk to it. Made by `resolve.ts`. */
export interface ModelTarget {
  provider: string;
  model: string;
  wire: WireId;
  /** All that stands before `/messages`, `/responses`, `/chat/completions`, `/models/…`; no slash at the end. */
  baseUrl: string;
  apiKey?: string;
  /** From the user's own files only. */
  headers?: Record<string, string>;
  contextWindow?: number;
  /** Output tokens per request. */
  maxOutput?: number;
  /** Whether the model can think; asking one that cannot is an error at some vendors. */
  reasoning?: boolean;
  /** From the user's own files; what the catalogue knows is not repeated here. */
  price?: Price;
}

export interface WireRequest {
  url: string;
  headers: Record<string, string>;
  /** JSON, byte-stable: the same conversation gives the same bytes. */
  body: Record<string, Json | undefined>;
}

/** One server-sent event: `event` is undefined where the wire names none. */
export interface WireEvent {
  event: string | undefined;
  data: string;
}

/**
 * Turns one response into parts. Pure: no I/O, no clock. Made anew for each request.
 * It keeps the promises of `StreamPart` but for the abort, which the transport sees to.
 */
export interface WireDecoder {
  /** The answer is whole, and only its end is owed: what may still come is the usage. undefined: this wire's end is an event of its own. */
  readonly whole?: boolean;
  /** A block that is not ours to act on (a server's tool at work) is open: its events make no part before it ends. */
  readonly working?: boolean;
  /** @returns the parts that this event completes; [] for pings and unknown events that carry nothing */
  push(event: WireEvent): StreamPart[];
  /**
   * The connection has ended cleanly.
   * @param unframed text after the last framed event, where some servers put an error as bare JSON
   * @returns what is still owed: `finish` if a terminal event was seen and not yet reported, else an `error` of kind "incomplete"
   */
  end(unframed: string): StreamPart[];
}

export interface Wire {
  readonly id: WireId;
  buildRequest(request: ModelRequest, target: ModelTarget): WireRequest;
  createDecoder(target: ModelTarget): WireDecoder;
  /**
   * Reads an HTTP error body in this vendor family's usual shapes.
   * @returns what it says, or undefined where the shape is not known (then the text itself is used)
   */
  readError(body: string): { code?: string; message?: string; retryAfterMs?: number } | undefined;
}

/** Token budgets for thinking, by level, where a wire takes a number. */
export const THINKING_TOKENS: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  minimal: 1024,
  low: 4096,
  medium: 10240,
  high: 24576,
  xhigh: 49152,
};
