/**
 * The work budget. Only what is not in the tables costs anything: each step of a thread there is charged to the part it is made for. A part that
 * asks for more than its due is given up at once (`Overload`), so no pattern can make a unit, or a stretch of units, dear.
 */

/** A part may not go on in the automaton. */
export class Overload extends Error {
  override readonly name = "Overload";
  constructor(
    readonly part: number,
    /** What it ran into, as the end of a sentence that begins with "it". */
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Units over which a part's work is averaged. */
const WINDOW = 4096;
/** Steps for one unit alone: 1,024 threads that owe a dozen look-aheads each. At 0.1 µs a step, 2 ms. */
const STEPS_PER_UNIT = 16_384;

export class Work {
  /** All steps ever. */
  total = 0;
  /** UTF-16 units that went by, of all streams; counted up by these. */
  units = 0;
  readonly #perPart: Float64Array;
  readonly #perUnit: Int32Array;
  readonly #perWindow: Int32Array;
  #windowStart = 0;
  #payer = 0;

  constructor(
    parts: number,
    private readonly perUnit: number,
  ) {
    this.#perPart = new Float64Array(parts);
    this.#perUnit = new Int32Array(parts);
    this.#perWindow = new Int32Array(parts);
  }

  /** A unit is looked at for which the tables have no answer. */
  begin(): void {
    this.#perUnit.fill(0);
    if (this.units - this.#windowStart < WINDOW) return;
    this.#windowStart = this.units;
    this.#perWindow.fill(0);
  }

  /** What follows is done for this part. */
  for(part: number): void {
    this.#payer = part;
  }

  /** @throws Overload */
  spend(steps: number): void {
    const part = this.#payer;
    this.total += steps;
    this.#perPart[part] = (this.#perPart[part] ?? 0) + steps;
    const now = (this.#perUnit[part] ?? 0) + steps;
    this.#perUnit[part] = now;
    if (now > STEPS_PER_UNIT) throw new Overload(part, `takes more than ${STEPS_PER_UNIT} steps on one character`);
    const lately = (this.#perWindow[part] ?? 0) + steps;
    this.#perWindow[part] = lately;
    if (lately > this.perUnit * WINDOW) {
      throw new Overload(part, `takes more than ${this.perUnit} steps a character on average`);
    }
  }

  /** @throws Overload in the name of who is paying */
  refuse(reason: string): never {
    throw new Overload(this.#payer, reason);
  }

  /** @returns the steps made for each part since the last time it was asked */
  take(): Float64Array {
    const taken = this.#perPart.slice();
    this.#perPart.fill(0);
    return taken;
  }
}
