/**
 * Cuts growing markdown into blocks that will not change any more. Every character is looked at once, and any way of cutting the text into
 * pieces gives the same blocks. Fences are handed out line by line, so no block that is still open grows without bound.
 */

export type Block =
  /**
   * `joined`: goes on directly under the block before, without a blank row between. `goesOn`: was cut in the middle of a line, so the next
   * block goes on in the row in which this one ends.
   */
  | { kind: "prose"; text: string; joined: boolean; goesOn: boolean }
  /** A run of whole lines of a fence. `from`: number of its first line, from 1. `joined`: the fence began earlier. */
  | { kind: "code"; lang: string; lines: readonly string[]; from: number; joined: boolean };

/** So many characters tell what kind of line it is. */
const TELLING = 16;
/** Whole fence lines that are held back at least, so that a short fence comes out in one piece. */
const HELD_FENCE_LINES = 4;
/** A paragraph or list that is longer is cut: at a line end, a space, before an item. What is open is drawn at each flush. Characters. */
const LONG = 600;
/** So much longer it is cut even inside emphasis, which a cut would show as it was typed. Characters. */
const TOO_LONG = 1600;
/** A table is held for the widths of its columns, to this length; then it goes on under a second head. Characters. */
const LONG_TABLE = 3000;

const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const INNER_FENCE = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/;
const LIST = /^( {0,3})(?:[-*+]|(\d{1,9})[.)])(?:\s|$)/;
/** Lines that a cut in their middle would turn into something else. */
const WHOLE_LINES = /^(?: {0,3}>| {4}|\t)/;
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

/** `lines`: quotes and indented code, where only whole lines can be cut off. */
type Prose = "paragraph" | "lines" | "list" | "heading" | "table";

export class BlockSplitter {
  /** Text of the open block. */
  #text = "";
  /** Start of the line that is being read, in `#text`. */
  #line = 0;
  /** Start of the line before it. */
  #previous = 0;
  /** Where to look on for a line end. */
  #scan = 0;
  #kind: Prose | undefined;
  /** Lines of the open prose block so far. */
  #count = 0;
  /** A list went over a blank line: the next line's first character decides. */
  #afterBlank = false;
  /** A fence inside a list. */
  #inner: string | undefined;
  /** Where to look on for a place to cut a long paragraph, in `#text`. */
  #seek = 0;
  /** Of a list: the indent of its first item, and the number that its next one will have. */
  #list = { indent: 0, next: 0 };
  /** Of a table: its head and rule, to be said again when it is cut. */
  #head = "";
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
    const text = isBareFence(last) && !this.#midLine ? this.#text.slice(0, this.#line) : this.#text;
    return text.trim() === "" ? undefined : { kind: "prose", text, joined: this.#joined, goesOn: false };
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
    if (this.#kind === "paragraph" && !midLine) next = this.#endParagraph(line, next, done);
    let end = next;
    if (this.#kind === "list") end = this.#takeItem(line, next, done);
    this.#count++;
    if (this.#kind === undefined) {
      this.#kind = midLine ? "paragraph" : kindOf(line);
      const item = LIST.exec(line);
      if (this.#kind === "list" && item) {
        this.#list = { indent: item[1]?.length ?? 0, next: Number(item[2] ?? 0) + 1 };
        this.#inner = INNER_FENCE.exec(line)?.[1];
      }
    } else if (this.#kind === "paragraph" && this.#count === 2 && isTableRule(line)) {
      this.#kind = "table";
      this.#head = this.#text.slice(0, end);
    }
    this.#previous = this.#line;
    this.#line = end;
    if (this.#kind === "heading") this.#giveProse(end, done);
    else if (this.#kind === "lines" && end > LONG) this.#giveProse(end, done, "below");
    else if (this.#kind === "paragraph" && this.#maySplit(end)) this.#giveProse(end, done, "below");
    else if (this.#kind === "table" && end > LONG_TABLE) this.#cutTable(end, done);
  }

  /** Lists and tables may stand directly under a paragraph. @returns where the line ends, for what is handed out moves it */
  #endParagraph(line: string, next: number, done: Block[]): number {
    const item = LIST.exec(line);
    const isTable = this.#count > 1 && isTableRule(line) && this.#text.slice(this.#previous, this.#line).includes("|");
    if (!isTable && !(item && (item[2] === undefined || item[2] === "1"))) return next;
    const from = isTable ? this.#previous : this.#line;
    const start = this.#line - from;
    this.#giveProse(from, done, "below");
    this.#line = start;
    if (isTable) {
      this.#kind = "paragraph";
      this.#count = 1;
    }
    return next - from;
  }

  /** A line of a list; a long list is cut before an item. @returns where the line ends, for the cut may move it */
  #takeItem(line: string, next: number, done: Block[]): number {
    const item = LIST.exec(line);
    this.#inner = INNER_FENCE.exec(line)?.[1];
    if (!item || (item[1]?.length ?? 0) > this.#list.indent) return next;
    const number = this.#list.next++;
    if (this.#line <= LONG) return next;
    const [kind, list, inner, from] = [this.#kind, this.#list, this.#inner, this.#line];
    this.#giveProse(from, done, "below");
    [this.#kind, this.#list, this.#inner] = [kind, list, inner];
    // Markdown counts from the first item on, whatever the numbers of the others are; so does the rest.
    const typed = item[2];
    if (typed === undefined) return next - from;
    const indent = item[1] ?? "";
    this.#text = `${indent}${number}${this.#text.slice(indent.length + typed.length)}`;
    const moved = String(number).length - typed.length;
    this.#scan += moved;
    return next - from + moved;
  }

  #cutTable(end: number, done: Block[]): void {
    const head = this.#head;
    this.#giveProse(end, done, "below");
    this.#kind = "table";
    this.#head = head;
    this.#text = head + this.#text;
    this.#line = head.length;
    this.#scan += head.length;
  }

  /** Whether a paragraph may be cut here: it is long, and no emphasis, code or link is open. */
  #maySplit(at: number): boolean {
    return at > LONG && (at > TOO_LONG || isBalanced(this.#text.slice(0, at)));
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
    if (this.#fence || this.#inner !== undefined || end <= LONG) return false;
    if (this.#kind !== undefined && this.#kind !== "paragraph") return false;
    if (this.#kind === undefined && !this.#midLine && kindOf(this.#text) !== "paragraph") return false;
    if (this.#line > 0 && this.#text.length < this.#line + TELLING) return false;
    if (!this.#midLine && !isRunning(this.#text.slice(this.#line, this.#line + TELLING))) return false;
    for (this.#seek = Math.max(this.#seek, LONG, this.#line + TELLING); ; this.#seek++) {
      this.#seek = this.#text.indexOf(" ", this.#seek);
      // The character behind the space must be there: something must be left that goes on.
      if (this.#seek === -1 || this.#seek + 1 >= end) {
        this.#seek = Math.max(LONG, end - 2);
        return false;
      }
      if (/\s/.test(this.#text.charAt(this.#seek + 1)) || !this.#maySplit(this.#seek)) continue;
      this.#giveProse(this.#seek + 1, done, "inline");
      this.#midLine = true;
      return true;
    }
  }

  /** @param rest where the rest of the block goes: nowhere, under it, or into its last row */
  #giveProse(end: number, done: Block[], rest?: "below" | "inline"): void {
    const text = this.#text.slice(0, end);
    const isEmpty = text.trim() === "";
    if (!isEmpty) {
      done.push({ kind: "prose", text: text.replace(/\s+$/, ""), joined: this.#joined, goesOn: rest === "inline" });
    }
    this.#drop(end);
    this.#kind = undefined;
    this.#count = 0;
    this.#afterBlank = false;
    this.#inner = undefined;
    this.#joined = rest !== undefined;
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
    this.#seek = 0;
    this.#scan = Math.max(0, this.#scan - end);
  }

  #reset(): void {
    this.#text = "";
    this.#line = 0;
    this.#scan = 0;
    this.#seek = 0;
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
  if (WHOLE_LINES.test(line)) return "lines";
  return LIST.test(line) ? "list" : "paragraph";
}

/** Whether no code span, strong emphasis or link text is open at the end of a text. */
function isBalanced(text: string): boolean {
  const count = (part: string): number => text.split(part).length - 1;
  return (
    count("`") % 2 === 0 &&
    count("*") % 2 === 0 &&
    count("**") % 2 === 0 &&
    count("~~") % 2 === 0 &&
    count("[") === count("]")
  );
}

function isTableRule(line: string): boolean {
  return line.includes("|") && TABLE_RULE.test(line);
}

/** Whether a line is running text, by its beginning. */
function isRunning(line: string): boolean {
  return kindOf(line) === "paragraph" && !FENCE.test(line) && !line.trimStart().startsWith("|");
}

function unindent(line: string, columns: number): string {
  let at = 0;
  while (at < columns && line.charAt(at) === " ") at++;
  return line.slice(at);
}

function isBareFence(line: string): boolean {
  return /^\s*(?:`+|~+)[^\S\n]*$/.test(line);
}
