/** A text that grows by small pieces and is hardly ever read. */
export class KeptText {
  readonly #blocks: string[] = [];
  #last = "";

  append(piece: string): void {
    this.#last += piece;
    if (this.#last.length >= 1024) this.#close();
  }

  /** The beginning of the text. */
  slice(length: number): string {
    this.#close();
    return this.#blocks.join("").slice(0, length);
  }

  /** Only so much of it has come. */
  cut(length: number): void {
    const text = length === 0 ? "" : this.slice(length);
    this.#last = "";
    this.#blocks.splice(0, this.#blocks.length, text);
  }

  #close(): void {
    // Looking into a string makes the engine join it, so that the pieces can be let go of.
    this.#last.charCodeAt(0);
    this.#blocks.push(this.#last);
    this.#last = "";
  }
}
