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
/** Steps that it takes to see that something does not take a unit. */
const TRY = 0.25;
/** Any so many units in a row may take so many times the steps of one: a usual delta. */
export const BURST = 4;

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
    let log: UnitLog | undefined;
    while (this.#earlier[0] && this.#earlier[0].unit <= unit - BURST) {
      log = this.#earlier.shift();
      if (log) this.#forget(log);
    }
    this.#earlier.push(this.#now);
    this.#now = log ?? new UnitLog(this.#lately.length, unit);
    this.#now.unit = unit;
    this.#now.attempts = 0;
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
  }

  /** What follows is done for this part. */
  for(part: number): void {
    this.#payer = part;
  }

  /** A thread does not take the unit. @throws Overload */
  tried(): void {
    this.spend(TRY);
  }

  /** So many sets that threads begin with do not hold the unit: nobody's fault, and bounded (`crowd.ts`). */
  passed(sets: number): void {
    this.total += sets * TRY;
  }

  /**
   * A half of what a set may take is left for the two triggers that run apart from the others, an eighth for what begins. Where a unit is done
   * again it may take half as much each time.
   * @throws Overload
   */
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
    const { threadsPerRule, threadsPerSet, stepsPerUnit } = this.limits;
    if (lately > BURST * threadsPerRule)
      throw this.#overload([part], `takes more than ${BURST * threadsPerRule} steps on ${BURST} characters`);
    if (inWindow > stepsPerUnit * WINDOW)
      throw this.#overload([part], `takes more than ${stepsPerUnit} steps a character on average`);
    const { attempts, counted } = this.#now;
    if ((attempts === 0 ? this.#latelyOfAll : counted) > (3 * BURST * threadsPerSet) >> (3 + attempts))
      throw this.#overload([this.#dearest(part)], "takes most of the steps that all rules have together");
  }

  /** @throws Overload in the name of who is paying */
  refuse(reason: string): never {
    throw this.#overload([this.#payer], reason);
  }

  /** @returns the steps made for each part since the last time it was asked */
  take(): Float64Array {
    const taken = this.#perPart.slice();
    this.#perPart.fill(0);
    return taken;
  }

  /** Where one unit is too much again and again, more and more parts go at once, so that it is soon over. */
  #overload(parts: readonly number[], reason: string): Overload {
    const { attempts } = this.#now;
    if (attempts === 0) return new Overload(parts, reason);
    const most = this.limits.threadsPerRule >> (2 * attempts);
    return new Overload([...new Set([...parts, ...this.#now.over(most)])], reason);
  }

  /** Of those that the present unit is done for; others may have been given up before. */
  #dearest(payer: number): number {
    return this.#now.parts.reduce((a, b) => ((this.#lately[b] ?? 0) > (this.#lately[a] ?? 0) ? b : a), payer);
  }

  #forget(log: UnitLog): void {
    this.#latelyOfAll -= log.counted;
    for (const part of log.parts) this.#lately[part] = (this.#lately[part] ?? 0) - log.steps(part);
    log.clear();
  }
}

/** What one unit took. */
class UnitLog {
  /** How often it was too much. */
  attempts = 0;
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

  over(most: number): number[] {
    return this.parts.filter((part) => this.steps(part) > most);
  }

  clear(): void {
    for (const part of this.parts) this.#steps[part] = 0;
    this.parts.length = 0;
    this.counted = 0;
  }
}
