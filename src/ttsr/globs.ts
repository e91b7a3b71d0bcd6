/** File patterns as git-ignore reads them (TTSR-3.2), with braces, since people write them. */
import picomatch from "picomatch";

export type PathTest = (path: string) => boolean;

/**
 * - a pattern without `/` (but at its end) matches at any depth, one with `/` from the project's folder on;
 * - what matches a folder matches everything below;
 * - `!` takes back, the last pattern that matches decides; a list of only `!` patterns takes back from everything.
 *
 * @returns a test of paths relative to the project, posix separators
 */
export function compileGlobs(patterns: readonly string[]): PathTest {
  const steps = patterns
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "")
    .map((pattern) => {
      const negated = pattern.startsWith("!");
      return { negated, test: compileOne(negated ? pattern.slice(1) : pattern) };
    });
  const start = steps.length > 0 && steps.every(({ negated }) => negated);
  return (path) => {
    const plain = path.replace(/^(?:\.?\.?\/)+/, "");
    return steps.reduce((matched, { negated, test }) => (test(plain) ? !negated : matched), start);
  };
}

function compileOne(pattern: string): PathTest {
  const folder = pattern.endsWith("/");
  // To git a parenthesis is a letter.
  const body = pattern
    .replace(/^\.?\//, "")
    .replace(/\/$/, "")
    .replace(/[()]/g, "\\$&");
  const anchored = pattern.replace(/^\.\//, "/").replace(/\/$/, "").includes("/");
  const base = anchored ? body : `**/${body}`;
  const options = { dot: true, nonegate: true, noextglob: true };
  return picomatch(folder ? [`${base}/**/*`] : [base, `${base}/**/*`], options);
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
