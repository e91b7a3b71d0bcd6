/**
 * The work budget. Only what is not in the tables costs anything: each step of a thread there is charged to the part it is made for. A part that
 * asks for more than its due is given up at once (`Overload`), so no pattern can make a delta, or a stretch of the text, dear. A step takes about
 * 0.1 µs: what a few units may cost follows from the steps that they may take.
 */
import type { CompileLimits } from "../types.js";
import { tooDear } from "./thrift.js";
import { UnitLog } from "./unit-log.js";

/** Thrown: parts may not go on in the automaton. No `Error`, because that takes as long as hundreds of steps. */
export class Overload {
  constructor(
    readonly parts: readonly number[],
    /** What they ran into, as the end of a sentence that begins with "it". */
    readonly reason: string,
  ) {}
}

/** Units over which a part's work is averaged. */
const WINDOW = 4096;
/** Any so many units in a row may take so many times the steps of one: a usual delta. */
export const BURST = 4;
/** When any so many units were too much so often, whoever is left is given up. */
export const LAST_ATTEMPT = 6;

export class Work {
  /** UTF-16 units that went by, of all streams; counted up by these. */
  units = 0;
  #total = 0;
  readonly #perPart: Float64Array;
  readonly #perWindow: Float64Array;
  #windowStart = 0;
  /** By part: steps of the last few units, without what was done in vain. */
  readonly #lately: Float64Array;
  /** Of all parts, with what was done in vain; and how often one of these units was too much. */
  #latelyOfAll = 0;
  #attempts = 0;
  #now: UnitLog;
  /** Those of the last few units for which anything was done. */
  readonly #earlier: UnitLog[] = [];
  #payer = 0;
  /** Steps of who is paying that are not written down yet, and how many those may be. */
  #open = 0;
  #room = 0;

  /** @param burst steps that any `BURST` units may take; less than twice as many where that was too much, and units are done again for fewer parts */
  constructor(
    parts: number,
    private readonly limits: Pick<CompileLimits, "stepsPerUnit" | "threadsPerRule">,
    private readonly burst: number,
  ) {
    this.#perPart = new Float64Array(parts);
    this.#perWindow = new Float64Array(parts);
    this.#lately = new Float64Array(parts);
    this.#now = new UnitLog(parts, 0);
    this.#room = this.#roomOf(this.#payer);
  }

  /** All steps ever. */
  get total(): number {
    return this.#total + this.#open;
  }

  /**
   * A unit is looked at for which the tables have no answer.
   * @param ahead units that went by and are not counted yet
   */
  begin(ahead = 0): void {
    const unit = this.units + ahead;
    this.#settle();
    if (unit - this.#windowStart >= WINDOW) {
      this.#windowStart = unit;
      this.#perWindow.fill(0);
    }
    if (this.#now.unit !== unit) {
      this.#earlier.push(this.#now);
      let log: UnitLog | undefined;
      while (this.#earlier[0] && this.#earlier[0].unit <= unit - BURST) {
        log = this.#earlier.shift();
        if (log) this.#forget(log);
      }
      this.#now = log ?? new UnitLog(this.#lately.length, unit);
      this.#now.unit = unit;
    }
    this.#room = this.#roomOf(this.#payer);
  }

  /** What was done is no part of a stream. */
  rest(): void {
    this.#settle();
    for (const log of [...this.#earlier, this.#now]) this.#forget(log);
    this.#room = this.#roomOf(this.#payer);
  }

  /** The unit was too much, and is done again without some parts. What it took is not held against those who remain, but it was done. */
  again(): void {
    this.#settle();
    const log = this.#now;
    for (const part of log.parts) {
      const steps = log.steps(part);
      this.#perWindow[part] = (this.#perWindow[part] ?? 0) - steps;
      this.#lately[part] = (this.#lately[part] ?? 0) - steps;
    }
    log.again();
    this.#attempts++;
    this.#room = this.#roomOf(this.#payer);
  }

  /** How often one of the last few units was too much. */
  get attempts(): number {
    return this.#attempts;
  }

  /** What the present unit took of the part so far. */
  steps(part: number): number {
    this.#settle();
    return this.#now.steps(part);
  }

  /** Steps that all parts together may take yet, when it was too much so often: each time half of what it was the time before. */
  allowance(attempts: number): number {
    return this.burst * (2 - 0.5 ** attempts) - this.#latelyOfAll;
  }

  /** What follows is done for this part. */
  for(part: number): void {
    if (part === this.#payer) return;
    this.#settle();
    this.#payer = part;
    this.#room = this.#roomOf(part);
  }

  /** What is no part's own fault, and bounded: it is done for all. */
  share(steps: number): void {
    this.#settle();
    this.#total += steps;
    this.#latelyOfAll += steps;
    this.#now.spent += steps;
    this.#room = this.#roomOf(this.#payer);
  }

  /** @throws Overload */
  spend(steps: number): void {
    this.#open += steps;
    if (this.#open > this.#room) this.#stop();
  }

  /** @throws Overload in the name of who is paying */
  refuse(reason: string): never {
    throw new Overload([this.#payer], reason);
  }

  /** @returns the steps made for each part since the last time it was asked */
  take(): Float64Array {
    this.#settle();
    const taken = this.#perPart.slice();
    this.#perPart.fill(0);
    return taken;
  }

  #settle(): void {
    const steps = this.#open;
    if (steps === 0) return;
    const part = this.#payer;
    this.#open = 0;
    this.#total += steps;
    this.#latelyOfAll += steps;
    this.#now.charge(part, steps);
    this.#perPart[part] = (this.#perPart[part] ?? 0) + steps;
    this.#lately[part] = (this.#lately[part] ?? 0) + steps;
    this.#perWindow[part] = (this.#perWindow[part] ?? 0) + steps;
  }

  #roomOf(part: number): number {
    const { threadsPerRule, stepsPerUnit } = this.limits;
    const ofRule = BURST * threadsPerRule - (this.#lately[part] ?? 0);
    const onAverage = stepsPerUnit * WINDOW - (this.#perWindow[part] ?? 0);
    return Math.min(ofRule, onAverage, this.allowance(this.#attempts));
  }

  /** Who is paying has spent more than there was room for. */
  #stop(): never {
    this.#settle();
    const part = this.#payer;
    const { threadsPerRule, stepsPerUnit } = this.limits;
    if ((this.#lately[part] ?? 0) > BURST * threadsPerRule)
      throw new Overload([part], `takes more than ${BURST * threadsPerRule} steps on ${BURST} characters`);
    if ((this.#perWindow[part] ?? 0) > stepsPerUnit * WINDOW)
      throw new Overload([part], `takes more than ${stepsPerUnit} steps a character on average`);
    throw new Overload(this.#dearest(part), "takes most of the steps that all rules have together");
  }

  /** Of those that the present unit is done for (others may have been given up before): so many that half of what they took is left over. */
  #dearest(payer: number): number[] {
    const over = tooDear(this.#now.parts, this.#lately, this.burst / 2);
    return over.length > 0 ? over : [payer];
  }

  #forget(log: UnitLog): void {
    this.#latelyOfAll -= log.spent;
    this.#attempts -= log.attempts;
    for (const part of log.parts) this.#lately[part] = (this.#lately[part] ?? 0) - log.steps(part);
    log.clear();
  }
}
