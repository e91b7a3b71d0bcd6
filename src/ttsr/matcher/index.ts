/** The streaming matcher: rules' triggers in, settled matches out. Imports nothing from outside this folder; also published on its own. */
import { RegExpCursor } from "./cursor.js";
import { compileTrigger, type Trigger } from "./trigger.js";
import type { CompileLimits, Diagnostic, MatcherSet, TriggerSource } from "./types.js";

export { type MatchTail, matchStart } from "./match-start.js";
export type * from "./types.js";

const LIMITS: CompileLimits = { bufferUnits: 1 << 20 };

/**
 * Compiles all triggers into one set. A trigger that is refused has a diagnostic of severity `error`; the others work without it.
 * Never throws on a bad pattern.
 */
export function compileTriggers(sources: readonly TriggerSource[], limits: Partial<CompileLimits> = {}): MatcherSet {
  const { bufferUnits } = { ...LIMITS, ...limits };
  const diagnostics: Diagnostic[] = [];
  const triggers: Trigger[] = [];
  for (const source of sources) {
    const compiled = compileTrigger(source);
    diagnostics.push(...compiled.diagnostics);
    if (compiled.trigger) triggers.push(compiled.trigger);
  }
  const rules = new Set(triggers.map(({ ruleId }) => ruleId));
  return {
    diagnostics,
    has: (ruleId) => rules.has(ruleId),
    open: (armed) =>
      new RegExpCursor(
        triggers.filter(({ ruleId }) => armed(ruleId)),
        bufferUnits,
      ),
  };
}
