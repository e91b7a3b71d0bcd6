/** The text being written: pure, knows no terminal. The cursor is a UTF-16 offset that always stands between graphemes. */
import { nextGrapheme, nextWord, previousGrapheme, previousWord } from "./graphemes.js";

interface Snapshot {
  text: string;
  cursor: number;
}

type EditKind = "type" | "delete" | "other";

const UNDO_DEPTH = 200;
const KILL_RING = 20;

export class TextBuffer {
  #text = "";
  #cursor = 0;
  #undo: Snapshot[] = [];
  #redo: Snapshot[] = [];
  #lastEdit: EditKind | undefined;
  /** What was cut, newest last. */
  readonly #kills: string[] = [];
  /** The last thing done was a cut: the next one joins it. */
  #killing = false;
  /** What the last yank put in, while nothing else has happened. */
  #yanked: { from: number; to: number; back: number } | undefined;

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** Replaces everything; the cursor goes to the end. Can be undone. */
  set(text: string): void {
    if (text === this.#text) {
      this.#cursor = text.length;
      return;
    }
    this.#remember("other");
    this.#text = text;
    this.#cursor = text.length;
  }

  /** Empties it and forgets what could be undone. */
  reset(): void {
    this.#text = "";
    this.#cursor = 0;
    this.#undo = [];
    this.#redo = [];
    this.#lastEdit = undefined;
  }

  insert(piece: string): void {
    if (piece === "") return;
    // A word at a time comes back with undo.
    this.#remember(piece.length > 2 || /\s/.test(piece) ? "other" : "type");
    this.#replace(this.#cursor, this.#cursor, piece);
  }

  /** Replaces a range; the cursor stands behind what was put in. */
  replace(from: number, to: number, piece: string): void {
    this.#remember("other");
    this.#replace(from, to, piece);
  }

  backspace(): void {
    this.#delete(previousGrapheme(this.#text, this.#cursor), this.#cursor, "delete");
  }

  delete(): void {
    this.#delete(this.#cursor, nextGrapheme(this.#text, this.#cursor), "delete");
  }

  killWordBefore(): void {
    this.#kill(previousWord(this.#text, this.#cursor), this.#cursor);
  }

  killWordAfter(): void {
    this.#kill(this.#cursor, nextWord(this.#text, this.#cursor));
  }

  killToLineStart(): void {
    const start = this.#lineStart(this.#cursor);
    this.#kill(start === this.#cursor ? Math.max(0, start - 1) : start, this.#cursor);
  }

  killToLineEnd(): void {
    const end = this.#lineEnd(this.#cursor);
    this.#kill(this.#cursor, end === this.#cursor ? Math.min(this.#text.length, end + 1) : end);
  }

  /** Puts back what was cut last. */
  yank(): void {
    this.#yankBack(this.#cursor, this.#cursor, 0);
  }

  /** Right after a yank: what was cut before that, in its place. */
  yankOlder(): void {
    const last = this.#yanked;
    if (last) this.#yankBack(last.from, last.to, last.back + 1);
  }

  textStart(): void {
    this.#move(0);
  }

  textEnd(): void {
    this.#move(this.#text.length);
  }

  left(): void {
    this.#move(previousGrapheme(this.#text, this.#cursor));
  }

  right(): void {
    this.#move(nextGrapheme(this.#text, this.#cursor));
  }

  wordLeft(): void {
    this.#move(previousWord(this.#text, this.#cursor));
  }

  wordRight(): void {
    this.#move(nextWord(this.#text, this.#cursor));
  }

  lineStart(): void {
    this.#move(this.#lineStart(this.#cursor));
  }

  lineEnd(): void {
    this.#move(this.#lineEnd(this.#cursor));
  }

  /** @param offset UTF-16 units; clamped */
  moveTo(offset: number): void {
    this.#move(Math.max(0, Math.min(this.#text.length, offset)));
  }

  /** @returns false when there is nothing to undo */
  undo(): boolean {
    return this.#swap(this.#undo, this.#redo);
  }

  redo(): boolean {
    return this.#swap(this.#redo, this.#undo);
  }

  #swap(from: Snapshot[], to: Snapshot[]): boolean {
    const snapshot = from.pop();
    if (!snapshot) return false;
    to.push({ text: this.#text, cursor: this.#cursor });
    this.#text = snapshot.text;
    this.#cursor = snapshot.cursor;
    this.#lastEdit = undefined;
    this.#killing = false;
    this.#yanked = undefined;
    return true;
  }

  #move(to: number): void {
    this.#cursor = to;
    this.#lastEdit = undefined;
    this.#killing = false;
    this.#yanked = undefined;
  }

  /** Cuts in a row are one, in the order of the text. */
  #kill(from: number, to: number): void {
    if (from === to) return;
    const cut = this.#text.slice(from, to);
    const before = this.#killing ? (this.#kills.pop() ?? "") : "";
    this.#kills.push(from < this.#cursor ? cut + before : before + cut);
    if (this.#kills.length > KILL_RING) this.#kills.shift();
    this.#delete(from, to, "other");
    this.#killing = true;
  }

  #yankBack(from: number, to: number, back: number): void {
    const count = this.#kills.length;
    const piece = this.#kills[count - 1 - (back % Math.max(1, count))];
    if (piece === undefined) return;
    this.replace(from, to, piece);
    this.#yanked = { from, to: from + piece.length, back };
  }

  #delete(from: number, to: number, kind: EditKind): void {
    if (from === to) return;
    this.#remember(kind);
    this.#replace(from, to, "");
  }

  #replace(from: number, to: number, piece: string): void {
    this.#text = this.#text.slice(0, from) + piece + this.#text.slice(to);
    this.#cursor = from + piece.length;
  }

  #remember(kind: EditKind): void {
    this.#killing = false;
    this.#yanked = undefined;
    const joins = kind !== "other" && kind === this.#lastEdit;
    this.#lastEdit = kind;
    this.#redo = [];
    if (joins) return;
    this.#undo.push({ text: this.#text, cursor: this.#cursor });
    if (this.#undo.length > UNDO_DEPTH) this.#undo.shift();
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf("\n", at - 1) + 1;
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf("\n", at);
    return end === -1 ? this.#text.length : end;
  }
}
