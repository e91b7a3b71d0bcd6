/** A rules folder or file → what a provider gives back. */
import type { ReadingRoom } from "../capability/reading-room.js";
import type { LoadResult } from "../capability/rule-capability.js";
import type { Dialect } from "./dialect.js";
import { MAX_RULES } from "./keys.js";
import { readRuleFile } from "./rule-file.js";
import { readOne, type Walked, walkRules } from "./walk.js";

/** Which files of a folder are rules, and how they are written. */
export interface FolderShape {
  /** Default: `.md` and `.mdc`. What a name has before its ending is the rule's. */
  endings?: readonly string[];
  /** Folders below it that hold something else. */
  except?: readonly string[];
  /** Default: our own keys. */
  dialect?: Dialect;
}

interface Origin {
  provider: string;
  /** Real path of the folder that links may not leave; undefined for the user's own folders. */
  boundary?: string;
  reading?: ReadingRoom | undefined;
}

/** @returns a result with nothing in it, to be filled */
export function emptyResult(): LoadResult {
  return { found: [], skipped: [], diagnostics: [] };
}

/**
 * Reads one folder into `result`.
 * @param folder absolute
 * @returns whether the folder is there
 */
export function addFolder(result: LoadResult, folder: string, options: Origin & FolderShape): boolean {
  const walked = walkRules(folder, { ...options, room: roomIn(result) });
  take(result, walked, options);
  return walked.exists;
}

/** Reads one file, if it is there, into `result`. */
export function addFile(result: LoadResult, path: string, options: Origin & { name: string; dialect: Dialect }): void {
  take(result, readOne(path, options.name, { ...options, room: roomIn(result) }), options);
}

/** Reads a rule that stands in no file. */
export function addText(result: LoadResult, text: string, rule: Origin & { owner: string; name: string }): void {
  const path = `${rule.owner}:${rule.name}`;
  take(result, { files: [{ path, name: rule.name, bytes: Buffer.from(text) }], skipped: [], exists: true }, rule);
}

function take(
  result: LoadResult,
  { files, skipped }: Walked,
  { provider, dialect, reading }: Origin & { dialect?: Dialect },
): void {
  result.skipped.push(...skipped);
  for (const file of files) {
    const { rule, diagnostics, broken, off } = readRuleFile({
      ...file,
      provider,
      reading,
      ...(dialect ? { dialect } : {}),
    });
    result.found.push({
      rule,
      ...(broken === undefined ? {} : { broken }),
      ...(off === undefined ? {} : { off }),
    });
    result.diagnostics.push(...diagnostics);
  }
}

function roomIn(result: LoadResult): number {
  return MAX_RULES - result.found.length;
}
