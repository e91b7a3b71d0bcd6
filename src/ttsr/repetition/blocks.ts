/** Prose taken apart as it comes in: paragraphs, and the lines that are none (headings, lists, tables, quotes, code). */

/** UTF-16 units of a line, and of a paragraph, that are kept; what is longer is known by its length alone. */
const LONGEST = 4_096;
/** UTF-16 units of a line after which it is known for what it is: it may never end. Longer than what anybody draws. */
const LONG_LINE = 1_024;

export type Block =
  /** `text` without its last line end; `whole`: it is all there. */
  { kind: "paragraph"; text: string; start: number; whole: boolean } | { kind: "line"; text: string };

/** Running text of a paragraph, as soon as it is known to be some. */
export interface Said {
  text: string;
  /** Offset in the lane. */
  start: number;
  /** Where the lane had to be read up to, at least, to know it. */
  known: number;
  /** A line is over with it. */
  endsLine: boolean;
  /** It stands behind the first 1,024 units of its line. */
  far: boolean;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/;
/** They go on until a blank line: whatever hangs below an item, a row or a quote belongs to it. */
const LONG_BLOCK = [
  /^[ \t]*(?:\(?(?:\d{1,4}|\p{L}|[ivxIVX]{2,4})[.)]|\[[ xX]\])(?:\s|$)/u,
  // Bullets, check marks, arrows, prompts.
  /^[ \t]*(?:[-*+]|[^\p{L}\p{N}\s"'“‘«([*_`<#\\]{1,3})(?:\s|$)/u,
  /^[ \t]*>/,
  /^[ \t]*\|| \| .* \| /,
  /^[ \t]*<[/A-Za-z!]/,
  // Code that nobody has fenced.
  /[{}[\](;],?[ \t]*$|^[ \t]*[{}\]]/,
];
/** They stand alone. */
const LONE_LINE = [
  /^[ \t]*(?:#{1,6}|={1,6})(?:\s|$)/,
  /^=[a-z]\w* /,
  /^[ \t]*\[[^\]]+\]:\s/,
  /^[ \t]*(?:[-=_*~+][ \t]*){3,}$/,
];
const UNDERLINE = /^[ \t]*(?:=+|-+)[ \t]*$/;
const INDENTED = /^(?: {2,}|\t)/;

/**
 * Reads whole lines, so what it finds depends on the text alone, not on how it was cut. Keeps one line and one paragraph, each as far as
 * they count.
 */
export class BlockReader {
  #line = "";
  #lineLength = 0;
  /** UTF-16 units up to the end of the last whole line. */
  #read = 0;
  #paragraph: string[] = [];
  #paragraphStart = 0;
  #paragraphLength = 0;
  #fence: string | undefined;
  /** Until a blank line, nothing is a paragraph. */
  #inBlock = false;
  /** The line at hand is running text, and is told as it comes. */
  #saying = false;

  /**
   * @param found told of each block when it is known to be complete, and where the lane had to be read up to
   * @param said told of the text of paragraphs line by line, and of a line that is too long to be waited for as it comes
   */
  constructor(
    private readonly found: (block: Block, end: number) => void,
    private readonly said: (said: Said) => void = () => undefined,
  ) {}

  push(delta: string): void {
    let from = 0;
    for (let at = delta.indexOf("\n"); at >= 0; at = delta.indexOf("\n", from)) {
      this.#append(delta, from, at);
      this.#endLine(1);
      from = at + 1;
    }
    this.#append(delta, from, delta.length);
  }

  /** The lane is complete. */
  close(): void {
    if (this.#lineLength > 0) this.#endLine(0);
    this.#endParagraph();
  }

  #append(delta: string, from: number, to: number): void {
    const before = this.#lineLength;
    this.#lineLength += to - from;
    const room = LONGEST - this.#line.length;
    if (room > 0 && to > from) this.#line += delta.slice(from, Math.min(to, from + room));
    if (this.#saying) this.#say(delta.slice(from, to), before);
    else if (before < LONG_LINE && this.#lineLength >= LONG_LINE) {
      const head = this.#line.slice(0, LONG_LINE);
      if (!this.#isRunning(head)) return;
      this.#saying = true;
      const known = this.#read + LONG_LINE;
      this.said({ text: head, start: this.#read, known, endsLine: false, far: false });
      this.#say(delta.slice(from + LONG_LINE - before, to), LONG_LINE);
    }
  }

  /** @param at offset in the line, behind its first 1,024 units */
  #say(text: string, at: number): void {
    if (text !== "") this.said({ text, start: this.#read + at, known: 0, endsLine: false, far: true });
  }

  /** Whether a line that begins so is a part of a paragraph. */
  #isRunning(head: string): boolean {
    if (this.#fence !== undefined || this.#inBlock || head.trim() === "") return false;
    return fenceOf(head) === undefined && !LONE_LINE.some((kind) => kind.test(head)) && !this.#opensBlock(head);
  }

  #endLine(lineEnd: 0 | 1): void {
    const start = this.#read;
    const length = this.#lineLength;
    const text = this.#line.endsWith("\r") && length <= LONGEST ? this.#line.slice(0, -1) : this.#line;
    this.#read += length + lineEnd;
    this.#line = "";
    this.#lineLength = 0;
    const told = this.#saying;
    this.#saying = false;
    if (told) this.said({ text: "", start: start + length, known: this.#read, endsLine: true, far: true });
    this.#take(text, start, length, told);
  }

  #take(line: string, start: number, length: number, told: boolean): void {
    if (this.#fence !== undefined) {
      if (closes(line, this.#fence)) this.#fence = undefined;
      this.#tellLine(line);
    } else if (line.trim() === "" && length <= LONGEST) {
      this.#endParagraph();
      this.#inBlock = false;
    } else if (fenceOf(line) !== undefined) {
      this.#endParagraph();
      this.#inBlock = false;
      this.#fence = fenceOf(line);
      this.#tellLine(line);
    } else if (this.#paragraph.length > 0 && UNDERLINE.test(line)) {
      // It was a heading.
      for (const heading of this.#paragraph.splice(0)) this.#tellLine(heading);
    } else if (LONE_LINE.some((kind) => kind.test(line))) {
      this.#endParagraph();
      this.#tellLine(line);
    } else if (this.#inBlock || this.#opensBlock(line)) {
      this.#endParagraph();
      this.#inBlock = true;
      this.#tellLine(line);
    } else {
      if (!told) this.said({ text: line, start, known: this.#read, endsLine: true, far: false });
      this.#addToParagraph(line, start, length);
    }
  }

  #opensBlock(line: string): boolean {
    // Within a paragraph, an indented line is a part of it.
    return LONG_BLOCK.some((kind) => kind.test(line)) || (this.#paragraph.length === 0 && INDENTED.test(line));
  }

  #addToParagraph(line: string, start: number, length: number): void {
    if (this.#paragraph.length === 0) {
      this.#paragraphStart = start;
      this.#paragraphLength = 0;
    }
    if (this.#paragraphLength <= LONGEST) this.#paragraph.push(line);
    this.#paragraphLength += length + 1;
  }

  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    const text = this.#paragraph.join("\n");
    this.#paragraph = [];
    const whole = this.#paragraphLength - 1 <= LONGEST;
    this.found({ kind: "paragraph", text, start: this.#paragraphStart, whole }, this.#read);
  }

  #tellLine(text: string): void {
    this.found({ kind: "line", text }, this.#read);
  }
}

function fenceOf(line: string): string | undefined {
  const mark = FENCE.exec(line)?.[1];
  return mark !== undefined && !(mark[0] === "`" && line.slice(line.indexOf(mark) + mark.length).includes("`"))
    ? mark
    : undefined;
}

function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === (fence[0] ?? "").repeat(mark.length);
}
