/** A rules folder → what a provider gives back. Shared by every provider whose files have our own keys. */
import type { LoadResult } from "../capability/rule-capability.js";
import { MAX_RULES } from "./keys.js";
import { readRuleFile } from "./rule-file.js";
import { type WalkedFile, walkRules } from "./walk.js";

/** @returns a result with nothing in it, to be filled */
export function emptyResult(): LoadResult {
  return { found: [], skipped: [], diagnostics: [] };
}

/** Reads walked files into `result`. */
export function addFiles(result: LoadResult, files: readonly WalkedFile[], provider: string): void {
  for (const { path, name, bytes } of files) {
    const { rule, diagnostics, broken } = readRuleFile({ path, name, provider, bytes });
    result.found.push({ rule, ...(broken === undefined ? {} : { broken }) });
    result.diagnostics.push(...diagnostics);
  }
}

/**
 * Reads one folder into `result`.
 * @param folder absolute
 * @param boundary real path of the folder that links may not leave; undefined for the user's own folders
 * @returns whether the folder is there
 */
export function addFolder(result: LoadResult, folder: string, provider: string, boundary?: string): boolean {
  const room = MAX_RULES - result.found.length;
  const { files, skipped, exists } = walkRules(folder, {
    provider,
    room,
    ...(boundary === undefined ? {} : { boundary }),
  });
  addFiles(result, files, provider);
  result.skipped.push(...skipped);
  return exists;
}
