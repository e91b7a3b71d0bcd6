/** A file's text for matching: every line end is one `\n`, and each place leads back to the original. */

export interface SourceLine {
  text: string;
  /** `\n`, `\r\n`, or empty for a last line without one. */
  ending: string;
  /** Offset in the original. */
  start: number;
  /** Offset in `Source.lf`. */
  lfStart: number;
}

export class Source {
  readonly lines: readonly SourceLine[];
  readonly lf: string;

  constructor(readonly raw: string) {
    const lines: SourceLine[] = [];
    let start = 0;
    let lfStart = 0;
    for (;;) {
      const newline = raw.indexOf("\n", start);
      const next = newline < 0 ? raw.length : newline + 1;
      const end = newline < 0 ? raw.length : newline > start && raw[newline - 1] === "\r" ? newline - 1 : newline;
      lines.push({ text: raw.slice(start, end), ending: raw.slice(end, next), start, lfStart });
      if (newline < 0) break;
      lfStart += end - start + 1;
      start = next;
    }
    this.lines = lines;
    this.lf = lines.map((line) => line.text).join("\n");
  }

  /** @returns the index of the line that a place in `lf` is on */
  lineAt(lfOffset: number): number {
    return this.#search(lfOffset, (line) => line.lfStart);
  }

  toRaw(lfOffset: number): number {
    const line = this.lines[this.lineAt(lfOffset)];
    return line ? line.start + (lfOffset - line.lfStart) : 0;
  }

  /** A place inside `\r\n` counts as the place before it. */
  toLf(rawOffset: number): number {
    const line = this.lines[this.#search(rawOffset, ({ start }) => start)];
    return line ? line.lfStart + Math.min(rawOffset - line.start, line.text.length) : 0;
  }

  /** @returns the line end that a new line beside this one should get */
  endingNear(index: number): string {
    return this.lines[index]?.ending || this.lines[index - 1]?.ending || "\n";
  }

  #search(offset: number, startOf: (line: SourceLine) => number): number {
    let low = 0;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const line = this.lines[middle];
      if (line && startOf(line) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** @returns the text with every `\r\n` as `\n` */
export function toLf(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}
