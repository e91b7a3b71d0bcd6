/**
 * What a place between two units looks like, and what `^ $ \b \B` make of it. While the stream runs, the unit on the right of the last place is
 * not known, so the answer has three values: an assertion that asks for it is *unknown* there, and is decided when the unit arrives or the
 * text ends.
 */
import type { EdgeKind } from "../pattern/ir.js";

export const NO = 0;
export const YES = 1;
export const MAYBE = 2;
export type Truth = typeof NO | typeof YES | typeof MAYBE;

/** Kinds of units. */
export const OTHER = 0;
export const WORD = 1;
export const LINE_END = 2;
export type UnitKind = typeof OTHER | typeof WORD | typeof LINE_END;

/** On the left of a place: a kind of unit, or the beginning of the text. */
export const TEXT_START = 3;
export type Before = UnitKind | typeof TEXT_START;

/** On the right of a place: a kind of unit, the end of the text, or what has not arrived. */
export const TEXT_END = 3;
export const UNKNOWN = 4;
export type After = UnitKind | typeof TEXT_END | typeof UNKNOWN;

export const EDGES: readonly EdgeKind[] = [
  "text-start",
  "line-start",
  "text-end",
  "line-end",
  "boundary",
  "no-boundary",
];

export function edgeHolds(kind: EdgeKind, before: Before, after: After): Truth {
  switch (kind) {
    case "text-start":
      return before === TEXT_START ? YES : NO;
    case "line-start":
      return before === TEXT_START || before === LINE_END ? YES : NO;
    case "text-end":
      if (after === UNKNOWN) return MAYBE;
      return after === TEXT_END ? YES : NO;
    case "line-end":
      if (after === UNKNOWN) return MAYBE;
      return after === TEXT_END || after === LINE_END ? YES : NO;
    case "boundary":
      if (after === UNKNOWN) return MAYBE;
      return (before === WORD) !== (after === WORD) ? YES : NO;
    case "no-boundary":
      if (after === UNKNOWN) return MAYBE;
      return (before === WORD) === (after === WORD) ? YES : NO;
  }
}
