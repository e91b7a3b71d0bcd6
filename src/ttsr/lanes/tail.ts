/** UTF-16 units in front of the newest delta: what is decided late is decided by then. */
const KEPT = 65_536;

/** The end of a growing text, addressed by offsets in the whole. */

export class Tail {
  #text = "";
  #base = 0;

  /** UTF-16 units of the whole. */
  get end(): number {
    return this.#base + this.#text.length;
  }

  /** @param whole nothing is let go of */
  append(delta: string, whole: boolean): void {
    if (!whole && this.#text.length > 3 * KEPT) {
      this.#base += this.#text.length - KEPT;
      this.#text = this.#text.slice(-KEPT);
    }
    this.#text += delta;
  }

  /** @returns the units from `from` to `to` that are still kept, and the offset of the first of them */
  slice(from: number, to: number): { text: string; at: number } {
    const at = Math.max(from, this.#base);
    return { text: this.#text.slice(at - this.#base, Math.max(at, to) - this.#base), at };
  }
}
