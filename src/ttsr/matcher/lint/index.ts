/** What the author of a trigger should know: what it matches, when it can fire, what it costs, and what it may have been meant to be. */
import type { Regular } from "../pattern/ir.js";
import { LOOSE, lower, TAKING_NOTHING } from "../pattern/lower.js";
import type { ParsedSource } from "../source.js";
import { lintCost } from "./cost.js";
import type { Finding } from "./finding.js";
import { lintLetters } from "./letters.js";
import { lintMatches } from "./matches.js";
import { prospects } from "./prospects.js";
import { lintTiming } from "./timing.js";
import { lintTraps } from "./traps.js";

/**
 * @param pattern as written
 * @param regular undefined where tier 1 cannot run it
 */
export function lint(pattern: string, parsed: ParsedSource, regular: Regular | undefined): Finding[] {
  const outlook = regular?.parts.map(prospects) ?? [];
  const fatal = regular ? lintMatches(pattern, regular.whole, outlook, true) : lintMatchesOfSlow(pattern, parsed);
  const traps = [...lintTraps(pattern, parsed), ...lintLetters(parsed)];
  if (fatal.some(({ severity }) => severity === "error")) return [...fatal, ...traps];
  return [...fatal, ...traps, ...lintTiming(parsed, outlook), ...lintCost(parsed)];
}

function lintMatchesOfSlow(pattern: string, parsed: ParsedSource): Finding[] {
  return lintMatches(pattern, lower(parsed, TAKING_NOTHING), [prospects(lower(parsed, LOOSE))], false);
}
