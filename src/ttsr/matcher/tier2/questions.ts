/** What the main thread asks the worker, and what it gets. Offsets are UTF-16 units of the stream. */
import type { Reach } from "../reach.js";

/** One expression on the text `[from, to)` of a stream. */
export interface Check {
  /** The settling rewrite; monotone in the prefix. */
  settled: string;
  /** For the end of the text. */
  original: string;
  flags: string;
  reach: Reach;
}

export interface Question {
  id: number;
  stream: number;
  /** The text that the worker does not have yet begins here. */
  at: number;
  text: string;
  from: number;
  to: number;
  /** The settled form is known not to hold on `[from, known)`, if `known` is greater than `from`. */
  known: number;
  /** `to` is the end of the stream. */
  ended: boolean;
  checks: readonly Check[];
  /** What stands before this is not needed any more. */
  keep: number;
  /** Streams that will not be asked about without their text being sent again. */
  forget: readonly number[];
}

/** `position`: the least prefix on which the check holds, or the length where only the end decided. `start`: where that match begins. */
export interface Found {
  position: number;
  start: number;
  settledBy: "unit" | "end";
}

export interface Answer {
  id: number;
  /** CPU that the answer took, or a little more. Milliseconds. */
  ms: number;
  /** One for each check. */
  found: readonly (Found | undefined)[];
  /** The engine refused an expression or a text. */
  error?: string;
}
