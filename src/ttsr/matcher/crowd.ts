/**
 * What fits into one automaton. Everything that a set costs at every place of a text, whatever the text is, is bounded here, before there is one. The
 * smallest triggers come first: usual ones keep their place whatever stands beside them.
 */
import type { FastTrigger } from "./compile.js";
import type { CompileLimits } from "./types.js";

/**
 * Ranges of units in all different sets. They make at most twice as many classes, so that a row of the tables takes 16 KB; and as what begins is found
 * by its set, four units cost 1,000 steps at most before anything has begun.
 */
const MOST_RANGES = 2000;

/** @returns those that do not fit, and what there is too much of, as the end of a sentence */
export function crowdedOut(
  triggers: readonly FastTrigger[],
  { positionsPerSet, threadsPerSet }: CompileLimits,
): ReadonlyMap<FastTrigger, string> {
  // The other half is for what is on its way.
  const most = { positions: positionsPerSet, starts: threadsPerSet >> 1, ranges: MOST_RANGES };
  const taken = { positions: 0, starts: 0, ranges: 0 };
  const known = new Set<string>();
  const out = new Map<FastTrigger, string>();
  for (const trigger of [...triggers].sort((a, b) => a.positions - b.positions)) {
    const fresh = trigger.sets.filter((set) => !known.has(set.join()));
    const ranges = fresh.reduce((sum, set) => sum + set.length / 2, 0);
    const { positions, starts } = trigger;
    if (taken.positions + positions > most.positions) out.set(trigger, "places when their counts are written out");
    else if (taken.starts + starts > most.starts) out.set(trigger, "ways to begin");
    else if (taken.ranges + ranges > most.ranges) out.set(trigger, "different characters");
    else {
      taken.positions += positions;
      taken.starts += starts;
      taken.ranges += ranges;
      for (const set of fresh) known.add(set.join());
    }
  }
  return out;
}
