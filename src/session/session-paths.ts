/** Where the logs lie, and that nobody else can read them. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../platform/paths.js";

/** Characters of a working folder's path that a person can still recognise in the folder's name. */
const SLUG_LENGTH = 80;

/** @returns the folder of all logs */
export function sessionsDir(stateDir: string): string {
  return join(resolve(stateDir), "sessions");
}

/**
 * @param cwd absolute
 * @returns a folder name for its sessions: readable, at most 91 characters, different for different folders
 */
export function slugOf(cwd: string): string {
  const readable = cwd.replaceAll(/[^A-Za-z0-9._]+/g, "-").replaceAll(/^[-.]+|-+$/g, "");
  const hash = createHash("sha256").update(cwd).digest("hex").slice(0, 10);
  const tail = readable.slice(-SLUG_LENGTH).replaceAll(/^[-.]+/g, "");
  return tail === "" ? hash : `${tail}-${hash}`;
}

/** @param timestamp ISO 8601 */
export function sessionFile(stateDir: string, cwd: string, timestamp: string, id: string): string {
  return join(sessionsDir(stateDir), slugOf(cwd), `${timestamp.replaceAll(/[:.]/g, "-")}_${id}.jsonl`);
}

/** @returns what the file's name says of its session, for a log that has lost its header */
export function readFileName(file: string): { id: string; timestamp: string } {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_(.+)\.jsonl$/.exec(basename(file));
  if (!match) return { id: basename(file, ".jsonl"), timestamp: "" };
  const [, day, hour, minute, second, ms, id] = match;
  return { id: id ?? "", timestamp: `${day}T${hour}:${minute}:${second}.${ms}Z` };
}

/** Makes the folder and what is missing above it, each 0700 whatever the umask. What exists is left as it is. */
export function makePrivateDir(dir: string): void {
  if (existsSync(dir)) return;
  makePrivateDir(dirname(dir));
  try {
    // Not "recursive": where a folder can be made in no way (`/proc`), that never returns.
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (errorCode(error) !== "EEXIST") throw error;
  }
  chmodSync(dir, 0o700);
}
