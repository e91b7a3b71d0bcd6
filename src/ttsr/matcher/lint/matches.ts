/** Triggers that fire on everything, or on nothing. */
import type { Program } from "../automaton/program.js";
import type { Regular } from "../pattern/ir.js";
import type { Finding } from "./finding.js";
import { matchesAtEveryEnd, probe } from "./probe.js";
import type { Prospects } from "./prospects.js";

/**
 * @param outlook of each part
 * @param exact whether `whole` is the pattern for more than the empty text
 * @param program of `whole`, where there is one
 */
export function lintMatches(
  pattern: string,
  { whole, parts }: Regular,
  outlook: readonly Prospects[],
  exact: boolean,
  program?: Program,
): Finding[] {
  const span = { start: 0, end: pattern.length };
  const probed = probe(whole, parts, program);
  if (probed?.atOnce || matchesAtEveryEnd(whole)) {
    return [
      {
        code: "matches-empty",
        severity: "error",
        message: "This trigger matches even where nothing is written, so it would fire on everything.",
        span,
      },
    ];
  }
  if (exact && probed?.everything) {
    return [
      {
        code: "matches-everything",
        severity: "warning",
        message: "This trigger matches nearly any text, so it would fire on everything.",
        span,
      },
    ];
  }
  if (exact && probed?.most) {
    return [
      {
        code: "matches-most",
        severity: "warning",
        message: "This trigger matches nearly any text that is longer than a word, so it would fire again and again.",
        span,
      },
    ];
  }
  if (probed?.empty) {
    return [
      {
        code: "matches-empty",
        severity: "warning",
        message: "This trigger fires on a text that ends empty.",
        span,
      },
    ];
  }
  if (outlook.includes("none")) {
    return [
      {
        code: "never-matches",
        severity: "error",
        message: "This trigger can never match: it asks for something that cannot stand where it asks for it.",
        span,
        suggestion:
          "Look for a ^ behind or a $ in front of other text, a \\b between two letters, or an empty class. (?m) makes ^ and $ mean lines, and a backslash makes them plain signs.",
      },
    ];
  }
  return [];
}
