/** Records as lines of bytes, and back. */
import { readSync } from "node:fs";
import type { SessionRecord } from "./session-entries.js";

const NEWLINE = 10;
const CHUNK_BYTES = 1 << 20;
/** Longer than any string of the engine; such a line is noise. */
const LONGEST_LINE = 256 << 20;

/** What other readers take for the end of a line. */
const SEPARATOR = /[\u0085\u2028\u2029]/g;

/**
 * One record, one line, ending in `\n`. Valid UTF-8 whatever the record holds (`JSON.stringify` escapes lone surrogates), and without any
 * line separator but the last (D6).
 */
export function encodeLine(record: SessionRecord): Buffer {
  const json = JSON.stringify(record).replace(
    SEPARATOR,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return Buffer.from(`${json}\n`, "utf8");
}

export interface DecodedLine {
  /** What stands in the line, as parsed; empty for a blank line. */
  values: unknown[];
  /** Whether there was something in it that is no record. */
  damaged: boolean;
}

/** How our records begin. In a string of a record the quotes would be escaped, so this stands nowhere else in a whole line. */
const RECORD_START =
  /\{"type":"(?:session","version":|(?:message|ttsr_injection|model_change|compaction|branch|title|custom)","id":")/g;

/**
 * A line that does not parse may still hold whole records: two of them glued together, one after the stump of another, one behind the zeros
 * that a power cut left (D5).
 */
export function decodeLine(line: Buffer): DecodedLine {
  if (line.length > LONGEST_LINE) return { values: [], damaged: true };
  const text = line.toString("utf8");
  const whole = tryParse(text);
  if (whole !== undefined) return { values: [whole], damaged: false };
  if (text.trim() === "") return { values: [], damaged: false };
  const starts = [...text.matchAll(RECORD_START)].map((match) => match.index);
  const values = starts
    .map((start, i) => tryParse(text.slice(start, starts[i + 1]).replace(/[\0\s]+$/, "")))
    .filter((value) => value !== undefined);
  return { values, damaged: true };
}

/** @returns undefined where it does not parse */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: that is the answer, not a fault.
    return undefined;
  }
}

/**
 * Reads a file line by line, split at `\n` only, without ever holding it whole.
 * @param onLine the line without its `\n`; valid during the call only. `last` is true for text after the last `\n`, if there is any
 * @returns the number of bytes read, and where the text after the last `\n` begins
 */
export function readLines(
  fd: number,
  onLine: (line: Buffer, last: boolean) => void,
): { size: number; tailStart: number } {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let carried: Buffer[] = [];
  let size = 0;
  let tailStart = 0;
  for (;;) {
    const got = readSync(fd, chunk, 0, CHUNK_BYTES, size);
    if (got === 0) break;
    const bytes = chunk.subarray(0, got);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      const rest = bytes.subarray(from, at);
      onLine(carried.length === 0 ? rest : Buffer.concat([...carried, rest]), false);
      if (carried.length > 0) carried = [];
      from = at + 1;
      tailStart = size + from;
    }
    if (from < got) carried.push(Buffer.from(bytes.subarray(from)));
    size += got;
  }
  if (carried.length > 0) onLine(Buffer.concat(carried), true);
  return { size, tailStart };
}
