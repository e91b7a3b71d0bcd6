/** UTF-16 units in front of the newest delta: what is decided late is decided by then. */
const KEPT = 65_536;
/** UTF-16 units. */
const BLOCK = 1024;

/** The end of a growing text, addressed by offsets in the whole. */
export class Tail {
  #text = "";
  /** What came last: short, so that joining it costs no more than it is long. */
  #recent = "";
  #base: number;

  /** @param from the offset of the first unit that it is given */
  constructor(from = 0) {
    this.#base = from;
  }

  /** UTF-16 units of the whole. */
  get end(): number {
    return this.#base + this.#text.length + this.#recent.length;
  }

  /** @param whole nothing is let go of */
  append(delta: string, whole: boolean): void {
    if (this.#recent.length >= BLOCK) this.#join();
    if (!whole && this.#text.length > 3 * KEPT) {
      this.#join();
      this.#base += this.#text.length - KEPT;
      this.#text = this.#text.slice(-KEPT);
    }
    this.#recent += delta;
  }

  /** @returns the units from `from` to `to` that are still kept, and the offset of the first of them */
  slice(from: number, to: number): { text: string; at: number } {
    this.#join();
    const at = Math.max(from, this.#base);
    return { text: this.#text.slice(at - this.#base, Math.max(at, to) - this.#base), at };
  }

  #join(): void {
    // Looking into a string makes the engine join it, so that the deltas can be let go of.
    this.#recent.charCodeAt(0);
    this.#text += this.#recent;
    this.#recent = "";
  }
}
