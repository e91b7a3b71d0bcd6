import type { Clock } from "../../src/agent/ports.js";

/** A clock that moves only when told. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: { at: number; order: number; run: () => void }[] = [];
  #order = 0;

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#now);
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Moves on, running what is due in order, and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets everything that is only waiting for promises go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 600; i++) await Promise.resolve();
}
