/** A text file as the tools change it: read whole, decoded without loss, and written back in its own encoding. */
import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { atomicWrite } from "../platform/atomic-write.js";
import { UserError } from "../platform/errors.js";
import { fileHash, readWhole } from "../platform/files.js";
import { errorCode } from "../platform/paths.js";
import { type Decoded, decodeText } from "../platform/text-codec.js";
import type { Target } from "./target.js";

/** Above this a file is changed with a command, not with these tools. */
const MAX_FILE = 20 * 1024 * 1024;

export interface FileOnDisk {
  bytes: Buffer;
  stats: Stats;
  /** As in `SeenFiles`. */
  hash: string;
  decoded: Decoded;
}

/**
 * @returns undefined where there is no such file
 * @throws UserError for a folder, a special file, or one that is too large; system errors as they are
 */
export async function loadFile(path: string): Promise<FileOnDisk | undefined> {
  try {
    const { bytes, stats } = await readWhole(path, MAX_FILE);
    return { bytes, stats, hash: fileHash(stats, bytes), decoded: decodeText(bytes) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** @returns the hash of the file as it is now on disk */
export async function saveFile(target: Target, workspace: string, bytes: Buffer): Promise<string> {
  await atomicWrite(target.real, bytes, { root: target.inside ? workspace : dirname(target.real) });
  return fileHash(await lstat(target.real), bytes);
}

/** @throws UserError naming what the file is instead of text */
export function mustBeText(shown: string, decoded: Decoded): Extract<Decoded, { ok: true }> {
  if (decoded.ok) return decoded;
  throw new UserError(
    "not-text",
    `"${shown}" is ${decoded.reason}; only UTF-8 and UTF-16 text can be edited. It was left as it is.`,
  );
}
