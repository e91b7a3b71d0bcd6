import picomatch from "picomatch";
import { UserError } from "../platform/errors.js";

/** Stars in one part of a path. Matching backtracks, and its cost grows with the length of a name to the power of this. */
const MOST_STARS = 4;

/**
 * A glob as ripgrep understands it, without extended groups, that no pattern can make slow.
 * @throws UserError in words for the model, where one part of the pattern has too many stars
 */
export function compileGlob(pattern: string): (name: string) => boolean {
  for (const part of pattern.split("/")) {
    if ((part.match(/\*+/g)?.length ?? 0) <= MOST_STARS) continue;
    throw new UserError("bad-glob", `"${pattern}" has more than ${MOST_STARS} stars in one part; use fewer.`);
  }
  return picomatch(pattern, { dot: true, noextglob: true });
}
