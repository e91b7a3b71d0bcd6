/**
 * A match may begin at every place, so each state of the automaton contains the first threads of every part. They are not stored in it: they follow
 * from what is on the left of the place, and are worked out once for each such left side and the class of the unit that comes.
 */
import type { UnitClasses } from "./alphabet.js";
import { type Before, LINE_END, OTHER, TEXT_END, TEXT_START, UNKNOWN, WORD } from "./edges.js";
import { PRICES } from "./prices.js";
import type { Closed, Place, Sight, Simulation } from "./simulation.js";
import { MOST_HELD, type Thread } from "./threads.js";
import type { Work } from "./work.js";

/** What comes of the threads that begin at a place when the unit behind it is taken. */
export interface Begun {
  /** Threads behind the unit, not closed yet. */
  readonly seeds: readonly Thread[];
  readonly matched: readonly number[];
}

/** Threads that wait at a place, begun there. */
export interface Waiting {
  readonly matched: readonly number[];
  /** Undefined: they can be told by `Thread.begins`. */
  readonly threads?: ReadonlySet<Thread>;
}

const NO_SIGHT: Sight = { id: 0, values: [] };

/** Parts whose beginnings ask the same of a place. */
export class Starts {
  readonly #closed = new Map<number, Closed>();
  readonly #waiting = new Map<number, Waiting>();
  /** The number of a set of units, and the threads that wait for one of them; undefined: for something else. */
  readonly #bySet = new Map<number, Map<number | undefined, Thread[]>>();
  readonly #begun = new Map<number, Begun>();
  /** Threads in what is remembered. */
  #held = 0;

  /**
   * @param setOf the number of the set of units that the thread waits for; undefined: it waits for something else
   * @param follows whether the thread's part has not been given up; what was worked out before may hold others
   * @param sighted whether a place is told from others by what look-behinds say there
   */
  constructor(
    private readonly seeds: readonly Thread[],
    private readonly setOf: (thread: Thread) => number | undefined,
    private readonly follows: (thread: Thread) => boolean,
    private readonly sighted: boolean,
    private readonly alphabet: UnitClasses,
    private readonly simulation: Simulation,
    private readonly work: Work,
  ) {}

  /** Works out beforehand what a stream will soon ask for. @param each called before each of some steps */
  prepare(each: () => void): void {
    if (this.sighted) return;
    for (const before of [OTHER, WORD, LINE_END, TEXT_START] as const) {
      for (const after of [OTHER, WORD, LINE_END, TEXT_END, UNKNOWN] as const) {
        each();
        this.at({ before, after, sight: NO_SIGHT });
      }
    }
  }

  at(place: Place): Waiting {
    const key = this.#key(place);
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      const { threads, matched } = this.#close(place);
      waiting = this.sighted ? { matched, threads: new Set(threads) } : { matched };
      if (!this.sighted && place.after === UNKNOWN) for (const thread of threads) thread.begins |= 1 << place.before;
      this.#waiting.set(key, waiting);
    }
    return waiting;
  }

  /** @param here the kind of the unit is known. @param there the place behind it */
  over(here: Place, unitClass: number, there: Place): Begun {
    const right = this.sighted ? there.sight.id * this.alphabet.size + unitClass : unitClass;
    const key = this.#key(here) * 0x10000000 + right;
    let begun = this.#begun.get(key);
    if (!begun) {
      const seeds = this.simulation.advance(this.#taking(here, unitClass), unitClass, there);
      begun = { seeds, matched: this.#close(here).matched };
      this.#hold(begun.seeds.length);
      this.#begun.set(key, begun);
    }
    return begun;
  }

  #close(place: Place): Closed {
    const key = this.#key(place);
    let closed = this.#closed.get(key);
    if (!closed) {
      const followed = this.seeds.filter(this.follows);
      closed = this.simulation.close(followed, place);
      this.#hold(this.sighted ? closed.threads.length : 0);
      this.#closed.set(key, closed);
    }
    return closed;
  }

  /** Those of the threads at the place that take the unit, or wait for something else: what begins is found by its set, as there are few sets. */
  #taking(place: Place, unitClass: number): Thread[] {
    const key = this.#key(place);
    let bySet = this.#bySet.get(key);
    if (!bySet) {
      bySet = new Map();
      for (const thread of this.#close(place).threads) {
        const set = this.setOf(thread);
        const same = bySet.get(set);
        if (same) same.push(thread);
        else bySet.set(set, [thread]);
      }
      this.#bySet.set(key, bySet);
    }
    const taking: Thread[] = [];
    for (const [set, threads] of bySet) {
      if (set !== undefined && !this.alphabet.has(set, unitClass)) continue;
      for (const thread of threads) if (this.follows(thread)) taking.push(thread);
    }
    this.work.share(bySet.size * PRICES.lookup);
    return taking;
  }

  #hold(threads: number): void {
    this.#held += 1 + threads;
    if (this.#held <= MOST_HELD) return;
    this.#held = 0;
    this.#begun.clear();
    if (!this.sighted) return;
    this.#closed.clear();
    this.#waiting.clear();
    this.#bySet.clear();
  }

  #key({ before, after, sight }: { before: Before; after: number; sight: { id: number } }): number {
    return ((this.sighted ? sight.id : 0) * 4 + before) * 8 + after;
  }
}
