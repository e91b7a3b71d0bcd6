/** A stretch of the text, and what stands in front of it. */
interface Block {
  readonly before: Block | undefined;
  readonly text: string;
}

/** What a text was at some time; undefined: empty. */
export type Kept = Block | undefined;

/** A text that grows by small pieces and is hardly ever read. What it is can be kept and put back, without a copy. */
export class KeptText {
  #blocks: Kept;
  #last = "";

  append(piece: string): void {
    this.#last += piece;
    if (this.#last.length >= 1024) this.#close();
  }

  whole(): string {
    const pieces: string[] = [];
    for (let block = this.save(); block; block = block.before) pieces.push(block.text);
    return pieces.reverse().join("");
  }

  save(): Kept {
    if (this.#last !== "") this.#close();
    return this.#blocks;
  }

  restore(kept: Kept): void {
    this.#blocks = kept;
    this.#last = "";
  }

  /** @returns one that goes on from here by itself */
  fork(): KeptText {
    const fork = new KeptText();
    fork.restore(this.save());
    return fork;
  }

  #close(): void {
    // Looking into a string makes the engine join it, so that the pieces can be let go of.
    this.#last.charCodeAt(0);
    this.#blocks = { before: this.#blocks, text: this.#last };
    this.#last = "";
  }
}
