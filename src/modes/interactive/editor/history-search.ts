/** Ctrl+R: what was sent before, found by any part of it. */
import type { Action } from "../term/bindings.js";
import type { TermInput } from "../term/key-parser.js";
import { editOneRow } from "./edits.js";
import { TextBuffer } from "./text-buffer.js";

const LIMIT = 50;

export class HistorySearch {
  readonly #query = new TextBuffer();
  #selected = 0;
  #found: readonly string[];

  /** @param entries newest first */
  constructor(private readonly entries: readonly string[]) {
    this.#found = entries.slice(0, LIMIT);
  }

  get query(): { text: string; cursor: number } {
    return { text: this.#query.text, cursor: this.#query.cursor };
  }

  get found(): readonly string[] {
    return this.#found;
  }

  get selected(): number {
    return this.#selected;
  }

  /** @returns the entry that was picked; "left" for Esc; undefined while it goes on */
  handle(
    input: Exclude<TermInput, { type: "reply" }>,
    action: Action | undefined,
  ): { picked: string } | "left" | undefined {
    if (input.type === "paste") {
      this.#query.insert(input.text.replaceAll("\n", " "));
      return this.#search();
    }
    if (input.name === "escape") return "left";
    if (input.name === "enter" || input.name === "tab") {
      const picked = this.#found[this.#selected];
      return picked === undefined ? "left" : { picked };
    }
    if (action === "history-search" || action === "down") this.#move(1);
    else if (action === "up") this.#move(-1);
    else if (editOneRow(this.#query, action)) this.#search();
    else if (input.text !== undefined) {
      this.#query.insert(input.text);
      this.#search();
    }
    return undefined;
  }

  #move(by: number): void {
    const count = Math.max(1, this.#found.length);
    this.#selected = (this.#selected + by + count) % count;
  }

  #search(): undefined {
    const words = this.#query.text.toLowerCase().split(/\s+/);
    this.#found = this.entries
      .filter((entry) => words.every((word) => entry.toLowerCase().includes(word)))
      .slice(0, LIMIT);
    this.#selected = 0;
  }
}
