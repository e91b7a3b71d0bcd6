/** Cuts a growing text into pieces of one zone each (TTSR-3.3). */
import type { Zone } from "../../capability/rule.js";

/** `mark`: the quotes around a string, which belong to the code and to the string; `searched`: what a command searches for. */
export type Kind = Zone | "mark" | "searched";

export interface Piece {
  /** UTF-16 units, at least one. */
  length: number;
  kind: Kind;
}

/**
 * Keeps its place between calls. Which kind a unit has is a function of the text alone: a piece may end anywhere, where the text known by
 * now ends too.
 */
export interface Tokenizer {
  /**
   * @param at of `text`, which begins at most a few units before it
   * @param final the text ends here
   * @returns the piece that begins at `at`; undefined where some units behind it must be known first, never where `final`
   */
  next(text: string, at: number, final: boolean): Piece | undefined;
  /** @returns another one in the same place */
  clone(): Tokenizer;
}
