/** Best effort: a command is text, and may reach a protected file without naming it. */
import { isProtectedName } from "./protected-paths.js";

/** Programs that write to the files they are given; `sed` and `perl` only with `-i`. */
const WRITERS =
  /(?:^|[\s;&|(/`])(?:tee|cp|mv|rm|rmdir|unlink|shred|ln|install|truncate|chmod|chown|dd|touch|mkdir|rsync|curl|wget|patch|tar|unzip|(?:sed|perl)(?=.*?\s-(?:[a-zA-Z]*i|-in-place)))(?=\s|$)/;
/** A redirection to nowhere or from one descriptor to another writes nothing. */
const HARMLESS = /(?:\d|&)?>>?\s*(?:\/dev\/(?:null|stdout|stderr|tty)\b|&[\d-]+)/g;
/** What is left out is not written. */
const EXCLUDES = /\s--exclude(?:-dir)?[=\s]\S+/g;
const TARGET = />>?\|?\s*([^\s;&|<>()`]+)/g;
const MOVES = /(?:^|[\s;&|(`])(?:cd|pushd)\s+(?:--\s+|-\w+\s+)*([^\s;&|<>()`]+)/g;

/** @returns the protected name that the command seems to write to */
export function protectedInCommand(command: string): string | undefined {
  const text = command
    .replaceAll(HARMLESS, " ")
    .replaceAll(EXCLUDES, " ")
    .replaceAll(/["'\\]/g, "");
  const targets = [...text.matchAll(TARGET)].map((found) => found[1] ?? "");
  const writes = WRITERS.test(text);
  if (!writes && targets.length === 0) return undefined;
  const moves = [...text.matchAll(MOVES)].map((found) => found[1] ?? "");
  const words = writes ? text.split(/[\s;&|<>()`=,:]+/) : [...targets, ...moves];
  for (const word of words) {
    const part = word.split("/").find(isProtectedName);
    if (part !== undefined) return part;
  }
  return undefined;
}
