/** The streaming matcher: rules' triggers in, settled matches out. Imports nothing from outside this folder; also published on its own. */
import { DEFAULT_LIMITS } from "./limits.js";
import { TriggerSet } from "./set.js";
import type { CompileLimits, MatcherSet, TriggerSource } from "./types.js";

export { type MatchTail, matchStart } from "./match-start.js";
export type * from "./types.js";

/**
 * Compiles all triggers into one set. A trigger that is refused has a diagnostic of severity `error`; the others work without it.
 * Never throws on a bad pattern.
 */
export function compileTriggers(sources: readonly TriggerSource[], limits: Partial<CompileLimits> = {}): MatcherSet {
  return new TriggerSet(sources, { ...DEFAULT_LIMITS, ...limits });
}
