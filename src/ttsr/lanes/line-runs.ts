import type { Lane, TextBefore, TtsrMatch } from "../types.js";
import { ZoneMemory } from "../zones/zone-memory.js";

/** The lines of a text, to tell which lines of another merely carry them over. Line ends do not count, CRLF neither. */
export class KnownLines {
  /** In the order of UTF-16 units, each once. */
  readonly #lines: readonly string[];

  constructor(text: string) {
    const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
    if (lines.at(-1) === "") lines.pop();
    this.#lines = [...new Set(lines)].sort();
  }

  has(line: string): boolean {
    return this.#lines[this.#lowest(0, this.#lines.length, (known) => known >= line)] === line;
  }

  /** @returns a reader of one line, unit by unit */
  read(): LineReader {
    let from = 0;
    let to = this.#lines.length;
    let column = 0;
    const lines = this.#lines;
    const unitOf = (line: string): number => (column < line.length ? line.charCodeAt(column) : -1);
    return {
      next: (unit) => {
        from = this.#lowest(from, to, (line) => unitOf(line) >= unit);
        to = this.#lowest(from, to, (line) => unitOf(line) > unit);
        column++;
        return from < to;
      },
      isWhole: () => from < to && lines[from]?.length === column,
    };
  }

  #lowest(from: number, to: number, reached: (line: string) => boolean): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (reached(this.#lines[middle] ?? "")) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

interface LineReader {
  /** @returns whether some known line begins with what was read so far */
  next(unit: number): boolean;
  /** Whether what was read so far is a known line. */
  isWhole(): boolean;
}

/**
 * Cuts a text into runs of lines that are not carried over; each run is a lane (TTSR-2.4). A line is held while it is the beginning of a
 * known line; from the moment it is not, it is the author's.
 */
export class LineRuns {
  #lane: Lane | undefined;
  #reader: LineReader;
  /** The beginning of the present line, undecided. */
  #held = "";
  #decided = false;
  readonly #late: Promise<TtsrMatch[]>[] = [];
  readonly #before = new ZoneMemory();

  constructor(
    private readonly known: KnownLines,
    private readonly open: (before: TextBefore) => Lane,
  ) {
    this.#reader = known.read();
  }

  push(text: string): TtsrMatch[] {
    const matches: TtsrMatch[] = [];
    for (let at = 0; at < text.length; ) {
      if (this.#decided) {
        const end = text.indexOf("\n", at);
        const to = end < 0 ? text.length : end + 1;
        matches.push(...this.#author(text.slice(at, to)));
        if (end >= 0) this.#nextLine();
        at = to;
      } else {
        matches.push(...this.#undecided(text[at] ?? ""));
        at++;
      }
    }
    return matches;
  }

  /** The text is complete. */
  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
    const now: TtsrMatch[] = [];
    if (this.#held !== "") now.push(...(this.#reader.isWhole() ? this.#endRun() : this.#author(this.#held)));
    this.#nextLine();
    now.push(...this.#endRun());
    return { now, late: Promise.all(this.#late).then((all) => all.flat()) };
  }

  #undecided(unit: string): TtsrMatch[] {
    if (unit === "\n") {
      const carried = this.#reader.isWhole();
      const line = `${this.#held}\n`;
      this.#nextLine();
      return carried ? this.#carry(line) : this.#author(line);
    }
    const carriageReturn = this.#held.endsWith("\r");
    this.#held += unit;
    // A carriage return behind a known line may belong to its end.
    if (!carriageReturn && unit === "\r" && this.#reader.isWhole()) return [];
    if (!carriageReturn && this.#reader.next(unit.charCodeAt(0))) return [];
    const line = this.#held;
    this.#held = "";
    this.#decided = true;
    return this.#author(line);
  }

  #author(text: string): TtsrMatch[] {
    this.#lane ??= this.open(this.#before);
    this.#before.note(text);
    return this.#lane.push(text);
  }

  #carry(line: string): TtsrMatch[] {
    this.#before.note(line);
    return this.#endRun();
  }

  #nextLine(): void {
    this.#held = "";
    this.#decided = false;
    this.#reader = this.known.read();
  }

  #endRun(): TtsrMatch[] {
    if (!this.#lane) return [];
    const { now, late } = this.#lane.close();
    this.#lane = undefined;
    this.#late.push(late);
    return now;
  }
}
