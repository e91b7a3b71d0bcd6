/** Which files `rules backtest` reads. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { reasonOf, UserError } from "../../../platform/errors.js";
import { sessionFiles } from "../../../session/session-list.js";
import { systemDirs } from "../../dirs.js";

/** Where other agents keep theirs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  claude: join(".claude", "projects"),
  pi: join(".pi", "agent", "sessions"),
};
const READ = /\.(?:jsonl|json|traj|md|txt|log)$/i;
const MAX_FILES = 10_000;
/** Bytes. A larger file is named and left out. */
export const MAX_BYTES = 64 * 1024 * 1024;

/**
 * @param words `own`, `claude`, `pi`, or paths of files and folders
 * @throws UserError `no-sessions` (2) where a path is not there
 */
export function transcriptFiles(words: readonly string[]): string[] {
  const files = words.flatMap((word) => {
    if (word === "own") return sessionFiles(systemDirs().state);
    const known = ELSEWHERE[word];
    const path = known === undefined ? resolve(word) : join(homedir(), known);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UserError("no-sessions", `--sessions ${word}: ${path} is not there.`, 2);
    return stats.isDirectory() ? below(path) : [path];
  });
  return [...new Set(files)].slice(0, MAX_FILES);
}

function below(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && READ.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @returns the text, or why it was not read */
export function readTranscriptFile(path: string): { text: string } | { reason: string } {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) return { reason: `it has ${size} bytes, more than ${MAX_BYTES}` };
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}
