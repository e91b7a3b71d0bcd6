import picomatch from "picomatch";
import { compileWildcard } from "../platform/wildcard.js";

/** The session that a person talks to, as opposed to those that it starts. */
export const TOP_AGENT = "main";

/** UTF-16 units of a glob: on a name as short as an agent's, one of that length cannot be slow. */
const LONGEST_GLOB = 64;

/**
 * Whether a rule holds for an agent (TTSR-3.4). Case does not count; `!` takes back, and the last pattern that matches decides; a list of
 * only `!` patterns takes back from everybody; no list means everybody.
 */
export function holdsFor(patterns: readonly string[] | undefined, agent: string): boolean {
  if (patterns === undefined || patterns.length === 0) return true;
  const steps = patterns.map((pattern) => ({ negated: pattern.startsWith("!"), glob: pattern.replace(/^!/, "") }));
  return steps.reduce(
    (held, { negated, glob }) => (isMeant(glob, agent) ? !negated : held),
    steps.every(({ negated }) => negated),
  );
}

function isMeant(glob: string, agent: string): boolean {
  if (glob.length > LONGEST_GLOB) return compileWildcard(glob, { ignoreCase: true })(agent);
  return picomatch.isMatch(agent, glob, { nocase: true, noextglob: true, dot: true });
}
