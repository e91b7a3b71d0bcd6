/**
 * A match may begin at every place, so each state of the automaton contains the first threads of every part. They are not stored in it: they follow
 * from what is on the left of the place, and are worked out once for each such left side and the class of the unit that comes.
 */
import type { UnitClasses } from "./alphabet.js";
import { type Before, LINE_END, OTHER, TEXT_START, UNKNOWN, WORD } from "./edges.js";
import type { Part } from "./program.js";
import type { Closed, Place, Sight, Simulation } from "./simulation.js";
import type { Pool, Thread } from "./threads.js";
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
  readonly threads: ReadonlySet<Thread>;
}

/** The parts whose beginning does not hang on a look-behind make up nearly all, and need not be told places apart by these. */
export class Starts {
  readonly #groups: readonly StartGroup[];

  constructor(parts: readonly Part[], pool: Pool, alphabet: UnitClasses, simulation: Simulation, work: Work) {
    const groups = [parts.filter(({ behinds }) => behinds.size === 0), parts.filter(({ behinds }) => behinds.size > 0)];
    this.#groups = groups
      .filter((group) => group.length > 0)
      .map((group) => {
        const seeds = group.map(({ entry }) => pool.thread(entry));
        return new StartGroup(seeds, group[0]?.behinds.size !== 0, alphabet, simulation, work);
      });
  }

  /** Works out beforehand what a stream will soon ask for. Nothing that hangs on look-behinds. @param each called before each of some steps */
  prepare(each: () => void): void {
    for (const group of this.#groups) {
      if (group.sighted) continue;
      for (const before of [OTHER, WORD, LINE_END, TEXT_START] as const) {
        for (const after of [OTHER, WORD, LINE_END, UNKNOWN] as const) {
          each();
          group.at({ before, after, sight: NO_SIGHT });
        }
      }
    }
  }

  /** @param here the kind of the unit is known. @param there the place behind it */
  over(here: Place, unitClass: number, there: Place): readonly Begun[] {
    return this.#groups.map((group) => group.over(here, unitClass, there));
  }

  at(place: Place): readonly Waiting[] {
    return this.#groups.map((group) => group.at(place));
  }
}

const NO_SIGHT: Sight = { id: 0, values: [] };

class StartGroup {
  readonly #closed = new Map<number, Closed>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #begun = new Map<number, Begun>();

  constructor(
    private readonly seeds: readonly Thread[],
    readonly sighted: boolean,
    private readonly alphabet: UnitClasses,
    private readonly simulation: Simulation,
    private readonly work: Work,
  ) {}

  at(place: Place): Waiting {
    const key = this.#key(place);
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      const { threads, matched } = this.#close(place);
      waiting = { matched, threads: new Set(threads) };
      this.#waiting.set(key, waiting);
    }
    return waiting;
  }

  over(here: Place, unitClass: number, there: Place): Begun {
    const right = this.sighted ? there.sight.id * this.alphabet.size + unitClass : unitClass;
    const key = this.#key(here) * 0x10000000 + right;
    let begun = this.#begun.get(key);
    if (!begun) {
      const { threads, matched } = this.#close(here);
      begun = this.work.shared(() => ({ seeds: this.simulation.advance(threads, unitClass, there), matched }));
      this.#begun.set(key, begun);
    }
    return begun;
  }

  #close(place: Place): Closed {
    const key = this.#key(place);
    let closed = this.#closed.get(key);
    if (!closed) {
      closed = this.work.shared(() => this.simulation.close(this.seeds, place));
      this.#closed.set(key, closed);
    }
    return closed;
  }

  #key({ before, after, sight }: { before: Before; after: number; sight: { id: number } }): number {
    return ((this.sighted ? sight.id : 0) * 4 + before) * 8 + after;
  }
}
