/**
 * Threads on the move, in three values. At a place of the text a set of threads is *closed*: followed over everything that takes no unit. What
 * hangs on the unknown unit to the right stays as a thread of its own and is closed again when that unit's kind is known. Between two places the
 * threads *advance* over a unit's class.
 *
 * A look-ahead that is met on the way becomes an obligation of the thread: its kernel goes along and is, at every unit, decided true (paid), false
 * (the thread dies; for a negated one the other way round), or carried on. So the whole pattern is matched in one pass.
 */
import type { CompileLimits } from "../types.js";
import type { UnitClasses } from "./alphabet.js";
import { type After, type Before, EDGES, edgeHolds, MAYBE, NO, TEXT_END, type Truth, UNKNOWN, YES } from "./edges.js";
import { behindHolds, leadsOn } from "./hope.js";
import { PRICES } from "./prices.js";
import { AHEAD, BEHIND, EDGE, MATCH, type Program, SPLIT, UNIT } from "./program.js";
import { withoutSubsumed } from "./subsumption.js";
import { byId, type Kernel, MOST_REMEMBERED, type Obligation, type Owed, type Pool, type Thread } from "./threads.js";
import type { Work } from "./work.js";

/** The value of each look-behind of the program at a place. */
export interface Sight {
  /** Below 4,096. */
  readonly id: number;
  readonly values: readonly Truth[];
}

/** A place between two units. */
export interface Place {
  readonly before: Before;
  readonly after: After;
  readonly sight: Sight;
}

export interface Closed {
  /** By ascending id. */
  readonly threads: readonly Thread[];
  /** Parts that have matched; -1: the body of a look-around has. */
  readonly matched: readonly number[];
}

/** What a look-ahead has come to. */
type Outcome = typeof YES | typeof NO | Kernel;

/** More than there can be: twice as many as are remembered, as it takes a unit to see that there are enough. */
const MOST_KERNELS = 2 * MOST_REMEMBERED;
/** Closures so far, of all simulations: threads that owe nothing go through several. */
let closures = 0;

export class Simulation {
  /** By place and look-ahead. */
  readonly #begun = new Map<number, Outcome>();
  /** By place and kernel. */
  readonly #decided = new Map<number, Outcome>();
  /** By sight, kernel and unit. */
  readonly #stepped = new Map<number, Outcome>();

  constructor(
    private readonly program: Program,
    private readonly alphabet: UnitClasses,
    private readonly pool: Pool,
    private readonly limits: Pick<CompileLimits, "threadsPerRule" | "obligationsPerThread">,
    private readonly work: Work,
  ) {}

  get full(): boolean {
    return Math.max(this.#begun.size, this.#decided.size, this.#stepped.size) > MOST_REMEMBERED;
  }

  /**
   * @param seeds where the kind of the next unit is known: threads that were closed here before it was; else new ones
   * @throws Overload
   */
  close(seeds: readonly Thread[], place: Place): Closed {
    const { operations, next, partOf } = this.program;
    const args = this.program.arguments;
    const { before, after, sight } = place;
    const threads: Thread[] = [];
    const matched: number[] = [];
    const stack: Thread[] = [];
    const mark = ++closures;
    let owing = false;
    for (const seed of seeds) {
      const payer = partOf[seed.position] ?? -1;
      if (payer >= 0) this.work.for(payer);
      const owed = after === UNKNOWN ? seed.owed : this.#decide(seed, place);
      if (!owed) continue;
      const thread = owed === seed.owed ? seed : this.pool.thread(seed.position, owed);
      if (after !== UNKNOWN && after !== TEXT_END && operations[seed.position] === UNIT) {
        // As most do, it waits for a unit, not for what kind of unit it is.
        if (thread.mark === mark) continue;
        this.work.spend(PRICES.stay);
        thread.mark = mark;
        threads.push(thread);
        owing ||= owed.list.length > 0;
      } else stack.push(thread);
    }
    if (stack.length > 0) this.work.spend(PRICES.close);
    for (let thread = stack.pop(); thread; thread = stack.pop()) {
      if (thread.mark === mark) continue;
      thread.mark = mark;
      const { position, owed } = thread;
      const part = partOf[position] ?? -1;
      if (part >= 0) this.work.for(part);
      this.work.spend(owed.list.length === 0 ? PRICES.follow : PRICES.followOwing);
      const argument = args[position] ?? 0;
      const onward = next[position] ?? 0;
      let truth: Truth = NO;
      switch (operations[position]) {
        case UNIT:
          if (after !== TEXT_END) truth = MAYBE;
          break;
        case SPLIT:
          stack.push(this.pool.thread(argument, owed));
          truth = YES;
          break;
        case EDGE:
          truth = edgeHolds(EDGES[argument] ?? "text-start", before, after);
          break;
        case BEHIND:
          truth = behindHolds(argument, sight.values);
          break;
        case AHEAD: {
          const owes = this.#take(owed, argument, this.#begin(argument, place));
          if (owes) stack.push(this.pool.thread(onward, owes));
          break;
        }
        case MATCH:
          if (owed.list.length === 0) matched.push(argument);
          else truth = MAYBE;
          break;
      }
      if (truth === YES) stack.push(this.pool.thread(onward, owed));
      else if (truth === MAYBE && this.#leadsOn(position, place)) {
        threads.push(thread);
        owing ||= owed.list.length > 0;
      }
    }
    const needed = owing ? withoutSubsumed(threads, this.#negated, this.#spendAt) : threads;
    return { threads: sorted(needed), matched };
  }

  /**
   * @param threads closed where the kind of the next unit is known
   * @param there the place behind the unit
   * @returns threads there, not closed yet
   * @throws Overload
   */
  advance(threads: readonly Thread[], unitClass: number, there: Place): Thread[] {
    const { operations, next, partOf } = this.program;
    const args = this.program.arguments;
    const moved: Thread[] = [];
    for (const { position, owed } of threads) {
      const part = partOf[position] ?? -1;
      if (part >= 0) this.work.for(part);
      const waits = operations[position] === MATCH;
      if (!waits && !this.alphabet.has(args[position] ?? 0, unitClass)) {
        this.work.spend(PRICES.refuse);
        continue;
      }
      this.work.spend(owed.list.length === 0 ? PRICES.take : PRICES.takeOwing);
      const still = owed.list.length === 0 ? owed : this.#pay(owed, (kernel) => this.#step(kernel, unitClass, there));
      if (still) moved.push(this.pool.thread(waits ? position : (next[position] ?? 0), still));
    }
    return moved;
  }

  /** Whether something can come of a thread that waits here. */
  #leadsOn(position: number, place: Place): boolean {
    const operation = this.program.operations[position] ?? 0;
    if (operation === UNIT || operation === MATCH) return true;
    const mayHold = (look: number): boolean => {
      const outcome = this.#begin(look, place);
      return typeof outcome === "object" || (outcome === YES) !== this.#negated(look);
    };
    const onward = [this.program.next[position] ?? 0];
    return leadsOn(this.program, onward, place.before, place.sight.values, takesOrMatches, mayHold, this.#spend);
  }

  /** @returns what is still owed; undefined: the thread dies */
  #decide({ owed }: Thread, place: Place): Owed | undefined {
    if (owed.list.length === 0) return owed;
    return this.#pay(owed, (kernel) => this.#decideKernel(kernel, place));
  }

  #pay(owed: Owed, outcomeOf: (kernel: Kernel) => Outcome): Owed | undefined {
    this.work.spend(owed.list.length * PRICES.pay);
    const left: Obligation[] = [];
    for (const { look, kernel } of owed.list) {
      const outcome = outcomeOf(kernel);
      if (typeof outcome === "object") left.push({ look, kernel: outcome });
      else if ((outcome === YES) === this.#negated(look)) return undefined;
    }
    return left.length === 0 ? this.pool.nothingOwed : this.pool.owed(left);
  }

  /** A look-ahead is met by a thread that owes others already. */
  #take(owed: Owed, look: number, outcome: Outcome): Owed | undefined {
    if (typeof outcome !== "object") return (outcome === YES) === this.#negated(look) ? undefined : owed;
    this.work.spend(owed.list.length * PRICES.pay);
    const all = this.pool.owed([...owed.list, { look, kernel: outcome }]);
    if (all.list.length > this.limits.obligationsPerThread)
      this.work.refuse(`has more than ${this.limits.obligationsPerThread} look-aheads open at once`);
    return all;
  }

  #begin(look: number, place: Place): Outcome {
    const entry = this.program.aheads[look]?.entry ?? 0;
    return remembered(this.#begun, keyOf(place) * this.program.aheads.length + look, () =>
      this.#outcome(this.close([this.pool.thread(entry)], place), place),
    );
  }

  /** The kind of the next unit, or that there is none, has become known. */
  #decideKernel(kernel: Kernel, place: Place): Outcome {
    if (!kernel.open && place.after !== TEXT_END) return kernel;
    return remembered(this.#decided, keyOf(place) * MOST_KERNELS + kernel.id, () =>
      this.#outcome(this.close(kernel.threads, place), place),
    );
  }

  #step(kernel: Kernel, unitClass: number, there: Place): Outcome {
    const key = (there.sight.id * MOST_KERNELS + kernel.id) * this.alphabet.size + unitClass;
    return remembered(this.#stepped, key, () =>
      this.#outcome(this.close(this.advance(kernel.threads, unitClass, there), there), there),
    );
  }

  #outcome({ threads, matched }: Closed, { after }: Place): Outcome {
    if (matched.length > 0) return YES;
    if (threads.length === 0 || after === TEXT_END) return NO;
    if (threads.length > this.limits.threadsPerRule)
      this.work.refuse(`has more than ${this.limits.threadsPerRule} ways to go on inside a look-ahead`);
    return this.pool.kernel(threads);
  }

  readonly #negated = (look: number): boolean => this.program.aheads[look]?.negated ?? false;
  readonly #spend = (steps: number): void => this.work.spend(steps);
  readonly #spendAt = (steps: number, position: number): void => {
    const part = this.program.partOf[position] ?? -1;
    if (part >= 0) this.work.for(part);
    this.work.spend(steps);
  };
}

/** They nearly always are by now. */
function sorted(threads: Thread[]): readonly Thread[] {
  for (let i = 1; i < threads.length; i++)
    if ((threads[i - 1]?.id ?? 0) > (threads[i]?.id ?? 0)) return threads.sort(byId);
  return threads;
}

function takesOrMatches(operation: number): boolean {
  return operation === UNIT || operation === MATCH;
}

/** @param key nearly always a small integer: where no look-behind holds, the sight's id is 0. Others take several times as long */
function remembered(memory: Map<number, Outcome>, key: number, make: () => Outcome): Outcome {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const outcome = make();
  memory.set(key, outcome);
  return outcome;
}

function keyOf({ before, after, sight }: Place): number {
  return sight.id * 32 + before * 8 + after;
}
