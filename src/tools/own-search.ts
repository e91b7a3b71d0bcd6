/** Searches files line by line where ripgrep is not installed: slower, with JavaScript's patterns, but the same kind of answer. */
import { stat } from "node:fs/promises";
import { createContext, Script } from "node:vm";
import { reasonOf, UserError } from "../platform/errors.js";
import { readWhole } from "../platform/files.js";
import { errorCode } from "../platform/paths.js";
import { decodeText } from "../platform/text-codec.js";
import { fileFilter, type Hits, hitLine, MAX_HITS, type Search } from "./search-hits.js";
import { walk } from "./walk.js";

/** Larger files are left out. Bytes. */
const FILE_LIMIT = 2 * 1024 * 1024;
/** Longer lines are left out. UTF-16 units. */
const LINE_LIMIT = 20_000;
/** JavaScript's matching has no bound of its own: a pattern that takes longer on one file is given up. Milliseconds. */
const FILE_TIME_MS = 1_000;

/** Runs where it can be interrupted, in the middle of a match too. */
const MATCHING = new Script("lines.flatMap((line, i) => (line.length <= limit && pattern.test(line) ? [i] : []))");

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
    if (!fits(path) || search.hidden(path)) continue;
    const all = await linesOf(path);
    const hits = matching(pattern, all);
    if (!hits) return { lines, problem: "The pattern takes too long to match here; make it simpler." };
    for (const at of hits) {
      lines.push(hitLine(search.cwd, path, at + 1, all[at] ?? ""));
      if (lines.length > MAX_HITS) return { lines };
    }
  }
  return { lines };
}

/** @returns the indexes of the lines that match; undefined when it took too long */
function matching(pattern: RegExp, lines: readonly string[]): number[] | undefined {
  if (lines.length === 0) return [];
  const context = createContext({ pattern, lines, limit: LINE_LIMIT });
  try {
    return MATCHING.runInContext(context, { timeout: FILE_TIME_MS }) as number[];
  } catch (error) {
    // The error comes from the script's own world, so it is no instance of our `Error`.
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
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
