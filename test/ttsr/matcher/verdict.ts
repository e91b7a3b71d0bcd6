import { compileTriggers } from "../../../src/ttsr/matcher/index.js";
import type { GivenLimits, MatcherSet, Settled } from "../../../src/ttsr/matcher/types.js";

/** One rule `r` with these triggers. */
export function setOf(patterns: string | readonly string[], limits: GivenLimits = {}): MatcherSet {
  const sources = [patterns].flat().map((pattern, index) => ({ ruleId: "r", pattern, index }));
  return compileTriggers(sources, limits);
}

/** What is found on a text that is cut like this, tier 2 included: `"7 unit"`, `"9 end"` or `"silent"`. */
export async function verdictOf(set: MatcherSet, pieces: readonly string[]): Promise<string> {
  const found: Settled[] = [];
  const cursor = set.open(
    () => true,
    (late) => found.push(late),
  );
  for (const piece of pieces) found.push(...cursor.feed(piece));
  const { now, late } = cursor.end();
  found.push(...now, ...(await late));
  return found.map(({ position, settledBy }) => `${position} ${settledBy}`).join(", ") || "silent";
}
