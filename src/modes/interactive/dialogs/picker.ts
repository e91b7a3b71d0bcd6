/** One of several: short lists by number, long ones by typing. */
import type { PickItem } from "../commands/command.js";
import { editOneRow } from "../editor/edits.js";
import { narrow } from "../editor/fuzzy.js";
import { TextBuffer } from "../editor/text-buffer.js";
import { cleanLine } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { cells, contentWidth, fit, GUTTER } from "../rows/width.js";
import type { DialogRows } from "../store/state.js";
import type { Bindings } from "../term/bindings.js";
import type { TermInput } from "../term/key-parser.js";
import type { Dialog } from "./dialog.js";

/** So many have a digit each. */
const DIGITS = 9;

export class Picker<T> implements Dialog {
  readonly kind = "panel";
  readonly #query = new TextBuffer();
  readonly #numbered: boolean;
  #found: readonly PickItem<T>[];
  #selected = 0;
  #top = 0;

  /** @param onDone gets nothing for Esc */
  constructor(
    private readonly title: string,
    private readonly items: readonly PickItem<T>[],
    private readonly bindings: Bindings,
    private readonly onDone: (picked?: { value: T }) => void,
  ) {
    this.#found = items;
    this.#numbered = items.length <= DIGITS;
  }

  handle(input: TermInput): boolean {
    if (input.type === "paste" && !this.#numbered) {
      this.#query.insert(input.text.replaceAll("\n", " "));
      this.#search();
    }
    if (input.type !== "key") return false;
    const action = this.bindings.actionOf(input);
    const last = this.#found.length - 1;
    if (input.name === "escape") this.dismiss();
    else if (input.name === "enter") this.#pick(this.#selected);
    else if (action === "up") this.#selected = this.#selected === 0 ? Math.max(0, last) : this.#selected - 1;
    else if (action === "down" || input.name === "tab")
      this.#selected = this.#selected >= last ? 0 : this.#selected + 1;
    else if (input.name === "pageup") this.#selected = Math.max(0, this.#selected - DIGITS);
    else if (input.name === "pagedown") this.#selected = Math.max(0, Math.min(last, this.#selected + DIGITS));
    else if (this.#numbered) return this.#digit(input.text);
    else if (editOneRow(this.#query, action)) this.#search();
    else if (input.text !== undefined) {
      this.#query.insert(input.text);
      this.#search();
    } else return false;
    return true;
  }

  dismiss(): void {
    this.onDone();
  }

  rows({ columns, theme }: RowContext, maxRows: number): DialogRows {
    const width = contentWidth(columns);
    const head = [`${theme.accent("?")} ${theme.bold(fit(this.title, width))}`];
    const { text, cursor } = this.#query;
    if (!this.#numbered) {
      const typed = text === "" ? theme.dim("type to search") : fit(text, width - 2);
      head.push(`${theme.accent("› ")}${typed}`);
    }
    const keys = this.#numbered ? "↑↓ or a number, Enter takes, Esc leaves" : "↑↓ choose, Enter takes, Esc leaves";
    const room = Math.max(1, maxRows - head.length - 1);
    this.#top = Math.max(this.#selected - room + 1, Math.min(this.#top, this.#selected), 0);
    const shown = this.#found.slice(this.#top, this.#top + room);
    const labels = this.#found.map(({ label }) => cells(cleanLine(label)));
    const longest = Math.min(Math.floor(width / 2), Math.max(1, ...labels));
    const rows = shown.map((item, i) => this.#row(item, this.#top + i, { width, longest }, theme));
    if (rows.length === 0) rows.push(theme.dim("  nothing fits"));
    const all = [...head, ...rows, `  ${theme.dim(fit(keys, width))}`].slice(0, maxRows);
    const at = { row: 1, column: GUTTER + cells(text.slice(0, cursor)) };
    return this.#numbered ? { rows: all } : { rows: all, cursor: at };
  }

  #row(
    item: PickItem<T>,
    at: number,
    { width, longest }: { width: number; longest: number },
    theme: RowContext["theme"],
  ): string {
    const digit = this.#numbered ? `${at + 1}  ` : "";
    const label = fit(cleanLine(item.label), longest);
    const padding = " ".repeat(Math.max(0, longest - cells(label)));
    const about = fit(cleanLine(item.about), Math.max(0, width - longest - digit.length - 2));
    const tail = about === "" ? "" : `${padding}  ${about}`;
    return at === this.#selected
      ? `${theme.accent("›")} ${theme.accent(digit + label)}${tail}`
      : `  ${digit}${label}${theme.dim(tail)}`;
  }

  #digit(text: string | undefined): boolean {
    const at = Number.parseInt(text ?? "", 10) - 1;
    if (!(at >= 0 && at < this.#found.length)) return false;
    this.#pick(at);
    return true;
  }

  #pick(at: number): void {
    const item = this.#found[at];
    this.onDone(item && { value: item.value });
  }

  #search(): void {
    this.#found = narrow(this.#query.text, this.items, ({ label: name, about }) => ({ name, about }));
    this.#selected = 0;
  }
}
