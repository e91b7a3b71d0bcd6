/** All files below a folder that git does not ignore, where there is no search program. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../platform/paths.js";
import { IgnoreRules } from "./ignore-rules.js";

/** Files; a larger tree is cut. */
const LIMIT = 100_000;

/** Yields absolute paths in the order of their names; links are not followed. Ends when `signal` aborts. */
export async function* walk(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  let left = LIMIT;
  // What comes next is last.
  const stack: { path: string; isFolder: boolean; rules: IgnoreRules }[] = [
    { path: folder, isFolder: true, rules: await IgnoreRules.forFolder(folder) },
  ];
  for (let step = stack.pop(); step && left > 0 && !signal.aborted; step = stack.pop()) {
    if (!step.isFolder) {
      left--;
      yield step.path;
      continue;
    }
    const rules = step.path === folder ? step.rules : await step.rules.enter(step.path);
    for (const entry of await entriesOf(step.path)) {
      const path = join(step.path, entry.name);
      if (entry.name === ".git" || !(entry.isFile() || entry.isDirectory())) continue;
      if (!rules.ignores(path, entry.isDirectory())) stack.push({ path, isFolder: entry.isDirectory(), rules });
    }
  }
}

/** Last names first. */
async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  } catch (error) {
    // A folder that may not be entered, or is gone since, has nothing to find.
    if (["EACCES", "EPERM", "ENOENT"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}
