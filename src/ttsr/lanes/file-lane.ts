import type { Lane, LaneInfo, TextBefore, TtsrMatch } from "../types.js";
import { KnownLines, LineRuns } from "./line-runs.js";

/** How a composite lane opens the lanes it consists of. */
export type OpenPart = (info: LaneInfo, before?: TextBefore) => Lane;

/**
 * A whole file that a call writes. Lines that stand in the file on disk are carried over, not authored (TTSR-2.4); so nothing is decided
 * before the file is known.
 */
export class FileLane implements Lane {
  #info: LaneInfo;
  #held = "";
  #target: Lane | LineRuns | undefined;

  constructor(
    info: LaneInfo,
    private readonly baseline: (path: string) => string | undefined,
    private readonly open: OpenPart,
  ) {
    this.#info = { ...info };
    if (info.filePath !== undefined) this.#start();
  }

  get waiting(): boolean {
    return this.#target === undefined;
  }

  push(delta: string): TtsrMatch[] {
    if (this.#target) return this.#target.push(delta);
    this.#held += delta;
    return [];
  }

  setPath(path: string): TtsrMatch[] {
    if (this.#target) return [];
    this.#info = { ...this.#info, filePath: path };
    return this.#release();
  }

  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
    const now = this.#release();
    const target = this.#target ?? this.#start();
    const end = target.close();
    return { now: [...now, ...end.now], late: end.late };
  }

  #release(): TtsrMatch[] {
    if (this.#target) return [];
    const held = this.#held;
    this.#held = "";
    return this.#start().push(held);
  }

  #start(): Lane | LineRuns {
    const path = this.#info.filePath;
    const text = path === undefined ? undefined : this.baseline(path);
    let part = 0;
    this.#target =
      text === undefined
        ? this.open(this.#info)
        : new LineRuns(new KnownLines(text), (before) => this.open({ ...this.#info, part: part++ }, before));
    return this.#target;
  }
}
