/** Opening and reading files whose size and kind are unknown. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { UserError } from "./errors.js";

const CHUNK = 64 * 1024;

/** Files up to this many bytes are known by a hash of their content, larger ones by size, time and inode. */
export const HASHED_BYTES = 2 * 1024 * 1024;

/**
 * Opens a regular file for reading; a last component that has become a link is refused, and a pipe or device never blocks.
 * @throws UserError `not-a-file`; system errors (`ENOENT`, `EISDIR`, `ELOOP` …) as they are
 */
export async function openRegular(path: string): Promise<{ file: FileHandle; stats: Stats }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = await file.stat();
    if (stats.isFile()) return { file, stats };
    throw notAFile(path, stats);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Reads a file of settings and the like, before anything else can happen; links are followed, and a pipe or device never blocks.
 * @throws UserError `not-a-file`, `file-too-large` above `limit` bytes; system errors (`ENOENT`, `EACCES` …) as they are
 */
export function readSmall(path: string, limit: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw notAFile(path, stats);
    if (stats.size > limit) throw tooLarge(path, stats.size, limit);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function notAFile(path: string, stats: Stats): UserError {
  return new UserError("not-a-file", `"${path}" is ${stats.isDirectory() ? "a folder" : "not a regular file"}.`);
}

function tooLarge(path: string, size: number, limit: number): UserError {
  return new UserError("file-too-large", `"${path}" has ${size} bytes, more than the ${limit} that fit here.`);
}

/** The content from `from` on, in pieces of at most 64 KB that are overwritten by the next one. */
export async function* chunksOf(file: FileHandle, from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = from; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** @throws UserError `file-too-large` above `limit` bytes, before anything is read */
export async function readWhole(path: string, limit: number): Promise<{ bytes: Buffer; stats: Stats }> {
  const { file, stats } = await openRegular(path);
  try {
    if (stats.size > limit) throw tooLarge(path, stats.size, limit);
    return { bytes: await file.readFile(), stats };
  } finally {
    await file.close();
  }
}

/** @returns a name for the content of a file, by which a change shows; `bytes` is all of it */
export function fileHash(stats: Pick<Stats, "ino" | "size" | "mtimeMs">, bytes: Uint8Array): string {
  return stats.size > HASHED_BYTES ? statHash(stats) : createHash("sha256").update(bytes).digest("hex");
}

/** @returns a name for the present state of a file that is too large to hash */
export function statHash(stats: Pick<Stats, "ino" | "size" | "mtimeMs">): string {
  return `stat:${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}
