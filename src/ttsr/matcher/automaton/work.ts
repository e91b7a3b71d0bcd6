/**
 * The work budget. Only what is not in the tables costs anything: each step of a thread there is charged to the part it is made for. A part that
 * asks for more than its due is given up at once (`Overload`), so no pattern can make a delta, or a stretch of the text, dear. A step takes about
 * 0.1 µs: what a few units may cost follows from the steps that they may take.
 */
import type { CompileLimits } from "../types.js";

/** Parts may not go on in the automaton. */
export class Overload extends Error {
  override readonly name = "Overload";
  constructor(
    readonly parts: readonly number[],
    /** What they ran into, as the end of a sentence that begins with "it". */
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Units over which a part's work is averaged. */
const WINDOW = 4096;
/** Steps that it takes to see that a thread does not take a unit; or that a set does not hold it. */
const TRY = 0.25;
const PASS = 0.125;
/** Any so many units in a row may take so many times the steps of one: a usual delta. */
export const BURST = 4;

/**
 * Of what a set may take on so many units, by attempt: where a unit is too much and done again it may take less, and so may the next ones. One half is
 * left for the two triggers that run apart from the others. Together it is one and a half times what a set may take, whatever happens.
 */
const SHARES = [3 / 8, 3 / 16];
const LAST_SHARE = 1 / 16;
/** When a unit is too much so often, whoever is left is given up. */
export const LAST_ATTEMPT = SHARES.length;

export class Work {
  /** All steps ever. */
  total = 0;
  /** UTF-16 units that went by, of all streams; counted up by these. */
  units = 0;
  readonly #perPart: Float64Array;
  readonly #perWindow: Float64Array;
  #windowStart = 0;
  /** By part: steps of the last few units. */
  readonly #lately: Float64Array;
  #latelyOfAll = 0;
  #now: UnitLog;
  /** Those of the last few units for which anything was done. */
  readonly #earlier: UnitLog[] = [];
  #payer = 0;

  constructor(
    parts: number,
    private readonly limits: Pick<CompileLimits, "stepsPerUnit" | "threadsPerRule" | "threadsPerSet">,
  ) {
    this.#perPart = new Float64Array(parts);
    this.#perWindow = new Float64Array(parts);
    this.#lately = new Float64Array(parts);
    this.#now = new UnitLog(parts, 0);
  }

  /**
   * A unit is looked at for which the tables have no answer.
   * @param ahead units that went by and are not counted yet
   */
  begin(ahead = 0): void {
    const unit = this.units + ahead;
    if (unit - this.#windowStart >= WINDOW) {
      this.#windowStart = unit;
      this.#perWindow.fill(0);
    }
    if (this.#now.unit === unit) return;
    this.#earlier.push(this.#now);
    let log: UnitLog | undefined;
    while (this.#earlier[0] && this.#earlier[0].unit <= unit - BURST) {
      log = this.#earlier.shift();
      if (log) this.#forget(log);
    }
    this.#now = log ?? new UnitLog(this.#lately.length, unit);
    this.#now.unit = unit;
    this.#now.attempts = this.#earlier.filter(({ tooMuch }) => tooMuch).length;
    this.#now.tooMuch = false;
  }

  /** What was done is no part of a stream. */
  rest(): void {
    for (const log of [...this.#earlier, this.#now]) this.#forget(log);
  }

  /** What the unit took is not held against those who remain: it is done again without the others. */
  again(): void {
    const log = this.#now;
    for (const part of log.parts) this.#perWindow[part] = (this.#perWindow[part] ?? 0) - log.steps(part);
    this.#forget(log);
    log.attempts++;
    log.tooMuch = true;
  }

  /** How often the present unit, or one of the last few, was too much. */
  get attempts(): number {
    return this.#now.attempts;
  }

  /** What the present unit took of the part so far. */
  steps(part: number): number {
    return this.#now.steps(part);
  }

  /** Steps that all parts together may take. */
  get allowance(): number {
    return BURST * this.limits.threadsPerSet * (SHARES[this.#now.attempts] ?? LAST_SHARE);
  }

  /** What follows is done for this part. */
  for(part: number): void {
    this.#payer = part;
  }

  /** A thread does not take the unit. @throws Overload */
  tried(): void {
    this.spend(TRY);
  }

  /** The unit is looked for in so many sets that threads begin with: no part's own fault, and bounded (`crowd.ts`). */
  looked(sets: number): void {
    this.total += sets * PASS;
    this.#now.counted += sets * PASS;
    this.#latelyOfAll += sets * PASS;
  }

  /** @throws Overload */
  spend(steps: number): void {
    const part = this.#payer;
    this.total += steps;
    this.#perPart[part] = (this.#perPart[part] ?? 0) + steps;
    this.#now.charge(part, steps);
    const lately = (this.#lately[part] ?? 0) + steps;
    this.#lately[part] = lately;
    this.#latelyOfAll += steps;
    const inWindow = (this.#perWindow[part] ?? 0) + steps;
    this.#perWindow[part] = inWindow;
    const { threadsPerRule, stepsPerUnit } = this.limits;
    if (lately > BURST * threadsPerRule)
      throw new Overload([part], `takes more than ${BURST * threadsPerRule} steps on ${BURST} characters`);
    if (inWindow > stepsPerUnit * WINDOW)
      throw new Overload([part], `takes more than ${stepsPerUnit} steps a character on average`);
    const { attempts, counted } = this.#now;
    if ((attempts === 0 ? this.#latelyOfAll : counted) > this.allowance)
      throw new Overload(this.#dearest(part), "takes most of the steps that all rules have together");
  }

  /** @throws Overload in the name of who is paying */
  refuse(reason: string): never {
    throw new Overload([this.#payer], reason);
  }

  /** @returns the steps made for each part since the last time it was asked */
  take(): Float64Array {
    const taken = this.#perPart.slice();
    this.#perPart.fill(0);
    return taken;
  }

  /** Of those that the present unit is done for (others may have been given up before): so many that half of what is allowed is left over. */
  #dearest(payer: number): number[] {
    const parts = [...this.#now.parts].sort((a, b) => (this.#lately[b] ?? 0) - (this.#lately[a] ?? 0));
    let left = this.#latelyOfAll - this.allowance / 2;
    const over = parts.filter((part) => {
      const given = left > 0;
      left -= this.#lately[part] ?? 0;
      return given;
    });
    return over.length > 0 ? over : [payer];
  }

  #forget(log: UnitLog): void {
    this.#latelyOfAll -= log.counted;
    for (const part of log.parts) this.#lately[part] = (this.#lately[part] ?? 0) - log.steps(part);
    log.clear();
  }
}

/** What one unit took. */
class UnitLog {
  /** How often it, or one of the last few, was too much. */
  attempts = 0;
  tooMuch = false;
  /** Steps of all parts together. */
  counted = 0;
  /** Parts that took any. */
  readonly parts: number[] = [];
  readonly #steps: Float64Array;

  constructor(
    parts: number,
    public unit: number,
  ) {
    this.#steps = new Float64Array(parts);
  }

  steps(part: number): number {
    return this.#steps[part] ?? 0;
  }

  charge(part: number, steps: number): void {
    const before = this.#steps[part] ?? 0;
    if (before === 0) this.parts.push(part);
    this.#steps[part] = before + steps;
    this.counted += steps;
  }

  clear(): void {
    for (const part of this.parts) this.#steps[part] = 0;
    this.parts.length = 0;
    this.counted = 0;
  }
}
