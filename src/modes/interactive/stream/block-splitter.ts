/**
 * Cuts growing markdown into blocks that will not change any more. Every character is looked at once, and any way of cutting the text into
 * pieces gives the same blocks. Fences are handed out line by line, so no block that is still open grows without bound.
 */

export type Block =
  /** `joined`: goes on directly under the block before, without a blank row between. */
  | { kind: "prose"; text: string; joined: boolean }
  /** A run of whole lines of a fence. `from`: number of its first line, from 1. `joined`: the fence began earlier. */
  | { kind: "code"; lang: string; lines: readonly string[]; from: number; joined: boolean };

/** Whole fence lines that are held back at least, so that a short fence comes out in one piece. */
const HELD_FENCE_LINES = 4;
/** A prose block that is longer is cut at its next line end. Characters. */
const LONG_BLOCK = 2000;
/** A line that makes its block longer than this is cut at its next space. Characters. */
const LONG_LINE = 4000;

const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const INNER_FENCE = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/;
const LIST = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

interface OpenFence {
  mark: string;
  indent: number;
  lang: string;
  from: number;
  /** Some of its lines have been handed out. */
  given: boolean;
  lines: string[];
}

type Prose = "paragraph" | "list" | "heading" | "table";

export class BlockSplitter {
  /** Text of the open block. */
  #text = "";
  /** Start of the line that is being read, in `#text`. */
  #line = 0;
  /** Where to look on for a line end. */
  #scan = 0;
  #kind: Prose | undefined;
  /** Lines of the open prose block so far. */
  #count = 0;
  /** A list went over a blank line: the next line's first character decides. */
  #afterBlank = false;
  /** A fence inside a list. */
  #inner: string | undefined;
  #joined = false;
  /** The line being read began in a block that was cut in its middle. */
  #midLine = false;
  #fence: OpenFence | undefined;

  /** @returns the blocks that are finished with this piece */
  push(piece: string): Block[] {
    this.#text += piece;
    const done: Block[] = [];
    for (;;) {
      this.#endBlankList(done);
      const end = this.#text.indexOf("\n", this.#scan);
      if (this.#cutLongLine(end === -1 ? this.#text.length : end, done)) continue;
      if (end === -1) {
        this.#scan = this.#text.length;
        return done;
      }
      this.#scan = end + 1;
      this.#takeLine(this.#text.slice(this.#line, end).replace(/\r$/, ""), end + 1, done);
    }
  }

  /** No more is coming. @returns what was still open */
  close(): Block[] {
    const done: Block[] = [];
    const fence = this.#fence;
    if (fence) {
      const rest = this.#text.slice(this.#line);
      if (rest !== "" && !this.#closesFence(rest)) fence.lines.push(unindent(rest, fence.indent));
      this.#giveFence(fence, done);
    } else {
      this.#giveProse(this.#text.length, done);
    }
    this.#reset();
    return done;
  }

  /** The block that is still open, as it would look now. */
  get live(): Block | undefined {
    const fence = this.#fence;
    if (fence) {
      const rest = this.#text.slice(this.#line);
      const lines = rest === "" || isBareFence(rest) ? fence.lines : [...fence.lines, unindent(rest, fence.indent)];
      if (lines.length === 0 && fence.given) return undefined;
      return { kind: "code", lang: fence.lang, lines, from: fence.from, joined: fence.given };
    }
    const last = this.#text.slice(this.#line);
    // Half a fence would flash up as text.
    const text = isBareFence(last) ? this.#text.slice(0, this.#line) : this.#text;
    return text.trim() === "" ? undefined : { kind: "prose", text, joined: this.#joined };
  }

  #takeLine(line: string, next: number, done: Block[]): void {
    const fence = this.#fence;
    if (fence) {
      if (this.#closesFence(line)) {
        this.#giveFence(fence, done);
        this.#fence = undefined;
        this.#drop(next);
        return;
      }
      fence.lines.push(unindent(line, fence.indent));
      if (fence.lines.length > HELD_FENCE_LINES) this.#giveFence(fence, done);
      this.#drop(next);
      return;
    }
    const midLine = this.#midLine;
    this.#midLine = false;
    if (this.#inner !== undefined) {
      const mark = INNER_FENCE.exec(line)?.[1];
      if (mark?.startsWith(this.#inner)) this.#inner = undefined;
      this.#line = next;
      return;
    }
    if (line.trim() === "") {
      if (this.#kind === "list") {
        this.#afterBlank = true;
        this.#line = next;
      } else {
        this.#giveProse(next, done);
      }
      return;
    }
    const opens = midLine ? null : FENCE.exec(line);
    if (opens && !(opens[2]?.startsWith("`") && opens[3]?.includes("`"))) {
      if (this.#kind === "list" && (opens[1]?.length ?? 0) >= 2) {
        this.#inner = opens[2] ?? "";
        this.#line = next;
        return;
      }
      const before = this.#line;
      this.#giveProse(before, done);
      const lang = (opens[3] ?? "").trim().split(/\s/, 1)[0] ?? "";
      this.#fence = {
        mark: opens[2] ?? "",
        indent: opens[1]?.length ?? 0,
        lang,
        from: 1,
        given: false,
        lines: [],
      };
      this.#drop(next - before);
      return;
    }
    if (this.#kind === "list") this.#inner = INNER_FENCE.exec(line)?.[1];
    this.#count++;
    if (this.#kind === undefined) {
      this.#kind = midLine ? "paragraph" : kindOf(line);
      if (this.#kind === "list") this.#inner = INNER_FENCE.exec(line)?.[1];
    } else if (this.#kind === "paragraph" && this.#count === 2 && line.includes("|") && TABLE_RULE.test(line)) {
      this.#kind = "table";
    }
    this.#line = next;
    if (this.#kind === "heading") this.#giveProse(next, done);
    else if (this.#kind === "paragraph" && next > LONG_BLOCK) this.#giveProse(next, done, true);
  }

  /** A list that met a blank line ends before the next line, unless that is indented. */
  #endBlankList(done: Block[]): void {
    if (!this.#afterBlank) return;
    const first = this.#text.charAt(this.#line);
    if (first === "" || first === "\n" || first === "\r") return;
    this.#afterBlank = false;
    if (first !== " " && first !== "\t") this.#giveProse(this.#line, done);
  }

  /** @returns true when a block was cut inside a line that ends (or has come so far) at `end` */
  #cutLongLine(end: number, done: Block[]): boolean {
    if (this.#fence || this.#inner !== undefined || end <= LONG_LINE) return false;
    if (this.#kind !== undefined && this.#kind !== "paragraph") return false;
    if (this.#line > LONG_LINE) return false;
    const space = this.#text.indexOf(" ", LONG_LINE);
    if (space === -1 || space >= end) return false;
    if (this.#kind === undefined && kindOf(this.#text) !== "paragraph") return false;
    this.#giveProse(space + 1, done, true);
    this.#midLine = true;
    return true;
  }

  #giveProse(end: number, done: Block[], goesOn = false): void {
    const text = this.#text.slice(0, end);
    if (text.trim() !== "") done.push({ kind: "prose", text: text.replace(/\s+$/, ""), joined: this.#joined });
    this.#drop(end);
    this.#kind = undefined;
    this.#count = 0;
    this.#afterBlank = false;
    this.#inner = undefined;
    this.#joined = goesOn;
  }

  #giveFence(fence: OpenFence, done: Block[]): void {
    if (fence.lines.length === 0 && fence.given) return;
    done.push({ kind: "code", lang: fence.lang, lines: fence.lines, from: fence.from, joined: fence.given });
    fence.from += fence.lines.length;
    fence.given = true;
    fence.lines = [];
  }

  #closesFence(line: string): boolean {
    const match = FENCE.exec(line);
    const fence = this.#fence;
    if (!match || !fence) return false;
    return (match[2] ?? "").startsWith(fence.mark) && (match[3] ?? "").trim() === "";
  }

  #drop(end: number): void {
    this.#text = this.#text.slice(end);
    this.#line = 0;
    this.#scan = Math.max(0, this.#scan - end);
  }

  #reset(): void {
    this.#text = "";
    this.#line = 0;
    this.#scan = 0;
    this.#kind = undefined;
    this.#count = 0;
    this.#afterBlank = false;
    this.#inner = undefined;
    this.#joined = false;
    this.#midLine = false;
    this.#fence = undefined;
  }
}

function kindOf(line: string): Prose {
  if (HEADING.test(line)) return "heading";
  return LIST.test(line) ? "list" : "paragraph";
}

function unindent(line: string, columns: number): string {
  let at = 0;
  while (at < columns && line.charAt(at) === " ") at++;
  return line.slice(at);
}

function isBareFence(line: string): boolean {
  return /^\s*(?:`+|~+)[^\S\n]*$/.test(line);
}
