import type { Answer, AnswerBlock } from "./script.js";

/** One server-sent event before framing. */
export interface ServedEvent {
  event?: string;
  data: string;
}

/** Gives ids to the calls of one server, so that none comes twice in a conversation. */
export interface EncodeContext {
  model: string;
  /** Number of the request, from 1. */
  serial: number;
  nextCallId(): string;
}

export type Encoder = (answer: Answer, context: EncodeContext) => Generator<ServedEvent, void, undefined>;

/** @returns the text in pieces of `chunk` code points; [] for an empty text */
export function chop(text: string, chunk: Answer["chunk"] = 4): string[] {
  if (text === "") return [];
  if (chunk === "whole") return [text];
  const points = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += chunk) pieces.push(points.slice(at, at + chunk).join(""));
  return pieces;
}

/** An endless text stops here all the same, so that no forgotten test runs for ever. */
const MOST_REPEATS = 100_000;

/** @returns the deltas of a text block */
export function* textPieces(block: Extract<AnswerBlock, { type: "text" }>, chunk: Answer["chunk"]): Generator<string> {
  const pieces = chop(block.text, chunk);
  for (let round = 0; round < (block.endless ? MOST_REPEATS : 1); round++) yield* pieces;
}

/** @returns the argument text of a call, as it goes over the wire */
export function argsText(block: Extract<AnswerBlock, { type: "call" }>): string {
  return typeof block.args === "string" ? block.args : JSON.stringify(block.args);
}

/** @returns an event whose data is JSON */
export function json(data: object, event?: string): ServedEvent {
  return event === undefined ? { data: JSON.stringify(data) } : { event, data: JSON.stringify(data) };
}
