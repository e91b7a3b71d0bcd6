/** Waiting for a server without ever waiting for ever: every wait ends with the work, the user's abort, or the stall. */
import type { Clock } from "../agent/ports.js";

/** Milliseconds. */
export interface Timeouts {
  /** From the request to the first part. */
  firstEventMs: number;
  /** Between two parts. Pings, comments and bytes that make no part do not count. */
  idleMs: number;
}

export type Waited<T> =
  | { done: "work"; value: T }
  | { done: "failed"; error: unknown }
  | { done: "aborted" }
  | { done: "stalled"; ms: number };

/**
 * One per request. Only time spent in `wait` counts: a slow reader of the parts is no stall. `progress()` starts the time anew.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #timeouts: Timeouts;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.#settle?.({ done: "aborted" });
  #limit: number;
  #first = true;
  /** Time waited since the last progress. */
  #spent = 0;
  #settle: ((outcome: { done: "aborted" } | { done: "stalled"; ms: number }) => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  #timerEnds = 0;
  #waitingSince = 0;

  constructor(clock: Clock, timeouts: Timeouts, signal: AbortSignal) {
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#signal = signal;
    this.#limit = timeouts.firstEventMs;
    signal.addEventListener("abort", this.#onAbort);
  }

  /** Whether nothing has come yet. */
  get first(): boolean {
    return this.#first;
  }

  /** Something of the answer has come. */
  progress(): void {
    this.#first = false;
    this.#spent = 0;
    this.#limit = this.#timeouts.idleMs;
  }

  /** Never rejects. What `work` does after the wait has ended otherwise is not heard of any more. */
  wait<T>(work: Promise<T>): Promise<Waited<T>> {
    return new Promise((resolve) => {
      if (this.#signal.aborted) {
        work.catch(ignoreLate);
        resolve({ done: "aborted" });
        return;
      }
      const settle = (outcome: Waited<T>): void => {
        if (this.#settle !== settle) return;
        this.#settle = undefined;
        this.#spent += this.#clock.now() - this.#waitingSince;
        resolve(outcome);
      };
      this.#settle = settle;
      this.#waitingSince = this.#clock.now();
      this.#arm();
      work.then(
        (value) => settle({ done: "work", value }),
        (error: unknown) => settle({ done: "failed", error }),
      );
    });
  }

  /** Lets go of the signal and the timer. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** One timer serves many waits: it is moved when it rings early, not at every delta. */
  #arm(): void {
    const ends = this.#waitingSince + Math.max(0, this.#limit - this.#spent);
    if (this.#cancelTimer && this.#timerEnds <= ends) return;
    this.#cancelTimer?.();
    this.#timerEnds = ends;
    this.#cancelTimer = this.#clock.after(Math.max(0, ends - this.#clock.now()), () => this.#ring());
  }

  #ring(): void {
    this.#cancelTimer = undefined;
    if (!this.#settle) return;
    const ends = this.#waitingSince + this.#limit - this.#spent;
    // A timer may ring a fraction of a millisecond early.
    if (this.#clock.now() + 1 >= ends) this.#settle({ done: "stalled", ms: this.#limit });
    else this.#arm();
  }
}

/** The wait has been answered already; why the abandoned work failed afterwards matters to nobody. */
function ignoreLate(): null {
  return null;
}
