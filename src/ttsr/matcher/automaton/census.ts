/** Whose threads are too many, and who goes when it is too much again. */
import type { CompileLimits } from "../types.js";
import type { Part, Program } from "./program.js";
import type { Thread } from "./threads.js";
import { tooDear } from "./thrift.js";
import { LAST_ATTEMPT, Overload, type Work } from "./work.js";

export type NumberedPart = Part & { readonly number: number };

/** What a thread takes on a unit, roughly: it is closed, moves, and is closed again. */
const STEPS_PER_THREAD = 3;
/** What a place where it begins takes, roughly: few of them take the unit. */
const STEPS_PER_START = 0.1;

export class Census {
  /** By part. */
  readonly #counts: Float64Array;

  constructor(
    private readonly program: Program,
    private readonly limits: Pick<CompileLimits, "threadsPerRule" | "threadsPerSet">,
    private readonly work: Work,
  ) {
    this.#counts = new Float64Array(program.parts.length);
  }

  /** @throws Overload */
  check(threads: readonly Thread[]): void {
    const { threadsPerRule, threadsPerSet } = this.limits;
    if (threads.length <= threadsPerRule) return;
    const population = this.#counts.fill(0);
    let fullest = 0;
    for (const { position } of threads) {
      const part = this.program.partOf[position] ?? 0;
      population[part] = (population[part] ?? 0) + 1;
      if ((population[part] ?? 0) > (population[fullest] ?? 0)) fullest = part;
    }
    const most = population[fullest] ?? 0;
    if (most <= threadsPerRule && threads.length <= threadsPerSet) return;
    throw new Overload([fullest], `has ${most} ways to go on at once, too many to follow`);
  }

  /**
   * @param parts all that are followed
   * @param looking those of them that begin anew in each generation of the tables
   * @param threads where the stream stands
   * @returns all but those that will hardly take more than half of what is allowed next; the last time, all
   */
  dearest(parts: readonly number[], looking: readonly NumberedPart[], threads: readonly Thread[]): number[] {
    const costs = this.#counts.fill(0);
    for (const { position } of threads) {
      const part = this.program.partOf[position] ?? 0;
      costs[part] = (costs[part] ?? 0) + STEPS_PER_THREAD;
    }
    for (const { number, starts } of looking) costs[number] = (costs[number] ?? 0) + starts;
    for (const part of parts) {
      const starts = this.program.parts[part]?.starts ?? 0;
      const cost = (costs[part] ?? 0) + starts * STEPS_PER_START;
      costs[part] = Math.max(cost, this.work.steps(part));
    }
    const attempts = this.work.attempts + 1;
    return tooDear(parts, costs, attempts < LAST_ATTEMPT ? this.work.allowance(attempts) / 2 : -1);
  }
}
