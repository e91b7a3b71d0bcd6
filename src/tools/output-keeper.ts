/** Keeps the head and the tail of a command's output in bounded memory, and the whole of it in a file once it is too long. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../platform/errors.js";
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";
import { withoutHalf } from "./text-window.js";

export interface KeeperLimits {
  /** Bytes kept from the start, and from the end. */
  head: number;
  tail: number;
  /** Bytes of the file at most. */
  spill: number;
  /** UTF-16 units of one line in the text for the model. */
  line: number;
}

export const OUTPUT_LIMITS: KeeperLimits = { head: 10_000, tail: 20_000, spill: 64 * 1024 * 1024, line: 1000 };

export interface KeptOutput {
  text: string;
  /** The whole output, where the text is not all of it. */
  file?: string;
  /** Why `file` is missing or not whole, one sentence. */
  note?: string;
  /** Bytes that the command wrote. */
  total: number;
}

export class OutputKeeper {
  #total = 0;
  #head: Buffer[] = [];
  #headSize = 0;
  #tail: Buffer[] = [];
  #tailSize = 0;
  #file: number | undefined;
  #written = 0;
  #failure: string | undefined;
  readonly #path: string;

  /** @param name of the file in `dir`; both are made only when they are needed, for the user alone */
  constructor(
    private readonly dir: string,
    name: string,
    private readonly limits: KeeperLimits = OUTPUT_LIMITS,
  ) {
    this.#path = join(dir, name);
  }

  push(chunk: Buffer): void {
    if (this.#total + chunk.length > this.limits.head + this.limits.tail) this.#spill(chunk);
    this.#total += chunk.length;
    const forHead = chunk.subarray(0, Math.max(0, this.limits.head - this.#headSize));
    if (forHead.length > 0) {
      this.#head.push(Buffer.from(forHead));
      this.#headSize += forHead.length;
    }
    const forTail = chunk.subarray(forHead.length).subarray(-this.limits.tail);
    if (forTail.length > 0) {
      this.#tail.push(Buffer.from(forTail));
      this.#tailSize += forTail.length;
      this.#trimTail();
    }
  }

  /** @returns the newest lines, cleaned, for showing while the command runs */
  newest(lines: number): string {
    const bytes = Buffer.concat([...(this.#tailSize < 4096 ? this.#head : []), ...this.#tail]).subarray(-8192);
    return sanitizeTerminal(bytes.toString("utf8")).trimEnd().split("\n").slice(-lines).join("\n");
  }

  /** Closes the file. Call once. */
  finish(): KeptOutput {
    if (this.#file !== undefined) closeSync(this.#file);
    const all = Buffer.concat(this.#head);
    const end = Buffer.concat(this.#tail).subarray(-this.limits.tail);
    if (this.#total === all.length + end.length) {
      return { text: this.#clean(Buffer.concat([all, end])), total: this.#total };
    }
    const head = uptoLine(all);
    const tail = fromLine(end);
    const gap = `[… ${this.#total - head.length - tail.length} bytes left out …]`;
    const text = [this.#clean(head), gap, this.#clean(tail)].filter((part) => part !== "").join("\n");
    return {
      text,
      total: this.#total,
      ...(this.#written > 0 ? { file: this.#path } : {}),
      ...(this.#failure === undefined ? {} : { note: this.#failure }),
    };
  }

  #clean(bytes: Buffer): string {
    return sanitizeTerminal(bytes.toString("utf8"))
      .split("\n")
      .map((line) => {
        const more = line.length - this.limits.line;
        return more > 0
          ? `${withoutHalf(line.slice(0, this.limits.line))}… [${more} more characters in this line]`
          : line;
      })
      .join("\n")
      .trimEnd();
  }

  /** Drops pieces from the front that are not needed any more. */
  #trimTail(): void {
    let first = 0;
    for (let size = this.#tail[first]?.length ?? 0; this.#tailSize - size >= this.limits.tail; ) {
      this.#tailSize -= size;
      size = this.#tail[++first]?.length ?? 0;
    }
    // Many small pieces are joined, so that the list stays short.
    if (first > 0) this.#tail = this.#tail.slice(first);
    if (this.#tail.length > 256) this.#tail = [Buffer.concat(this.#tail)];
  }

  #spill(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    try {
      if (this.#file === undefined) {
        mkdirSync(this.dir, { recursive: true, mode: 0o700 });
        this.#file = openSync(this.#path, "wx", 0o600);
        // Up to here head and tail together are the whole output.
        this.#write(Buffer.concat([...this.#head, ...this.#tail]));
      }
      this.#write(chunk);
    } catch (error) {
      this.#failure = `Keeping the whole output failed (${reasonOf(error)}).`;
    }
  }

  #write(bytes: Buffer): void {
    const room = this.limits.spill - this.#written;
    const part = bytes.subarray(0, Math.max(0, room));
    for (let at = 0; at < part.length; ) at += writeSync(this.#file ?? -1, part, at);
    this.#written += part.length;
    if (part.length < bytes.length)
      this.#failure = `The file ends after ${this.limits.spill} bytes; the rest was dropped.`;
  }
}

/** How far a line end is looked for where output is cut. */
const SEAM = 2000;

/** @returns the head without its torn last line, or without a torn last character */
function uptoLine(bytes: Buffer): Buffer {
  const newline = bytes.lastIndexOf(0x0a);
  if (newline >= Math.max(0, bytes.length - SEAM)) return bytes.subarray(0, newline + 1);
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const first = bytes[end - 1] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return end - 1 + length === bytes.length ? bytes : bytes.subarray(0, Math.max(0, end - 1));
}

/** @returns the tail from its first whole line or redrawn state on, or else from its first whole character */
function fromLine(bytes: Buffer): Buffer {
  const seam = bytes.subarray(0, SEAM).findIndex((byte) => byte === 0x0a || byte === 0x0d);
  if (seam >= 0) return bytes.subarray(seam + 1);
  let start = 0;
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
