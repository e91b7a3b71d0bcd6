/** What the author of a trigger should know: what it matches, when it can fire, what it costs, and what it may have been meant to be. */
import { Program } from "../automaton/program.js";
import { DEFAULT_LIMITS } from "../limits.js";
import type { Regular } from "../pattern/ir.js";
import { LOOSE, lower, STRICT, TAKING_NOTHING } from "../pattern/lower.js";
import type { ParsedSource } from "../source.js";
import { lintCost } from "./cost.js";
import type { Finding } from "./finding.js";
import { lintLetters } from "./letters.js";
import { lintMatches } from "./matches.js";
import { type Prospects, prospects } from "./prospects.js";
import { lintTiming } from "./timing.js";
import { lintTraps } from "./traps.js";

/**
 * @param pattern as written
 * @param regular undefined where tier 1 cannot run it
 * @param program its parts; undefined where they are too large as well
 */
export function lint(
  pattern: string,
  parsed: ParsedSource,
  regular: Regular | undefined,
  program: Program | undefined,
): Finding[] {
  const known = regular ? program : Program.of([lower(parsed, LOOSE)], DEFAULT_LIMITS.positionsPerRule);
  const outlook = known?.parts.map((_, part) => prospects(known, part)) ?? [];
  const alone = regular?.parts[0] === regular?.whole ? program : undefined;
  const fatal = regular
    ? lintMatches(pattern, regular, outlook, true, alone)
    : lintMatchesOfSlow(pattern, parsed, outlook);
  const traps = [...lintTraps(pattern, parsed), ...lintLetters(parsed)];
  if (fatal.some(({ severity }) => severity === "error")) return [...fatal, ...traps];
  return [...fatal, ...traps, ...lintTiming(parsed, outlook), ...lintCost(parsed)];
}

function lintMatchesOfSlow(pattern: string, parsed: ParsedSource, outlook: readonly Prospects[]): Finding[] {
  const whole = lower(parsed, TAKING_NOTHING);
  const found = lintMatches(pattern, { whole, parts: [whole] }, outlook, false);
  if (found.length > 0) return found;
  const strict = lower(parsed, STRICT);
  return lintMatches(pattern, { whole: strict, parts: [strict] }, [], true);
}
