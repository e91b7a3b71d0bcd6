/** It would take more to decide than a call may cost. */
export class TooMuch extends Error {
  override readonly name = "TooMuch";
}

/** Parts of a schema × UTF-16 units of a call's JSON. At most 10 ns each (measured with a schema that looks at every value). */
const CALL_WORK = 100_000_000;
/** Of the matcher, about 0.1 µs each; to look at a text at all is some of them (`patterns.ts`). */
const PATTERN_STEPS = 5_000_000;

/** What all rules together may spend on one call. Counts, no clock: the same call gets the same verdict on every machine. */
export class Budget {
  #work = CALL_WORK;
  #steps = PATTERN_STEPS;

  /** @throws TooMuch */
  work(amount: number): void {
    this.#work -= amount;
    if (this.#work < 0) throw new TooMuch();
  }

  /** @throws TooMuch */
  steps(amount: number): void {
    this.#steps -= amount;
    if (this.#steps < 0) throw new TooMuch();
  }
}
