/** The streaming matcher: rules' triggers in, settled matches out. Imports nothing from outside this folder; also published on its own. */
import { DEFAULT_LIMITS } from "./limits.js";
import { TriggerMemory } from "./memory.js";
import { TriggerSet } from "./set.js";
import type { GivenLimits, MatcherSet, TriggerSource } from "./types.js";

export { type MatchTail, matchStart } from "./match-start.js";
export type * from "./types.js";
export { TriggerMemory };

/**
 * Compiles all triggers into one set. A trigger that is refused has a diagnostic of severity `error`; the others work without it.
 * Never throws on a bad pattern.
 * @param memory where the same triggers are compiled more than once
 */
export function compileTriggers(
  sources: readonly TriggerSource[],
  limits: GivenLimits = {},
  memory: TriggerMemory = new TriggerMemory(),
): MatcherSet {
  const all = { ...DEFAULT_LIMITS, ...limits, worker: { ...DEFAULT_LIMITS.worker, ...limits.worker } };
  return new TriggerSet(
    sources.map((source) => memory.compile(source, all)),
    all,
  );
}
