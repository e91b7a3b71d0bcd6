/** When the screen follows the stream: the first change at once, then at most once in an interval, and at once on demand. */
import type { Clock } from "../../../agent/ports.js";

export class FlushScheduler {
  #last = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  /**
   * @param intervalMs 33 is 30 frames a second
   * @param blocked true while the terminal has not taken what was written: frames are left out then, never queued
   */
  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
    private readonly run: () => void,
    private readonly blocked: () => boolean = () => false,
  ) {}

  /** Something arrived that can wait for the next frame. */
  soon(): void {
    if (this.#cancel) return;
    const wait = this.#last + this.intervalMs - this.clock.now();
    const blocked = this.blocked();
    if (wait <= 0 && !blocked) {
      this.now();
      return;
    }
    this.#cancel = this.clock.after(blocked ? this.intervalMs : wait, () => {
      this.#cancel = undefined;
      if (this.blocked()) this.soon();
      else this.now();
    });
  }

  /** Something that must be seen now. */
  now(): void {
    this.stop();
    this.#last = this.clock.now();
    this.run();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
