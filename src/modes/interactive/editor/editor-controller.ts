/** The keys of the editor: what they do to the text, the history and the completion. Knows no session and no terminal. */

import type { Command } from "../commands/command.js";
import { cleanLine } from "../rows/clean.js";
import { contentWidth } from "../rows/width.js";
import type { CompletionView, EditorView } from "../store/state.js";
import type { Action, Bindings } from "../term/bindings.js";
import type { Key, TermInput } from "../term/key-parser.js";
import { type Completion, completionAt, shown } from "./completion.js";
import { EDITS } from "./edits.js";
import type { PromptHistory } from "./history.js";
import { HistorySearch } from "./history-search.js";
import { Pastes } from "./pastes.js";
import { TextBuffer } from "./text-buffer.js";
import { offsetOf, placeOf, visualLines } from "./visual-lines.js";

export interface EditorPort {
  commands: readonly Command[];
  /** Relative paths; empty while they are not known. The same array while nothing has changed. */
  files(): readonly string[];
  history: PromptHistory;
  bindings: Bindings;
  columns(): number;
  /** The whole text, pastes in full. */
  changed(text: string): void;
  submit(sent: Sent): void;
  /** Takes back the newest of the prompts that wait; undefined where there is none. */
  takeQueued(): string | undefined;
}

/** What was sent. */
export interface Sent {
  /** The whole text, pastes in full. */
  text: string;
  how: "queue" | "steer";
  /** A space in front: whatever it begins with, it is a prompt. */
  literal: boolean;
}

/** Nothing else is asked of a list, nor need it be made for. */
const COMPLETION_KEYS: ReadonlySet<string> = new Set(["up", "down", "escape", "tab", "enter"]);

const NO_FILES: readonly string[] = [];

export class EditorController {
  readonly #buffer = new TextBuffer();
  readonly #pastes = new Pastes();
  #selected = 0;
  /** The completion was closed for the present text. */
  #closedFor: string | undefined;
  #search: HistorySearch | undefined;
  /** Kept from key to key: looking through all files of a project takes longer than a key may. */
  #known: { text: string; cursor: number; files: readonly string[]; completion: Completion | undefined } | undefined;

  constructor(private readonly port: EditorPort) {}

  get view(): EditorView {
    if (this.#search) return { ...this.#search.query, label: "search: " };
    return { text: this.#buffer.text, cursor: this.#buffer.cursor };
  }

  get isEmpty(): boolean {
    return this.#buffer.isEmpty;
  }

  /** Esc means something here: it closes a list. */
  get hasList(): boolean {
    return this.#search !== undefined || this.#completion() !== undefined;
  }

  get completion(): CompletionView | undefined {
    const search = this.#search;
    if (search) {
      const items = search.found.map((entry) => ({ name: cleanLine(entry), summary: "" }));
      return items.length === 0 ? undefined : { items, selected: search.selected };
    }
    const completion = this.#completion();
    return completion && { items: shown(completion.items), selected: this.#selected };
  }

  /** The whole text, pastes in full. */
  get text(): string {
    return this.#pastes.expand(this.#buffer.text);
  }

  /** @returns false for a key that the editor has no use for */
  handle(input: TermInput): boolean {
    if (input.type === "reply") return false;
    if (this.#search) return this.#searchKey(this.#search, input);
    const before = this.#buffer.text;
    const used = input.type === "paste" ? this.#paste(input.text) : this.#completionKey(input) || this.#key(input);
    if (this.#buffer.text !== before) {
      this.#selected = 0;
      this.port.changed(this.text);
    }
    return used;
  }

  /** Puts a text in, in front of what is there. */
  put(text: string): void {
    const rest = this.#buffer.text;
    this.replace(rest === "" ? text : `${text}\n${rest}`);
  }

  /** Puts a text in the place of what is there; undo brings that back. */
  replace(text: string): void {
    this.#buffer.set(text);
    this.port.changed(this.text);
  }

  /** Empties the editor; what stood there is in the history. */
  clear(): void {
    this.port.history.add(this.text);
    this.#search = undefined;
    this.#reset();
  }

  /** Opens the search in the history. */
  search(): void {
    this.#search ??= new HistorySearch(this.port.history.newestFirst());
  }

  #reset(): void {
    this.#buffer.reset();
    this.#pastes.clear();
    this.port.changed("");
  }

  #paste(text: string): boolean {
    this.#buffer.insert(this.#pastes.collapse(text));
    return true;
  }

  #searchKey(search: HistorySearch, input: Exclude<TermInput, { type: "reply" }>): boolean {
    const action = input.type === "key" ? this.port.bindings.actionOf(input) : undefined;
    const result = search.handle(input, action);
    if (result === undefined) return true;
    this.#search = undefined;
    if (result !== "left") this.replace(result.picked);
    return true;
  }

  #completion(): Completion | undefined {
    if (this.#closedFor === this.#buffer.text) return undefined;
    const { text, cursor } = this.#buffer;
    const files = text.includes("@") ? this.port.files() : NO_FILES;
    const known = this.#known;
    if (known?.text !== text || known.cursor !== cursor || known.files !== files) {
      const completion = completionAt(text, cursor, { commands: this.port.commands, files });
      this.#known = { text, cursor, files, completion };
    }
    const completion = this.#known?.completion;
    if (completion) this.#selected = Math.min(this.#selected, completion.items.length - 1);
    return completion;
  }

  #completionKey(key: Key): boolean {
    if (key.ctrl || key.alt || !COMPLETION_KEYS.has(key.name)) return false;
    const completion = this.#completion();
    if (!completion) return false;
    const count = completion.items.length;
    if (key.name === "up") this.#selected = (this.#selected - 1 + count) % count;
    else if (key.name === "down") this.#selected = (this.#selected + 1) % count;
    else if (key.name === "escape") this.#closedFor = this.#buffer.text;
    else if ((key.name === "tab" || key.name === "enter") && !key.shift) {
      const item = completion.items[this.#selected];
      if (item) this.#buffer.replace(completion.from, completion.to, completion.insert(item));
      if (key.name === "enter" && completion.sends) this.#submit("queue");
    } else return false;
    return true;
  }

  #key(key: Key): boolean {
    const action = this.port.bindings.actionOf(key);
    if (action !== undefined) return this.#act(action);
    if (key.name === "enter") return this.#enter();
    if (key.ctrl || key.alt || key.text === undefined) return false;
    this.#buffer.insert(key.text);
    return true;
  }

  #act(action: Action): boolean {
    if (action === "steer") this.#submit("steer");
    else if (action === "up") this.#vertical(-1);
    else if (action === "down") this.#vertical(1);
    else if (action === "backspace") this.#backspace();
    else if (action === "history-search") this.search();
    else {
      const edit = EDITS[action];
      edit?.(this.#buffer);
      return edit !== undefined;
    }
    return true;
  }

  #enter(): boolean {
    const { text, cursor } = this.#buffer;
    if (text.charAt(cursor - 1) === "\\") this.#buffer.replace(cursor - 1, cursor, "\n");
    else this.#submit("queue");
    return true;
  }

  #submit(how: "queue" | "steer"): void {
    const literal = /^\s/.test(this.text);
    const text = this.text.trim();
    if (text === "") return;
    this.port.history.add(text);
    this.#reset();
    this.port.submit({ text, how, literal });
  }

  /** A placeholder goes as one. */
  #backspace(): void {
    const { text, cursor } = this.#buffer;
    const start = this.#pastes.placeholderBefore(text, cursor);
    if (start === undefined) this.#buffer.backspace();
    else this.#buffer.replace(start, cursor, "");
  }

  /** Within the text by screen rows; past its first or last row through the history. */
  #vertical(by: number): void {
    const { text, cursor } = this.#buffer;
    const lines = visualLines(text, contentWidth(this.port.columns()));
    const { row, column } = placeOf(lines, cursor);
    if (row + by >= 0 && row + by < lines.length) {
      this.#buffer.moveTo(offsetOf(lines, row + by, column));
      return;
    }
    const queued = by < 0 && text === "" ? this.port.takeQueued() : undefined;
    if (queued !== undefined) {
      this.replace(queued);
      return;
    }
    const entry = by < 0 ? this.port.history.previous(text) : this.port.history.next();
    if (entry !== undefined) this.#buffer.set(entry);
  }
}
