/** C-like and Python-like languages: comments and strings as a `Language` describes them. */
import type { Language } from "./languages.js";
import type { Kind, Piece, Tokenizer } from "./tokenizer.js";

type Mode =
  | { in: "code" }
  | { in: "line" }
  | { in: "block"; depth: number }
  | { in: "string"; close: string; spanning: boolean; holes: boolean }
  | { in: "regex"; inClass: boolean };

const CODE: Mode = { in: "code" };
/** Blanks before the first word of a text are held back for so long, to see whether it begins inside a comment. */
const LONGEST_INDENT = 256;
/** So much of the code before a `/` is kept, to tell a division from a regular expression. */
const KEPT = 16;
const VALUE_MAY_FOLLOW =
  /(?:^|[(,=:[!&|?{;+\-*%~^]|=>|(?:^|[^\w$.])(?:return|typeof|case|do|else|in|of|void|delete|throw|new|await|yield)) ?$/;

/** `'` right behind a word is an apostrophe, but for the letters that languages put before a string. */
const WORD = /\w$/;
const PREFIX = /(?:^|\W)(?:[rbfuRBFUL]|[rbfRBF]{2}|u8)$/;

export class CodeTokenizer implements Tokenizer {
  #mode: Mode = CODE;
  /** The unit before this one was a backslash inside a string or a regular expression. */
  #escaped = false;
  /** Holes of strings that are open, and how many braces are in each. */
  #holes: { back: Mode; braces: number }[] = [];
  /** The end of the code so far, blanks made one. */
  #before = "";
  #first = true;
  readonly #special: RegExp;
  readonly #openers: readonly string[];

  constructor(private readonly language: Language) {
    const { line, block, quotes, spanning = "", regex } = language;
    // In some languages a block begins like a line comment, and goes on.
    this.#openers = [...(block ? [block[0]] : []), ...line];
    const first = new Set([...this.#openers.map((opener) => opener[0]), ...quotes, ...spanning, ...(regex ? "/" : "")]);
    this.#special = new RegExp(`[${[...first, "{", "}"].map((unit) => `\\${unit}`).join("")}]`, "g");
  }

  next(text: string, at: number, final: boolean): Piece | undefined {
    if (this.#first) {
      const begins = this.#beginsInComment(text, at, final);
      if (begins === undefined) return undefined;
      this.#first = false;
      if (begins) this.#mode = { in: "block", depth: 1 };
    }
    const mode = this.#mode;
    if (mode.in === "code") return this.#code(text, at, final);
    if (mode.in === "line") return this.#line(text, at);
    if (mode.in === "block") return this.#block(mode, text, at, final);
    if (this.#escaped) {
      this.#escaped = false;
      return { length: 1, kind: mode.in === "string" ? "string" : "code" };
    }
    return mode.in === "string" ? this.#string(mode, text, at, final) : this.#regex(mode, text, at);
  }

  clone(): CodeTokenizer {
    const copy = new CodeTokenizer(this.language);
    copy.#mode = { ...this.#mode };
    copy.#escaped = this.#escaped;
    copy.#holes = this.#holes.map((hole) => ({ ...hole }));
    copy.#before = this.#before;
    copy.#first = this.#first;
    return copy;
  }

  /** A run of added lines may begin in the middle of a comment; the star that such lines begin with tells. */
  #beginsInComment(text: string, at: number, final: boolean): boolean | undefined {
    if (!this.language.starred) return false;
    let place = at;
    while (place - at < LONGEST_INDENT && (text[place] === " " || text[place] === "\t")) place++;
    if (place - at === LONGEST_INDENT) return false;
    const [star, behind] = [text[place], text[place + 1]];
    if (star === undefined || (star === "*" && behind === undefined)) return final ? star === "*" : undefined;
    return star === "*" && /[\s/]/.test(behind ?? "");
  }

  #line(text: string, at: number): Piece {
    const end = text.indexOf("\n", at);
    if (end < 0) return { length: text.length - at, kind: "comment" };
    this.#mode = CODE;
    return { length: end + 1 - at, kind: "comment" };
  }

  #block(mode: { depth: number }, text: string, at: number, final: boolean): Piece | undefined {
    const [open, close] = this.language.block ?? ["", ""];
    for (let place = at; place < text.length; place++) {
      const mark = text[place];
      if (mark !== close[0] && !(this.language.nested && mark === open[0])) continue;
      const closes = startsAt(text, place, close, final);
      const opens = this.language.nested ? startsAt(text, place, open, final) : false;
      if (closes === undefined || opens === undefined)
        return place > at ? { length: place - at, kind: "comment" } : undefined;
      if (!closes && !opens) continue;
      mode.depth += opens ? 1 : -1;
      if (mode.depth === 0) this.#mode = CODE;
      return { length: place + (opens ? open : close).length - at, kind: "comment" };
    }
    return { length: text.length - at, kind: "comment" };
  }

  #string(mode: Mode & { in: "string" }, text: string, at: number, final: boolean): Piece | undefined {
    const end = indexOf(text, at, (unit) => {
      return (
        unit === mode.close[0] || unit === "\\" || (unit === "\n" && !mode.spanning) || (unit === "$" && mode.holes)
      );
    });
    if (end > at) return { length: end - at, kind: "string" };
    const unit = text[at];
    if (unit === "\\") {
      this.#escaped = true;
      return { length: 1, kind: "string" };
    }
    if (unit === "\n") {
      this.#leave('"');
      return { length: 1, kind: "code" };
    }
    if (unit === "$" && mode.holes) {
      const opens = startsAt(text, at, "${", final);
      if (opens === undefined) return undefined;
      if (!opens) return { length: 1, kind: "string" };
      this.#holes.push({ back: mode, braces: 0 });
      this.#mode = CODE;
      this.#before = "";
      return { length: 2, kind: "mark" };
    }
    const closes = startsAt(text, at, mode.close, final);
    if (closes === undefined) return undefined;
    if (!closes) return { length: 1, kind: "string" };
    this.#leave('"');
    return { length: mode.close.length, kind: "mark" };
  }

  #regex(mode: { inClass: boolean }, text: string, at: number): Piece {
    const unit = text[at];
    if (unit === "\\") this.#escaped = true;
    else if (unit === "[") mode.inClass = true;
    else if (unit === "]") mode.inClass = false;
    else if (unit === "\n" || (unit === "/" && !mode.inClass)) this.#leave("/x");
    return { length: 1, kind: "code" };
  }

  #code(text: string, at: number, final: boolean): Piece | undefined {
    this.#special.lastIndex = at;
    const end = this.#special.exec(text)?.index ?? text.length;
    if (end > at) return this.#plain(text.slice(at, end));
    const unit = text[at] ?? "";
    for (const opener of this.#openers) {
      const opens = startsAt(text, at, opener, final);
      if (opens === undefined) return undefined;
      if (!opens || (opener === "#" && this.language.spacedHash && /\S$/.test(this.#before))) continue;
      const block = opener === this.language.block?.[0] && !this.language.line.includes(opener);
      this.#mode = block ? { in: "block", depth: 1 } : { in: "line" };
      return { length: opener.length, kind: "comment" };
    }
    if (unit === "{" || unit === "}") return this.#brace(unit);
    if (unit === "/" && this.language.regex && VALUE_MAY_FOLLOW.test(this.#before)) {
      this.#mode = { in: "regex", inClass: false };
      return { length: 1, kind: "code" };
    }
    const { quotes, spanning = "" } = this.language;
    if (unit === "'" && WORD.test(this.#before) && !PREFIX.test(this.#before) && !VALUE_MAY_FOLLOW.test(this.#before)) {
      return this.#plain(unit);
    }
    return quotes.includes(unit) || spanning.includes(unit) ? this.#quote(unit, text, at, final) : this.#plain(unit);
  }

  #quote(unit: string, text: string, at: number, final: boolean): Piece | undefined {
    const { tripled = "", spanning = "", holes = false, lifetimes } = this.language;
    if (lifetimes && unit === "'") {
      const isCharacter = characterAt(text, at, final);
      if (isCharacter === undefined) return undefined;
      if (!isCharacter) return this.#plain(unit);
    }
    let close = unit;
    if (tripled.includes(unit)) {
      const three = startsAt(text, at, unit.repeat(3), final);
      if (three === undefined) return undefined;
      if (three) close = unit.repeat(3);
    }
    const long = close.length === 3 || spanning.includes(unit);
    this.#mode = { in: "string", close, spanning: long, holes: long && holes };
    return { length: close.length, kind: "mark" };
  }

  #brace(unit: string): Piece {
    const hole = this.#holes.at(-1);
    if (hole && unit === "{") hole.braces++;
    else if (hole && hole.braces-- === 0) {
      this.#holes.pop();
      this.#mode = hole.back;
      return { length: 1, kind: "mark" };
    }
    return this.#plain(unit);
  }

  #plain(code: string): Piece {
    this.#before = `${this.#before}${code}`.replace(/\s+/g, " ").slice(-KEPT);
    return { length: code.length, kind: "code" satisfies Kind };
  }

  #leave(before: string): void {
    this.#mode = CODE;
    this.#before = before;
  }
}

/** @returns undefined where the text ends too early to tell */
export function startsAt(text: string, at: number, mark: string, final: boolean): boolean | undefined {
  if (text.startsWith(mark, at)) return true;
  return !final && text.length - at < mark.length && mark.startsWith(text.slice(at)) ? undefined : false;
}

/** @returns the index of the first such unit from `at` on, or the length of the text */
export function indexOf(text: string, at: number, wanted: (unit: string) => boolean): number {
  let end = at;
  while (end < text.length && !wanted(text[end] ?? "")) end++;
  return end;
}

/** Whether `'` at `at` opens a character: an escape, or one character and a `'` behind it. */
function characterAt(text: string, at: number, final: boolean): boolean | undefined {
  const first = text[at + 1];
  if (first === undefined) return final ? false : undefined;
  if (first === "\\") return true;
  // No character goes over the end of a line.
  if (first === "\n") return false;
  const behind = at + (/[\uD800-\uDBFF]/.test(first) ? 3 : 2);
  if (behind >= text.length) return final ? false : undefined;
  return first !== "'" && text[behind] === "'";
}
