/** The keys of the editor: what they do to the text, the history and the completion. Knows no session and no terminal. */
import { completionsOf } from "../commands/index.js";
import { contentWidth } from "../rows/width.js";
import type { CompletionView, EditorView } from "../store/state.js";
import type { Key, TermInput } from "../term/key-parser.js";
import type { PromptHistory } from "./history.js";
import { Pastes } from "./pastes.js";
import { TextBuffer } from "./text-buffer.js";
import { offsetOf, placeOf, visualLines } from "./visual-lines.js";

export interface EditorPort {
  history: PromptHistory;
  columns(): number;
  changed(text: string): void;
  /** The whole text, pastes in full. */
  submit(text: string, how: "enter" | "alt-enter"): void;
}

export class EditorController {
  readonly #buffer = new TextBuffer();
  readonly #pastes = new Pastes();
  #selected = 0;
  /** The completion was closed for the present text. */
  #closedFor: string | undefined;

  constructor(private readonly port: EditorPort) {}

  get view(): EditorView {
    return { text: this.#buffer.text, cursor: this.#buffer.cursor };
  }

  get isEmpty(): boolean {
    return this.#buffer.isEmpty;
  }

  get completion(): CompletionView | undefined {
    const items = completionsOf(this.#buffer.text);
    if (items.length === 0 || this.#closedFor === this.#buffer.text) return undefined;
    return { items, selected: Math.min(this.#selected, items.length - 1) };
  }

  /** @returns false for a key that the editor has no use for */
  handle(input: TermInput): boolean {
    if (input.type === "reply") return false;
    const before = this.#buffer.text;
    const used = input.type === "paste" ? this.#paste(input.text) : this.#completionKey(input) || this.#key(input);
    if (this.#buffer.text !== before) {
      this.#selected = 0;
      this.port.changed(this.#buffer.text);
    }
    return used;
  }

  /** Puts a text in, in front of what is there. */
  put(text: string): void {
    const rest = this.#buffer.text;
    this.#buffer.set(rest === "" ? text : `${text}\n${rest}`);
    this.port.changed(this.#buffer.text);
  }

  /** Empties the editor; what stood there is in the history. */
  clear(): void {
    this.port.history.add(this.#pastes.expand(this.#buffer.text));
    this.#reset();
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

  #completionKey(key: Key): boolean {
    const { completion } = this;
    if (!completion || key.ctrl || key.alt) return false;
    const count = completion.items.length;
    if (key.name === "up") this.#selected = (completion.selected - 1 + count) % count;
    else if (key.name === "down") this.#selected = (completion.selected + 1) % count;
    else if (key.name === "escape") this.#closedFor = this.#buffer.text;
    else if (key.name === "tab" && !key.shift) this.#buffer.set(completion.items[completion.selected]?.name ?? "");
    else if (key.name === "enter") {
      this.#buffer.set(completion.items[completion.selected]?.name ?? this.#buffer.text);
      this.#submit("enter");
    } else return false;
    return true;
  }

  #key(key: Key): boolean {
    if (key.name === "enter") return this.#enter(key);
    if (key.ctrl) return this.#control(key);
    if (key.alt) return this.#alt(key);
    switch (key.name) {
      case "backspace":
        this.#backspace();
        return true;
      case "delete":
        this.#buffer.delete();
        return true;
      case "left":
        this.#buffer.left();
        return true;
      case "right":
        this.#buffer.right();
        return true;
      case "home":
        this.#buffer.lineStart();
        return true;
      case "end":
        this.#buffer.lineEnd();
        return true;
      case "up":
        return this.#vertical(-1);
      case "down":
        return this.#vertical(1);
      default:
        if (key.text === undefined) return false;
        this.#buffer.insert(key.text);
        return true;
    }
  }

  #enter(key: Key): boolean {
    const { text, cursor } = this.#buffer;
    if (key.shift) this.#buffer.insert("\n");
    else if (text.charAt(cursor - 1) === "\\") this.#buffer.replace(cursor - 1, cursor, "\n");
    else this.#submit(key.alt || key.ctrl ? "alt-enter" : "enter");
    return true;
  }

  #submit(how: "enter" | "alt-enter"): void {
    const text = this.#pastes.expand(this.#buffer.text).trim();
    if (text === "") return;
    this.port.history.add(text);
    this.#reset();
    this.port.submit(text, how);
  }

  #control(key: Key): boolean {
    switch (key.name) {
      case "j":
        this.#buffer.insert("\n");
        return true;
      case "a":
        this.#buffer.lineStart();
        return true;
      case "e":
        this.#buffer.lineEnd();
        return true;
      case "b":
        this.#buffer.left();
        return true;
      case "f":
        this.#buffer.right();
        return true;
      case "k":
        this.#buffer.killToLineEnd();
        return true;
      case "u":
        this.#buffer.killToLineStart();
        return true;
      case "w":
      case "backspace":
        this.#buffer.killWordBefore();
        return true;
      case "delete":
        this.#buffer.killWordAfter();
        return true;
      case "y":
        this.#buffer.yank();
        return true;
      case "left":
        this.#buffer.wordLeft();
        return true;
      case "right":
        this.#buffer.wordRight();
        return true;
      case "p":
        return this.#vertical(-1);
      case "n":
        return this.#vertical(1);
      case "_":
      case "-":
      case "/":
        if (key.shift) this.#buffer.redo();
        else this.#buffer.undo();
        return true;
      default:
        return false;
    }
  }

  #alt(key: Key): boolean {
    if (key.name === "b" || key.name === "left") this.#buffer.wordLeft();
    else if (key.name === "f" || key.name === "right") this.#buffer.wordRight();
    else if (key.name === "d") this.#buffer.killWordAfter();
    else if (key.name === "backspace") this.#buffer.killWordBefore();
    else return false;
    return true;
  }

  #backspace(): void {
    const { text, cursor } = this.#buffer;
    const start = this.#pastes.placeholderBefore(text, cursor);
    if (start === undefined) this.#buffer.backspace();
    else this.#buffer.replace(start, cursor, "");
  }

  /** Within the text by screen rows; past its first or last row through the history. */
  #vertical(by: number): boolean {
    const { text, cursor } = this.#buffer;
    const lines = visualLines(text, contentWidth(this.port.columns()));
    const { row, column } = placeOf(lines, cursor);
    if (row + by >= 0 && row + by < lines.length) {
      this.#buffer.moveTo(offsetOf(lines, row + by, column));
      return true;
    }
    const entry = by < 0 ? this.port.history.previous(text) : this.port.history.next();
    if (entry !== undefined) this.#buffer.set(entry);
    return true;
  }
}
