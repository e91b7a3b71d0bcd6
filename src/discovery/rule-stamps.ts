/** A cheap look at rule files: has any of them changed since the last look? Nothing is read. */
import { readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../platform/paths.js";
import { MAX_DEPTH } from "./keys.js";

/** What tells one state of a file from another, by absolute path. The change time cannot be set by a program that writes the file. */
export type RuleStamps = ReadonlyMap<string, string>;

/** Files looked at in all. */
const MAX_FILES = 2_000;

/** @param places files and folders, absolute; those that are not there have no stamp */
export function stampRuleFiles(places: readonly string[]): RuleStamps {
  const stamps = new Map<string, string>();
  for (const place of places) stamp(place, 0, stamps);
  return stamps;
}

/** @returns the files that are new, different or gone */
export function changedFiles(before: RuleStamps, now: RuleStamps): string[] {
  const gone = [...before.keys()].filter((path) => !now.has(path));
  return [...[...now].filter(([path, mark]) => before.get(path) !== mark).map(([path]) => path), ...gone];
}

function stamp(path: string, depth: number, stamps: Map<string, string>): void {
  if (stamps.size >= MAX_FILES) return;
  const stats = look(path);
  if (stats?.isDirectory()) {
    // Rules lie at most so deep; a link that leads in a circle ends here as well.
    if (depth <= MAX_DEPTH) for (const name of entries(path)) stamp(join(path, name), depth + 1, stamps);
  } else if (stats) {
    stamps.set(path, `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`);
  }
}

/** @returns undefined where there is nothing that could be read as a rule */
function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
