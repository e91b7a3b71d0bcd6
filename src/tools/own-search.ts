/** Searches files line by line where ripgrep is not installed: slower, with JavaScript's patterns, but the same kind of answer. */
import { stat } from "node:fs/promises";
import { reasonOf, UserError } from "../platform/errors.js";
import { readWhole } from "../platform/files.js";
import { errorCode } from "../platform/paths.js";
import { decodeText } from "../platform/text-codec.js";
import { fileFilter, type Hits, hitLine, MAX_HITS, type Search } from "./search-hits.js";
import { walk } from "./walk.js";

/** Larger files are left out. Bytes. */
const FILE_LIMIT = 2 * 1024 * 1024;
/** Longer lines are left out: JavaScript's matching has no bound of its own. UTF-16 units. */
const LINE_LIMIT = 20_000;

export async function ownSearch(search: Search): Promise<Hits> {
  let pattern: RegExp;
  try {
    pattern = new RegExp(search.pattern, search.ignoreCase ? "i" : "");
  } catch (error) {
    const why = reasonOf(error).replace(/^Invalid regular expression: \/.*\/\w*: /s, "");
    return { lines: [], problem: `The pattern cannot be read: ${why}.` };
  }
  const fits = fileFilter(search);
  const lines: string[] = [];
  const alone = (await stat(search.root)).isFile();
  for await (const path of alone ? [search.root] : walk(search.root, search.signal)) {
    if (!fits(path)) continue;
    for (const [at, line] of (await linesOf(path)).entries()) {
      if (line.length <= LINE_LIMIT && pattern.test(line)) lines.push(hitLine(search.cwd, path, at + 1, line));
      if (lines.length > MAX_HITS) return { lines };
    }
  }
  return { lines };
}

/** @returns none for a file that is binary, too large, gone since, or not ours to read */
async function linesOf(path: string): Promise<string[]> {
  let bytes: Buffer;
  try {
    ({ bytes } = await readWhole(path, FILE_LIMIT));
  } catch (error) {
    if (error instanceof UserError) return [];
    if (["ENOENT", "EACCES", "EPERM", "ELOOP"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok && bytes.includes(0)) return [];
  const lines = (decoded.ok ? decoded.text : bytes.toString("utf8")).split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
