/** What sessions there are. Read from the logs themselves, without any index that could lie. */
import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../agent/messages.js";
import { UserError } from "../platform/errors.js";
import { parseRecord } from "./entry-parse.js";
import { decodeLine, readLines } from "./log-lines.js";
import type { SessionHeader, SessionRecord } from "./session-entries.js";
import { codeOf } from "./session-log.js";
import { readFileName, sessionsDir, slugOf } from "./session-paths.js";

/** `sessions list --json`. */
export interface SessionSummary {
  id: string;
  /** Absolute path of the log. */
  path: string;
  /** "" where the log has lost its header. */
  cwd: string;
  /** Given by the user, else the first words of the first prompt. */
  title: string;
  /** ISO 8601. */
  startedAt: string;
  /** Of the last entry. */
  updatedAt: string;
  /** Messages in the log, cut attempts included. */
  messages: number;
}

const TITLE_LENGTH = 60;
const TAIL_BYTES = 1 << 16;

/**
 * @param options `cwd`: only sessions of this folder
 * @returns the newest first; logs without a message, or that cannot be read, are left out
 */
export function listSessions(stateDir: string, options: { cwd?: string } = {}): SessionSummary[] {
  return sessionFiles(stateDir, options.cwd)
    .map((file) => summarise(file))
    .filter((summary) => summary !== undefined)
    .filter((summary) => options.cwd === undefined || summary.cwd === options.cwd)
    .sort((a, b) => compare(b.updatedAt, a.updatedAt) || compare(b.startedAt, a.startedAt) || compare(a.id, b.id));
}

/**
 * @param idOrPrefix the beginning of an id, or all of it
 * @throws UserError (exit 2) when no session fits, or several do
 */
export function findSession(stateDir: string, idOrPrefix: string): SessionSummary {
  const files = sessionFiles(stateDir).filter(
    (file) => idOrPrefix !== "" && readFileName(file).id.startsWith(idOrPrefix),
  );
  const found = files.map((file) => summarise(file)).filter((summary) => summary !== undefined);
  const exact = found.find((summary) => summary.id === idOrPrefix);
  const [first, second] = found;
  if (exact) return exact;
  if (first && !second) return first;
  if (!first) {
    throw new UserError(
      "session-unknown",
      `There is no session "${idOrPrefix}"; "ttsr-agent sessions list --all" shows them.`,
      2,
    );
  }
  const some = found.slice(0, 5).map((summary) => summary.id);
  const more = found.length > some.length ? ", …" : "";
  throw new UserError(
    "session-ambiguous",
    `"${idOrPrefix}" fits ${found.length} sessions (${some.join(", ")}${more}); give more of the id.`,
    2,
  );
}

/** @returns the session of this folder that was used last; undefined where there is none. Reads little of each log, whatever their number. */
export function latestSession(stateDir: string, cwd: string): SessionSummary | undefined {
  const newestFirst = sessionFiles(stateDir, cwd)
    .map((file) => ({ file, updatedAt: lastTimestamp(file) }))
    .sort((a, b) => compare(b.updatedAt, a.updatedAt) || compare(b.file, a.file));
  for (const { file } of newestFirst) {
    const summary = summarise(file);
    if (summary?.cwd === cwd) return summary;
  }
  return undefined;
}

export function sessionFiles(stateDir: string, cwd?: string): string[] {
  const root = sessionsDir(stateDir);
  const folders =
    cwd === undefined
      ? readDir(root)
          .filter((item) => item.isDirectory())
          .map((item) => item.name)
      : [slugOf(cwd)];
  return folders.flatMap((folder) =>
    readDir(join(root, folder))
      .filter((item) => item.isFile() && item.name.endsWith(".jsonl"))
      .map((item) => join(root, folder, item.name)),
  );
}

/** A folder that is missing, closed to us, or no folder has no sessions that could be listed. */
function readDir(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(String(codeOf(error)))) return [];
    throw error;
  }
}

/** How our messages begin and end; a line of this look is counted without being parsed, which is most of the work. */
const MESSAGE_START = Buffer.from('{"type":"message","id":"');
const CLOSING_BRACE = 125;

/** @returns undefined where nobody said anything in it, or it cannot be read */
function summarise(file: string): SessionSummary | undefined {
  let header: SessionHeader | undefined;
  let title: string | undefined;
  let firstWords: string | undefined;
  let messages = 0;
  let updatedAt = "";

  const take = (record: SessionRecord): void => {
    if (record.type === "session") {
      header ??= record;
      return;
    }
    if (record.timestamp > updatedAt) updatedAt = record.timestamp;
    if (record.type === "title") title = record.title;
    if (record.type !== "message") return;
    messages++;
    const { message } = record;
    if (firstWords === undefined && message.role === "user" && !message.synthetic)
      firstWords = shorten(textOf(message));
  };

  const read = withFile(file, (fd) => {
    readLines(fd, (line, last) => {
      if (!last && firstWords !== undefined && looksWhole(line)) {
        messages++;
        const timestamp = readTimestamp(line);
        if (timestamp > updatedAt) updatedAt = timestamp;
        return;
      }
      for (const value of decodeLine(line).values) {
        const record = parseRecord(value, null);
        if (record) take(record);
      }
    });
    return true;
  });
  if (!read || messages === 0) return undefined;
  const named = readFileName(file);
  const startedAt = header?.timestamp || named.timestamp || updatedAt;
  return {
    id: header?.id ?? named.id,
    path: file,
    cwd: header?.cwd ?? "",
    title: title ?? firstWords ?? "",
    startedAt,
    updatedAt: updatedAt || startedAt,
    messages,
  };
}

function looksWhole(line: Buffer): boolean {
  return (
    line.at(-1) === CLOSING_BRACE &&
    line.subarray(0, MESSAGE_START.length).equals(MESSAGE_START) &&
    line.indexOf(MESSAGE_START, MESSAGE_START.length) === -1
  );
}

/** Our timestamps stand near the beginning of the line. */
function readTimestamp(line: Buffer): string {
  return /"timestamp":"([^"\\]{1,40})"/.exec(line.toString("latin1", 0, 200))?.[1] ?? "";
}

/** @returns the timestamp of the last entry that can be read; else the file's own, else "" */
function lastTimestamp(file: string): string {
  const found = withFile(file, (fd) => {
    const { size, mtime } = fstatSync(fd);
    for (let bytes = TAIL_BYTES; ; bytes *= 8) {
      const start = Math.max(0, size - bytes);
      const tail = Buffer.alloc(size - start);
      const lines = splitLines(tail.subarray(0, readSync(fd, tail, 0, tail.length, start)));
      // The first one may be the rest of a line that begins before.
      for (const line of (start > 0 ? lines.slice(1) : lines).reverse()) {
        const record = decodeLine(line)
          .values.map((value) => parseRecord(value, null))
          .at(-1);
        if (record?.timestamp) return record.timestamp;
      }
      if (start === 0) return mtime.toISOString();
    }
  });
  return found ?? statSync(file, { throwIfNoEntry: false })?.mtime.toISOString() ?? "";
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  lines.push(bytes.subarray(from));
  return lines;
}

/** @returns undefined where the file cannot be opened: it is gone since, or not ours */
export function withFile<T>(file: string, use: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch (error) {
    if (["ENOENT", "EACCES", "EPERM"].includes(String(codeOf(error)))) return undefined;
    throw error;
  }
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** The first words, in one line, not longer than a list has room for. */
function shorten(text: string): string {
  const line = text.slice(0, 1000).replaceAll(/\s+/g, " ").trim();
  if (line.length <= TITLE_LENGTH) return line;
  const cut = line.slice(0, TITLE_LENGTH).replace(/\s+\S{0,20}$/, "");
  return `${cut.replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
