/** Opens a log that exists. Whatever a crash did to it, what is whole is there again, and nothing is rewritten (D4, D5). */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { reasonOf, UserError } from "../platform/errors.js";
import { newerVersion, parseRecord } from "./entry-parse.js";
import { decodeLine, readLines } from "./log-lines.js";
import type { SessionHeader, SessionReport } from "./session-entries.js";
import { codeOf, memoryOnly, SessionLog, type SessionLogOptions } from "./session-log.js";
import { SessionTree } from "./session-tree.js";

export interface LoadedSession {
  log: SessionLog;
  /** undefined where line 1 was lost. */
  header: SessionHeader | undefined;
  tree: SessionTree;
}

/**
 * Reads the log in one pass, in memory proportional to its entries, and mends its end. What had to be mended is reported.
 * @throws UserError when there is no such file, it cannot be read, or a newer version wrote it
 */
export function loadSession(file: string, options: SessionLogOptions): LoadedSession {
  const { fd, denied } = openFile(file);
  let kept = false;
  try {
    const content = readContent(fd, file);
    const torn = denied === undefined ? mendTail(fd, file, content, options.report) : false;
    reportDamage(file, content, options.report);
    if (denied !== undefined) options.report(memoryOnly(file, denied));
    const log = SessionLog.attach(file, denied === undefined ? fd : undefined, torn, options);
    kept = denied === undefined;
    return { log, header: content.header, tree: content.tree };
  } finally {
    if (!kept) closeSync(fd);
  }
}

/** For appending if that is allowed, else for reading, with the reason. */
function openFile(file: string): { fd: number; denied?: unknown } {
  try {
    return { fd: openSync(file, constants.O_RDWR | constants.O_APPEND) };
  } catch (denied) {
    try {
      if (codeOf(denied) !== "ENOENT" && codeOf(denied) !== "EISDIR")
        return { fd: openSync(file, constants.O_RDONLY), denied };
    } catch {
      // It cannot be read either; the first reason is the one to tell.
    }
    const sentence = `The session ${file} cannot be opened (${reasonOf(denied)}); "ttsr-agent sessions list --all" shows the others.`;
    throw new UserError("session-not-readable", sentence, codeOf(denied) === "ENOENT" ? 2 : 1, { cause: denied });
  }
}

interface Content {
  header: SessionHeader | undefined;
  tree: SessionTree;
  /** Lines, but for the last one, in which something is no record. */
  damaged: number;
  /** Bytes. */
  size: number;
  tailStart: number;
  tail: "none" | "whole" | "torn";
}

function readContent(fd: number, file: string): Content {
  const tree = new SessionTree();
  let header: SessionHeader | undefined;
  let damaged = 0;
  let tail: Content["tail"] = "none";
  const read = readLines(fd, (line, last) => {
    const decoded = decodeLine(line);
    let found = 0;
    for (const value of decoded.values) {
      const record = parseRecord(value, tree.entries.at(-1)?.id ?? null);
      if (!record) continue;
      found++;
      if (record.type !== "session") tree.add(record);
      else if (!header) {
        refuseNewer(value, file);
        header = record;
      }
    }
    if (last) tail = found > 0 ? "whole" : "torn";
    if (last && found === 0) return;
    if (decoded.damaged || found < decoded.values.length) damaged++;
  });
  return { header, tree, damaged, ...read, tail };
}

function refuseNewer(value: unknown, file: string): void {
  const version = newerVersion(value);
  if (version === undefined) return;
  const sentence = `The session ${file} was written by a newer version of this program (format ${version}); update the program, or start a new session.`;
  throw new UserError("session-newer", sentence, 1);
}

/**
 * Gives the last line its end, or moves a line that was cut short to a side file.
 * @returns whether the file still ends in the middle of a line; the next entry must then begin a new one
 */
function mendTail(fd: number, file: string, content: Content, report: (report: SessionReport) => void): boolean {
  const { tail, tailStart, size } = content;
  if (tail === "none") return false;
  try {
    // Somebody else is writing right now: what looks cut short may be whole by now.
    if (fstatSync(fd).size !== size) return true;
    if (tail === "whole") {
      writeSync(fd, "\n");
      return false;
    }
    const side = `${file}.torn`;
    copyTail(fd, tailStart, size, side);
    ftruncateSync(fd, tailStart);
    const message = `The last entry of the session had been cut short, as by a crash. It was moved to ${side}; all before it is here.`;
    report({ level: "warning", code: "session-torn-tail", message });
    return false;
  } catch (error) {
    const message = `The last entry of the session is cut short and could not be moved away (${reasonOf(error)}); the session goes on behind it.`;
    report({ level: "warning", code: "session-torn-tail", message });
    return true;
  }
}

function copyTail(from: number, start: number, end: number, side: string): void {
  const to = openSync(side, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  try {
    fchmodSync(to, 0o600);
    const chunk = Buffer.allocUnsafe(1 << 16);
    for (let at = start; at < end; ) {
      const got = readSync(from, chunk, 0, Math.min(chunk.length, end - at), at);
      if (got === 0) break;
      for (let done = 0; done < got; ) done += writeSync(to, chunk, done, got - done);
      at += got;
    }
    writeSync(to, "\n");
    fsyncSync(to);
  } finally {
    closeSync(to);
  }
}

function reportDamage(file: string, { damaged, tree }: Content, report: (report: SessionReport) => void): void {
  if (damaged > 0) {
    const records = damaged === 1 ? "1 damaged record" : `${damaged} damaged records`;
    const message = `${records} of the session could not be read in full; what is there stays in ${file}, and the rest of the session is here.`;
    report({ level: "warning", code: "session-damaged", message });
  }
  const { orphans, duplicates } = tree.mended;
  if (orphans + duplicates > 0) {
    const message = `The order of the session was mended: ${orphans} entries follow one that is missing, ${duplicates} ids stand twice.`;
    report({ level: "warning", code: "session-tree", message });
  }
}
