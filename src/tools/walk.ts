/** All files below a folder that git does not ignore, where there is no search program. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../platform/paths.js";
import { IgnoreRules } from "./ignore-rules.js";

/** Files; a larger tree is cut. */
const LIMIT = 100_000;

/** Yields absolute paths; links are not followed. */
export async function* walk(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  let left = LIMIT;
  const stack: { folder: string; rules: IgnoreRules }[] = [{ folder, rules: await IgnoreRules.forFolder(folder) }];
  for (let step = stack.pop(); step && left > 0 && !signal.aborted; step = stack.pop()) {
    for (const entry of await entriesOf(step.folder)) {
      const path = join(step.folder, entry.name);
      if (entry.name === ".git" || step.rules.ignores(path, entry.isDirectory())) continue;
      if (entry.isDirectory()) stack.push({ folder: path, rules: await step.rules.enter(path) });
      else if (entry.isFile() && left-- > 0) yield path;
    }
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // A folder that may not be entered, or is gone since, has nothing to find.
    if (["EACCES", "EPERM", "ENOENT"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}
