/** A window on rows that do not all fit. */
export class Scroll {
  #top = 0;
  #page = 1;
  #count = 0;

  /** @returns true when the key scrolled */
  handle(name: string): boolean {
    if (name !== "pageup" && name !== "pagedown") return false;
    const by = name === "pageup" ? -this.#page : this.#page;
    this.#top = Math.max(0, Math.min(this.#count - this.#page, this.#top + by));
    return true;
  }

  /** @returns at most `room` rows, the last of which says what is missing */
  window(rows: readonly string[], room: number, note: (text: string) => string): string[] {
    this.#count = rows.length;
    if (rows.length <= room) {
      this.#top = 0;
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
