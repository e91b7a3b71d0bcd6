/** Which content of a file the model knows, so that nothing is overwritten that it never saw. */

export interface SeenFile {
  /** `contentHash` or `statHash` of the file at that time. */
  hash: string;
  /** The model saw all of it. */
  whole: boolean;
}

/** Files by real path. Kept per session; after a resume it is empty, which only makes the tools more careful. */
export class SeenFiles {
  readonly #files = new Map<string, SeenFile>();

  /** Reading the same content in two parts does not count as having seen the whole. */
  note(path: string, hash: string, whole: boolean): void {
    const before = this.#files.get(path);
    this.#files.set(path, { hash, whole: whole || (before?.hash === hash && before.whole) });
  }

  get(path: string): SeenFile | undefined {
    return this.#files.get(path);
  }
}
