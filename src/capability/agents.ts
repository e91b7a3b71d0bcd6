import picomatch from "picomatch";

/** The session that a person talks to, as opposed to those that it starts. */
export const TOP_AGENT = "main";

/**
 * Whether a rule holds for an agent (TTSR-3.4). Case does not count; `!` takes back, and the last pattern that matches decides; a list of
 * only `!` patterns takes back from everybody; no list means everybody.
 */
export function holdsFor(patterns: readonly string[] | undefined, agent: string): boolean {
  if (patterns === undefined || patterns.length === 0) return true;
  const steps = patterns.map((pattern) => ({ negated: pattern.startsWith("!"), glob: pattern.replace(/^!/, "") }));
  const options = { nocase: true, noextglob: true, dot: true };
  return steps.reduce(
    (held, { negated, glob }) => (picomatch.isMatch(agent, glob, options) ? !negated : held),
    steps.every(({ negated }) => negated),
  );
}
