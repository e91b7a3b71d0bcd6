/** The output of a command: head and tail in memory, the whole in a file when it is long. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../platform/errors.js";

const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 32 * 1024;
/** A spill file does not fill the disk. */
const SPILL_LIMIT = 256 * 1024 * 1024;

export interface OutputText {
  text: string;
  /** Bytes that are in neither head nor tail. */
  omitted: number;
  /** Absolute path of the file with the whole; undefined where it fits, or could not be kept (then `lost` says why). */
  file?: string;
  lost?: string;
}

export class OutputWindow {
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;
  #spilled = 0;
  #fd: number | undefined;
  #file: string | undefined;
  #lost: string | undefined;

  constructor(
    private readonly spillDir: string,
    private readonly name: string,
  ) {}

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    if (this.#total > HEAD_BYTES + TAIL_BYTES) {
      this.#startSpill();
      this.#spill(chunk);
    }
    const toHead = chunk.subarray(0, Math.max(0, HEAD_BYTES - this.#head.length));
    if (toHead.length > 0) this.#head = Buffer.concat([this.#head, toHead]);
    const rest = chunk.subarray(toHead.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (let first = this.#tail[0]; first && this.#tailBytes - first.length >= TAIL_BYTES; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }

  /** The newest of it, for the person who watches. Bytes. */
  latest(bytes: number): string {
    const end = this.#tailBytes > 0 ? Buffer.concat(this.#tail) : this.#head;
    return decode(end.subarray(Math.max(0, end.length - bytes)));
  }

  finish(): OutputText {
    if (this.#fd !== undefined) closeSync(this.#fd);
    const tail = Buffer.concat(this.#tail);
    const cut = tail.length > TAIL_BYTES ? tail.subarray(tail.length - TAIL_BYTES) : tail;
    const omitted = this.#total - this.#head.length - cut.length;
    const more = {
      ...(this.#file === undefined ? {} : { file: this.#file }),
      ...(this.#lost === undefined ? {} : { lost: this.#lost }),
    };
    if (omitted === 0) return { text: decode(Buffer.concat([this.#head, cut])), omitted, ...more };
    return { text: `${decode(this.#head)}\n[… ${omitted} bytes left out …]\n${decode(cut)}`, omitted, ...more };
  }

  /** With the first chunk that does not fit. What came before it is still all there: head, and a tail of which nothing was dropped. */
  #startSpill(): void {
    if (this.#lost !== undefined || this.#file !== undefined) return;
    try {
      mkdirSync(this.spillDir, { recursive: true, mode: 0o700 });
      const file = join(this.spillDir, this.name);
      this.#fd = openSync(file, "wx", 0o600);
      this.#file = file;
      for (const part of [this.#head, ...this.#tail]) this.#spill(part);
    } catch (error) {
      this.#lost = reasonOf(error);
    }
  }

  #spill(part: Buffer): void {
    if (this.#fd === undefined) return;
    const room = SPILL_LIMIT - this.#spilled;
    if (room <= 0) return;
    try {
      this.#spilled += writeSync(this.#fd, part.subarray(0, room));
    } catch (error) {
      this.#lost = reasonOf(error);
      closeSync(this.#fd);
      this.#fd = undefined;
      this.#file = undefined;
    }
  }
}

function decode(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}
