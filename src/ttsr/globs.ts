/** File patterns as git-ignore reads them (TTSR-3.2), with braces, since people write them. */
import { posix } from "node:path";
import picomatch from "picomatch";
import { compileTriggers, type MatcherSet } from "./matcher/index.js";

/** A folder that no pattern names: what lies outside is met by patterns for any depth alone. */
const OUTSIDE = "\u0001/";

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
      return { negated, test: compileOne(negated ? pattern.slice(1) : pattern) };
    });
  const start = steps.length > 0 && steps.every(({ negated }) => negated);
  return (path) => {
    const plain = (below === "" ? path : posix.normalize(`${below}/${path}`))
      .replace(/^(?:\.?\/)+/, "")
      .replace(/^(?:\.\.\/)+/, OUTSIDE);
    return steps.reduce((matched, { negated, test }) => (test(plain) ? !negated : matched), start);
  };
}

const OPTIONS = { dot: true, nonegate: true, noextglob: true };
/** Ways in which the wildcards of a pattern may share out a path, up to which a RegExp may try them: some milliseconds. */
const MOST_WAYS = 300_000;

function compileOne(pattern: string): PathTest {
  const folder = pattern.endsWith("/");
  // To git a parenthesis is a letter.
  const body = pattern
    .replace(/^\.?\//, "")
    .replace(/\/$/, "")
    .replace(/[()]/g, "\\$&");
  const anchored = pattern.replace(/^\.\//, "/").replace(/\/$/, "").includes("/");
  const base = anchored ? body : `**/${body}`;
  const globs = folder ? [`${base}/**/*`] : [base, `${base}/**/*`];
  const usual = picomatch(globs, OPTIONS);
  const stars = base.match(/\*+/g)?.length ?? 0;
  const choices = (base.match(/\{[^}]*/g) ?? []).reduce((ways, group) => ways * group.split(",").length, 1);
  let steady: MatcherSet | undefined;
  return (path) => {
    if (choices * waysOf(stars, path.length) <= MOST_WAYS) return usual(path);
    steady ??= compileTriggers(globs.map((glob, index) => ({ ruleId: "glob", pattern: sourceOf(glob), index })));
    const cursor = steady.open(() => true);
    return cursor.feed(path).length > 0 || cursor.end().now.length > 0;
  };
}

/** @returns in how many ways so many stars can share out a text of this length */
function waysOf(stars: number, length: number): number {
  let ways = 1;
  for (let i = 0; i < stars && ways <= MOST_WAYS; i++) ways = (ways * (length + i)) / (i + 1);
  return ways;
}

/** The same expression for the matcher of the triggers, which no pattern stalls. */
function sourceOf(glob: string): string {
  return picomatch.makeRe(glob, OPTIONS).source;
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
