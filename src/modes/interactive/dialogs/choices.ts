/** A short list to choose from, with numbers and arrows. */
import type { RowContext } from "../rows/context.js";
import { contentWidth, fit } from "../rows/width.js";
import type { Key } from "../term/key-parser.js";

export interface Choice<T> {
  /** The digit that picks it; it stays the same whatever else is offered. */
  digit: string;
  label: string;
  value: T;
}

export class Choices<T> {
  #selected = 0;

  constructor(readonly items: readonly Choice<T>[]) {}

  /** @returns what was picked; "moved" when the selection changed; undefined when the key is not for it */
  handle(key: Key): { picked: T } | "moved" | undefined {
    if (key.ctrl || key.alt) return undefined;
    if (key.name === "up" || (key.name === "tab" && key.shift)) return this.#move(-1);
    if (key.name === "down" || key.name === "tab") return this.#move(1);
    if (key.name === "enter") {
      const item = this.items[this.#selected];
      return item && { picked: item.value };
    }
    const index = this.items.findIndex(({ digit }) => digit === key.text);
    const item = this.items[index];
    if (!item) return undefined;
    this.#selected = index;
    return { picked: item.value };
  }

  rows({ columns, theme }: RowContext): string[] {
    return this.items.map(({ digit, label }, i) => {
      const text = fit(`${digit}  ${label}`, contentWidth(columns));
      return i === this.#selected ? `${theme.accent("›")} ${theme.accent(text)}` : `  ${text}`;
    });
  }

  #move(by: number): "moved" {
    this.#selected = (this.#selected + by + this.items.length) % this.items.length;
    return "moved";
  }
}
