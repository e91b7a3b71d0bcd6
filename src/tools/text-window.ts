/** Takes a stretch of lines out of a text that streams by, in bounded memory. */

export interface WindowLimits {
  /** First line wanted, 1-based. */
  offset: number;
  /** Lines. */
  limit: number;
  /** UTF-8 bytes of all lines together; the first line is taken whatever its size. */
  bytes: number;
  /** UTF-16 units of one line; what is longer is cut with a mark. */
  lineLength: number;
}

export class TextWindow {
  readonly lines: string[] = [];
  /** A line was cut. */
  cut = false;
  /** Lines that have begun so far, in or out of the window; the whole file's once it is at its end. */
  count = 0;
  #full = false;
  #bytes = 0;
  #line = "";
  #dropped = 0;
  #open = false;

  constructor(private readonly limits: WindowLimits) {}

  /** @returns whether nothing more is wanted; what comes all the same is only counted */
  get full(): boolean {
    return this.#full;
  }

  /** UTF-16 units of the present line that were not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      if (!this.#open) {
        this.#open = true;
        this.count++;
      }
      if (this.#wanted()) this.#take(text, at, end);
      if (newline < 0) return;
      this.#endLine();
      at = newline + 1;
    }
  }

  /** Call at the end of the file, or where reading stops. */
  finish(): void {
    if (this.#open) this.#endLine();
  }

  #wanted(): boolean {
    return !this.#full && this.count >= this.limits.offset;
  }

  #take(text: string, from: number, to: number): void {
    const room = this.limits.lineLength - this.#line.length;
    this.#line += text.slice(from, Math.min(to, from + room));
    this.#dropped += Math.max(0, to - from - room);
  }

  #endLine(): void {
    this.#open = false;
    if (!this.#wanted()) return;
    let line = this.#line;
    if (this.#dropped > 0) {
      line = `${withoutHalf(line)}… [${this.#dropped} more characters in this line]`;
    } else if (line.endsWith("\r")) {
      line = line.slice(0, -1);
    }
    const size = Buffer.byteLength(line) + 1;
    if (this.lines.length > 0 && this.#bytes + size > this.limits.bytes) {
      this.#full = true;
    } else {
      this.lines.push(line);
      this.#bytes += size;
      this.cut ||= this.#dropped > 0;
      this.#full = this.lines.length >= this.limits.limit;
    }
    this.#line = "";
    this.#dropped = 0;
  }
}

/** @returns the text without a first half of a surrogate pair at its end */
export function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
