/**
 * Shell: quoted words are strings, what `$(…)` and backticks run inside double quotes is code again. The body of a here-document is a string
 * where its delimiter is quoted; otherwise the shell expands it, and it counts as code.
 */
import { indexOf, startsAt } from "./code.js";
import type { Piece, Tokenizer } from "./tokenizer.js";

type Frame =
  /** `close`: what ends it; undefined for the script itself. */
  | { in: "command"; close?: ")" | "`"; parens: number }
  | { in: "double" }
  | { in: "single"; escapes: boolean }
  | { in: "comment" };

interface HereDoc {
  delimiter: string;
  quoted: boolean;
  stripTabs: boolean;
}

/** A delimiter as it is read: `quote` is the quote that is open in it. */
interface Word extends HereDoc {
  begun: boolean;
  quote?: string;
  escaped: boolean;
}

const CODE: Piece = { length: 1, kind: "code" };
const STRING: Piece = { length: 1, kind: "string" };
const MARK: Piece = { length: 1, kind: "mark" };
/** Units that mean something in a command. */
const COMMAND = new Set("'\"`$\\#()<\n");
const DOUBLE = new Set('"`$\\');
const WORD_ENDS = new Set(" \t\r\n;&|<>()");

export class ShellTokenizer implements Tokenizer {
  #frames: Frame[] = [{ in: "command", parens: 0 }];
  #escaped = false;
  /** A `#` here begins a comment. */
  #wordStart = true;
  #word: Word | undefined;
  #pending: HereDoc[] = [];
  #body: HereDoc | undefined;
  /** The present line of a body, as far as it may be the delimiter. */
  #bodyLine = "";

  next(text: string, at: number, final: boolean): Piece | undefined {
    if (this.#body) return this.#inBody(this.#body, text, at);
    if (this.#word && this.#inWord(this.#word, text[at] ?? "")) return CODE;
    const frame = this.#frames.at(-1) ?? { in: "command", parens: 0 };
    switch (frame.in) {
      case "comment":
        return this.#comment(text, at);
      case "single":
        return this.#single(frame, text, at);
      case "double":
        return this.#double(text, at, final);
      case "command":
        return this.#command(frame, text, at, final);
    }
  }

  clone(): ShellTokenizer {
    const copy = new ShellTokenizer();
    copy.#frames = this.#frames.map((frame) => ({ ...frame }));
    copy.#escaped = this.#escaped;
    copy.#wordStart = this.#wordStart;
    copy.#word = this.#word && { ...this.#word };
    copy.#pending = [...this.#pending];
    copy.#body = this.#body;
    copy.#bodyLine = this.#bodyLine;
    return copy;
  }

  #inBody(body: HereDoc, text: string, at: number): Piece {
    const end = text.indexOf("\n", at);
    const length = (end < 0 ? text.length : end + 1) - at;
    let part = text.slice(at, at + length);
    if (body.stripTabs && this.#bodyLine === "") part = part.replace(/^\t+/, "");
    // One unit more than the delimiter and the line's end have: no such line is the delimiter.
    this.#bodyLine = (this.#bodyLine + part).slice(0, body.delimiter.length + 3);
    if (end >= 0) {
      if (this.#bodyLine.replace(/\r?\n$/, "") === body.delimiter) this.#body = this.#pending.shift();
      this.#bodyLine = "";
    }
    return { length, kind: body.quoted ? "string" : "code" };
  }

  /** @returns whether the unit belongs to the delimiter behind `<<` */
  #inWord(word: Word, unit: string): boolean {
    if (word.escaped) {
      word.escaped = false;
      word.delimiter += unit;
    } else if (word.quote !== undefined) {
      if (unit === word.quote) delete word.quote;
      else word.delimiter += unit;
    } else if (unit === "'" || unit === '"') {
      word.quote = unit;
      word.quoted = true;
    } else if (unit === "\\") {
      word.escaped = true;
      word.quoted = true;
    } else if (!word.begun && unit === "-") {
      word.stripTabs = true;
      return true;
    } else if (!word.begun && (unit === " " || unit === "\t")) {
      return true;
    } else if (WORD_ENDS.has(unit)) {
      // A number behind `<<` is a shift of bits.
      if (word.quoted || /^[^\d]/.test(word.delimiter)) this.#pending.push(word);
      this.#word = undefined;
      return false;
    } else word.delimiter += unit;
    word.begun = true;
    return true;
  }

  #comment(text: string, at: number): Piece {
    const end = text.indexOf("\n", at);
    if (end === at) {
      this.#frames.pop();
      return this.#newline();
    }
    return { length: (end < 0 ? text.length : end) - at, kind: "comment" };
  }

  #single({ escapes }: { escapes: boolean }, text: string, at: number): Piece {
    if (this.#escaped) {
      this.#escaped = false;
      return STRING;
    }
    const end = indexOf(text, at, (unit) => unit === "'" || (escapes && unit === "\\"));
    if (end > at) return { length: end - at, kind: "string" };
    if (text[at] === "'") return this.#pop(MARK);
    this.#escaped = true;
    return STRING;
  }

  #double(text: string, at: number, final: boolean): Piece | undefined {
    if (this.#escaped) {
      this.#escaped = false;
      return STRING;
    }
    const end = indexOf(text, at, (unit) => DOUBLE.has(unit));
    if (end > at) return { length: end - at, kind: "string" };
    switch (text[at]) {
      case '"':
        return this.#pop(MARK);
      case "`":
        return this.#push({ in: "command", close: "`", parens: 0 }, MARK);
      case "\\":
        this.#escaped = true;
        return STRING;
      default: {
        const runs = startsAt(text, at, "$(", final);
        if (runs === undefined) return undefined;
        return runs ? this.#push({ in: "command", close: ")", parens: 0 }, { length: 2, kind: "mark" }) : STRING;
      }
    }
  }

  #command(frame: Frame & { in: "command" }, text: string, at: number, final: boolean): Piece | undefined {
    if (this.#escaped) {
      this.#escaped = false;
      this.#wordStart = false;
      return CODE;
    }
    const end = indexOf(text, at, (unit) => COMMAND.has(unit));
    if (end > at) {
      this.#wordStart = /[\s;&|]/.test(text[end - 1] ?? "");
      return { length: end - at, kind: "code" };
    }
    const wordStart = this.#wordStart;
    this.#wordStart = false;
    switch (text[at]) {
      case "\n":
        return this.#newline();
      case "\\":
        this.#escaped = true;
        return CODE;
      case "'":
        return this.#push({ in: "single", escapes: false }, MARK);
      case '"':
        return this.#push({ in: "double" }, MARK);
      case "`":
        return frame.close === "`" ? this.#pop(MARK) : this.#push({ in: "command", close: "`", parens: 0 }, MARK);
      case "#":
        return wordStart ? this.#push({ in: "comment" }, { length: 1, kind: "comment" }) : CODE;
      case "(":
        frame.parens++;
        this.#wordStart = true;
        return CODE;
      case ")":
        if (frame.close === ")" && frame.parens === 0) return this.#pop(MARK);
        frame.parens = Math.max(0, frame.parens - 1);
        return CODE;
      case "$": {
        const ansi = startsAt(text, at, "$'", final);
        if (ansi === undefined) return this.#undecided(wordStart);
        return ansi ? this.#push({ in: "single", escapes: true }, { length: 2, kind: "mark" }) : CODE;
      }
      default: {
        const hereString = startsAt(text, at, "<<<", final);
        if (hereString === undefined) return this.#undecided(wordStart);
        if (hereString) return { length: 3, kind: "code" };
        if (!text.startsWith("<<", at)) return CODE;
        this.#word = { delimiter: "", quoted: false, stripTabs: false, begun: false, escaped: false };
        return { length: 2, kind: "code" };
      }
    }
  }

  #newline(): Piece {
    this.#wordStart = true;
    this.#body = this.#pending.shift();
    return CODE;
  }

  #undecided(wordStart: boolean): undefined {
    this.#wordStart = wordStart;
  }

  #push(frame: Frame, piece: Piece): Piece {
    this.#frames.push(frame);
    this.#wordStart = frame.in === "command";
    return piece;
  }

  #pop(piece: Piece): Piece {
    this.#frames.pop();
    this.#wordStart = false;
    return piece;
  }
}
