/** Where the arrows choose, only these scroll. */
export function isPageKey(name: string): boolean {
  return name === "pageup" || name === "pagedown";
}

/** A window on rows that do not all fit. */
export class Scroll {
  #top = 0;
  #page = 1;
  #count = 0;

  /** Whether the rows did not all fit, when they were drawn last. */
  get isCut(): boolean {
    return this.#count > this.#page;
  }

  /** @returns true when the key scrolled */
  handle(name: string): boolean {
    const by = { up: -1, down: 1, pageup: -this.#page, pagedown: this.#page }[name];
    if (by === undefined) return false;
    this.#top = Math.max(0, Math.min(this.#count - this.#page, this.#top + by));
    return true;
  }

  /** @returns at most `room` rows, the last of which says what is missing */
  window(rows: readonly string[], room: number, note: (text: string) => string): string[] {
    this.#count = rows.length;
    if (rows.length <= room) {
      this.#top = 0;
      this.#page = Math.max(1, rows.length);
      return [...rows];
    }
    this.#page = Math.max(1, room - 1);
    this.#top = Math.max(0, Math.min(this.#top, rows.length - this.#page));
    const below = rows.length - this.#top - this.#page;
    // Short enough for a terminal of 20 columns.
    const text = below > 0 ? `${below} more · PgDn` : "end · PgUp";
    return [...rows.slice(this.#top, this.#top + this.#page), note(text)];
  }
}
