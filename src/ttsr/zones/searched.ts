/**
 * What a shell command searches for, as in `grep 'as any' src`: it is written to be found, not to be run (TTSR-2.7). Only what stands in quotes
 * behind the program's name; whatever the shell runs inside of them counts as ever.
 */
import type { Piece, Tokenizer } from "./tokenizer.js";

const PROGRAMS: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "git grep"]);
/** They run what follows them. */
const PREFIX = /^(?:\w+=.*|sudo|command|time|xargs|-.*|\d+)$/;
/** Units that end a command. */
const ENDS = new Set(";&|()\n`");
/** Of a program's name, units that are kept. */
const LONGEST = 64;

/** One command, as far as it is read. */
interface Command {
  /** `reading`: its program is not known yet. */
  kind: "reading" | "searching" | "other";
  word: string;
  /** The word in front, where it is part of the name. */
  git: boolean;
}

const begun = (): Command => ({ kind: "reading", word: "", git: false });

export class SearchedWords implements Tokenizer {
  #command: Command = begun();
  /** Commands in which the present one stands, in `$(…)` or backticks. */
  #outer: { command: Command; close: string }[] = [];

  constructor(private readonly shell: Tokenizer) {}

  next(text: string, at: number, final: boolean): Piece | undefined {
    const piece = this.shell.next(text, at, final);
    if (!piece) return undefined;
    const part = text.slice(at, at + piece.length);
    if (piece.kind === "code") for (const unit of part) this.#read(unit);
    else if (piece.kind === "mark") this.#mark(part);
    else if (piece.kind === "string") {
      if (this.#command.kind === "searching") return { ...piece, kind: "searched" };
      for (const unit of part) this.#append(unit);
    }
    return piece;
  }

  clone(): SearchedWords {
    const copy = new SearchedWords(this.shell.clone());
    copy.#command = { ...this.#command };
    copy.#outer = this.#outer.map(({ command, close }) => ({ command: { ...command }, close }));
    return copy;
  }

  #mark(mark: string): void {
    if (mark === this.#outer.at(-1)?.close) this.#command = this.#outer.pop()?.command ?? begun();
    else if (mark === "$(" || mark === "`") {
      this.#outer.push({ command: this.#command, close: mark === "`" ? "`" : ")" });
      this.#command = begun();
    }
  }

  #read(unit: string): void {
    if (ENDS.has(unit)) this.#command = begun();
    else if (unit === " " || unit === "\t") this.#wordEnds();
    else this.#append(unit);
  }

  #append(unit: string): void {
    if (this.#command.kind === "reading" && this.#command.word.length < LONGEST) this.#command.word += unit;
  }

  #wordEnds(): void {
    const command = this.#command;
    if (command.kind !== "reading" || command.word === "") return;
    const name = command.word.slice(command.word.lastIndexOf("/") + 1);
    const isPrefix = PREFIX.test(command.word);
    command.word = "";
    if (command.git && isPrefix) return;
    if (PROGRAMS.has(command.git ? `git ${name}` : name)) command.kind = "searching";
    else if (name === "git" && !command.git) command.git = true;
    else if (!isPrefix) command.kind = "other";
  }
}
