import type { State } from "./automaton/states.js";
import type { Kept } from "./kept-text.js";
import type { Machine } from "./machine.js";
import type { Hit, Latches } from "./progress.js";
import type { SlowTier } from "./tier2/slow-tier.js";
import type { CursorMark } from "./types.js";

/** What a cursor was opened with. It has this, and its marks, in common with those that were forked from it. */
export interface Origin {
  readonly machine: Machine;
  /** Undefined as long as no trigger of the set is in tier 2. */
  slowTier(): SlowTier | undefined;
  readonly armed: (ruleId: string) => boolean;
  /** What stands in front of the stream. */
  readonly before: string;
}

/** The text so far, of a source that gives snapshots, and where the cursor stood in it every so often, from its beginning on. */
export interface Synced {
  readonly text: string;
  readonly marks: readonly Mark[];
}

export class Mark implements CursorMark {
  constructor(
    readonly origin: Origin,
    readonly position: number,
    /** By runner. */
    readonly states: readonly (State | undefined)[],
    readonly latches: Latches,
    readonly hits: readonly Hit[],
    readonly kept: Kept,
    /** Of marks that the caller has: there may have been other texts since. */
    readonly synced?: Synced,
  ) {}
}
