/** File patterns as git-ignore reads them (TTSR-3.2), with braces, since people write them. */
import { posix } from "node:path";
import picomatch from "picomatch";
import { compileTriggers } from "./matcher/index.js";

/** A folder that no pattern names: what lies outside is met by patterns for any depth alone. */
const OUTSIDE = "\u0001/";

/** UTF-16 units of a pattern; no path is so long. */
const LONGEST_PATTERN = 1_024;
/** UTF-16 units of a path, and stars and braces in a pattern, up to which a regular expression answers within milliseconds. */
const TAME = { path: 256, stars: 3, braces: 3 };

export type PathTest = (path: string) => boolean;

/**
 * - a pattern without `/` (but at its end) matches at any depth, one with `/` from the folder on that the patterns count from;
 * - what matches a folder matches everything below;
 * - `!` takes back, the last pattern that matches decides; a list of only `!` patterns takes back from everything.
 *
 * @param below the way down from the folder that the patterns count from to the working folder, posix separators; default: they are one
 * @returns a test of paths relative to the working folder, posix separators
 */
export function compileGlobs(patterns: readonly string[], below = ""): PathTest {
  const steps = patterns
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "")
    .map((pattern) => {
      const negated = pattern.startsWith("!");
      return { negated, test: compileOne(negated ? pattern.slice(1) : pattern, !negated) };
    });
  const start = steps.length > 0 && steps.every(({ negated }) => negated);
  return (path) => {
    const plain = (below === "" ? path : posix.normalize(`${below}/${path}`))
      .replace(/^(?:\.?\/)+/, "")
      .replace(/^(?:\.\.\/)+/, OUTSIDE);
    return steps.reduce((matched, { negated, test }) => (test(plain) ? !negated : matched), start);
  };
}

/** @returns false for a pattern that is too long, or has too many stars and braces, to be tried on paths */
export function isReadable(pattern: string): boolean {
  if (pattern.length > LONGEST_PATTERN) return false;
  return isTame(pattern) || linearTest(sourcesOf(pattern), true) !== undefined;
}

/** @param unread what a pattern that cannot be tried says of every path: a rule is rather armed than not */
function compileOne(pattern: string, unread: boolean): PathTest {
  if (pattern.length > LONGEST_PATTERN) return () => unread;
  const sources = sourcesOf(pattern);
  const tame = isTame(pattern);
  const quick = tame ? picomatch(sources, OPTIONS) : undefined;
  let linear: PathTest | undefined;
  return (path) => {
    if (quick && path.length <= TAME.path) return quick(path);
    linear ??= linearTest(sources, unread) ?? (() => unread);
    return linear(path);
  };
}

const OPTIONS = { dot: true, nonegate: true, noextglob: true };

/** @returns the globs, any of which is to match */
function sourcesOf(pattern: string): string[] {
  const folder = pattern.endsWith("/");
  // To git a parenthesis is a letter.
  const body = pattern
    .replace(/^\.?\//, "")
    .replace(/\/$/, "")
    .replace(/[()]/g, "\\$&");
  const anchored = pattern.replace(/^\.\//, "/").replace(/\/$/, "").includes("/");
  const base = anchored ? body : `**/${body}`;
  return folder ? [`${base}/**/*`] : [base, `${base}/**/*`];
}

/** Whether a regular expression that backtracks may be tried on a path; a plus behind a bracket repeats it. */
function isTame(pattern: string): boolean {
  const stars = pattern.match(/\*+|\+/g)?.length ?? 0;
  const braces = pattern.match(/\{/g)?.length ?? 0;
  return stars <= TAME.stars && braces <= TAME.braces;
}

/** The same by the matcher, whose cost grows with the path alone. @returns undefined where that is too much for it */
function linearTest(globs: readonly string[], unread: boolean): PathTest | undefined {
  const patterns = globs.map((glob) => picomatch.makeRe(glob, OPTIONS).source);
  const set = compileTriggers(patterns.map((pattern, index) => ({ ruleId: globs[index] ?? "", pattern, index: 0 })));
  const isRead = (): boolean => globs.every((glob) => set.tierOf(glob) === 1);
  if (!isRead()) return undefined;
  return (path) => {
    const cursor = set.open(() => true);
    if (cursor.feed(path).length > 0 || cursor.end().now.length > 0) return true;
    // It may have been given up on this very path.
    return isRead() ? false : unread;
  };
}

/** Splits at commas that stand outside `()`, `{}` and `[]`; blanks around and empty parts go. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of text) {
    if ("({[".includes(char)) depth++;
    else if (")}]".includes(char)) depth = Math.max(0, depth - 1);
    if (char === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== "");
}
