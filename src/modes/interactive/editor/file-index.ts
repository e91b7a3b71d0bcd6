/** The project's files, read when they are first wanted and again when what is known has grown old. */
import type { Clock } from "../../../agent/ports.js";

/** Milliseconds. */
const FRESH_MS = 5_000;

export class FileIndex {
  #files: readonly string[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading = false;

  constructor(
    private readonly list: () => Promise<readonly string[]>,
    private readonly clock: Clock,
    /** The files are there, or other ones are. */
    private readonly onChange: () => void,
  ) {}

  /** @returns what is known now; `onChange` tells when there is more */
  get files(): readonly string[] {
    if (!this.#reading && this.clock.now() - this.#readAt > FRESH_MS) this.#read();
    return this.#files;
  }

  #read(): void {
    this.#reading = true;
    const done = (files: readonly string[]): void => {
      this.#reading = false;
      this.#readAt = this.clock.now();
      const same = files.length === this.#files.length && files.every((file, i) => file === this.#files[i]);
      if (same) return;
      this.#files = files;
      this.onChange();
    };
    // A folder that cannot be listed completes nothing.
    this.list().then(done, () => done([]));
  }
}
