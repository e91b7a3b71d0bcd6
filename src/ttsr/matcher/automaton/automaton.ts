/**
 * The lazily determinised automaton of some parts of a program. It has no text and no position: any number of streams go through the same tables,
 * each with a state of its own. When the tables are full they are thrown away and begun anew; a stream brings its state with it.
 */
import type { CompileLimits } from "../types.js";
import type { UnitClasses } from "./alphabet.js";
import { Census, type NumberedPart } from "./census.js";
import { TEXT_END, TEXT_START, UNKNOWN } from "./edges.js";
import { LookBehinds } from "./look-behind.js";
import { PRICES } from "./prices.js";
import { type Program, UNIT } from "./program.js";
import { type Place, Simulation } from "./simulation.js";
import { Starts } from "./starts.js";
import { type State, States } from "./states.js";
import { Adoption, byId, Pool, type Thread } from "./threads.js";
import { Overload, Work } from "./work.js";

/** Fewer units than this for each new state: nearly each unit makes a state that is hardly used again. */
const THRASHING = 10;

export class Automaton {
  readonly work: Work;
  #parts: readonly number[];
  /** By part: 1 where it is followed here. Read for every thread. */
  readonly #followed: Uint8Array;
  /** Those that begin with no look-around. What begins there owes nothing, so it is worked out once for all generations. */
  readonly #plainStarts: Starts;
  readonly #plainThreads: (Thread | undefined)[];
  /** The others, and those with look-behinds. */
  #looking: readonly NumberedPart[];
  #tables: Tables;
  /** Counted over all generations. */
  #misses = 0;
  #flushes = 0;
  #earlierStates = 0;
  #flushedAt = 0;
  /** Whether the last flush came so soon that the tables are of little use. */
  thrashing = false;
  readonly #census: Census;

  readonly #setOf = ({ position }: Thread): number | undefined =>
    this.program.operations[position] === UNIT ? this.program.arguments[position] : undefined;

  readonly #follows = ({ position }: Thread): boolean => this.#has(this.program.partOf[position] ?? -1);

  /**
   * @param burst steps that any `BURST` units may take (`Work`)
   * @param onOverload told which parts are given up and why, before the automaton goes on without them; names all parts that go with them
   */
  constructor(
    private readonly program: Program,
    private readonly alphabet: UnitClasses,
    parts: readonly number[],
    private readonly limits: CompileLimits,
    burst: number,
    private readonly onOverload: (overload: Overload) => readonly number[],
  ) {
    this.#parts = parts;
    this.#followed = new Uint8Array(program.parts.length);
    for (const part of parts) this.#followed[part] = 1;
    // Filled from the beginning, it stays a dense array: it is read for every thread that moves.
    this.#plainThreads = new Array<Thread | undefined>(program.size).fill(undefined);
    this.work = new Work(program.parts.length, limits, burst);
    this.#census = new Census(program, limits, this.work);
    const all = parts.map((number) => ({ ...program.parts[number], number }) as NumberedPart);
    this.#looking = all.filter(({ looksFirst, behinds }) => looksFirst || behinds.size > 0);
    this.#plainStarts = this.#newPlainStarts(all.filter(({ looksFirst }) => !looksFirst));
    this.#tables = this.#newTables();
  }

  /** Those that are followed here. */
  get parts(): readonly number[] {
    return this.#parts;
  }

  /** The states and transitions of this moment; others after a `miss`. For the hot loop. */
  get states(): States {
    return this.#tables.states;
  }

  get stats(): { states: number; misses: number; flushes: number; tableBytes: number } {
    const { size, bytes } = this.#tables.states;
    return {
      states: this.#earlierStates + size,
      misses: this.#misses,
      flushes: this.#flushes,
      tableBytes: bytes,
    };
  }

  state(row: number): State {
    const state = this.#tables.states.at(row);
    if (!state) throw new RangeError("no such row");
    return state;
  }

  /** What can be done before there is a stream, so that its first units are not dear. */
  prepare(): void {
    this.#enduring(() => {
      const { behinds, starts } = this.#tables;
      for (const each of [behinds, ...starts]) each.prepare(() => this.work.rest());
    });
    this.start();
    this.work.rest();
  }

  /** The state at the beginning of a text. What settles there has come true on the empty text. */
  start(): State {
    return this.#enduring(() => {
      this.#tables.start ??= this.#arrive(
        { before: TEXT_START, view: this.#tables.behinds.atStart(TEXT_START) },
        [],
        [],
      );
      return this.#tables.start;
    });
  }

  /** The state of any generation, without the parts that are not (any more) followed here. What settled on entering it is not told again. */
  adopt(state: State): State {
    if (state.generation === this.#tables.states.generation) return state;
    this.work.begin();
    return this.#enduring(() => this.#adopted(state), state);
  }

  #adopted(state: State): State {
    if (state.generation === this.#tables.states.generation) return state;
    const { pool, behinds, states } = this.#tables;
    const adoption = new Adoption(pool, (steps) => this.work.spend(steps));
    const threads: Thread[] = [];
    for (const thread of state.threads) {
      if (!this.#follows(thread)) continue;
      this.work.for(this.program.partOf[thread.position] ?? 0);
      this.work.spend(PRICES.stay);
      threads.push(adoption.thread(thread));
    }
    const view = behinds.adopt(state.view, adoption);
    return states.intern({ before: state.before, view, threads: threads.sort(byId), settled: [] });
  }

  /**
   * The transition that the table does not have yet.
   * @param ahead units of this stream that are not counted in `work` yet
   * @returns the cell; the generation may be another one now
   */
  miss(row: number, unitClass: number, ahead = 0): number {
    let from = this.state(row);
    this.#misses++;
    this.work.begin(ahead);
    this.work.share(PRICES.unit);
    if (this.#full()) this.#flush();
    return this.#enduring(() => {
      from = this.#adopted(from);
      return this.#tables.states.link(from, unitClass, this.#successor(from, unitClass));
    }, from);
  }

  /** @returns parts that match when the text ends in this state */
  finish(state: State): readonly number[] {
    this.work.begin();
    return this.#enduring(() => {
      const last = this.#adopted(state);
      let parts = this.#tables.finished.get(last);
      if (!parts) {
        parts = this.#atEnd(last);
        this.#tables.finished.set(last, parts);
      }
      return parts;
    }, state);
  }

  /** The parts are not followed any more. */
  drop(parts: readonly number[]): void {
    this.thrashing = false;
    for (const part of parts) this.#followed[part] = 0;
    this.#parts = this.#parts.filter((part) => this.#has(part));
    this.#looking = this.#looking.filter(({ number }) => this.#has(number));
    this.#renew();
  }

  #atEnd({ before, view, threads }: State): readonly number[] {
    const { behinds, simulation, starts } = this.#tables;
    const end: Place = { before, after: TEXT_END, sight: behinds.decide(view, before, TEXT_END) };
    const matched = new Set(simulation.close(threads, end).matched);
    for (const group of starts) for (const part of group.at(end).matched) matched.add(part);
    return [...matched].filter((part) => this.#has(part));
  }

  #has(part: number): boolean {
    return this.#followed[part] === 1;
  }

  #successor(from: State, unitClass: number): State {
    const { behinds, simulation, starts } = this.#tables;
    const kind = this.alphabet.kind(unitClass);
    const { known, view } = behinds.advance(from.view, from.before, unitClass, kind);
    const here: Place = { before: from.before, after: kind, sight: known };
    const there: Place = { before: kind, after: UNKNOWN, sight: view.sight };
    const closed = simulation.close(from.threads, here);
    const seeds = simulation.advance(closed.threads, unitClass, there);
    const matched = [...closed.matched];
    for (const group of starts) {
      const begun = group.over(here, unitClass, there);
      for (const seed of begun.seeds) if (this.#follows(seed)) seeds.push(seed);
      matched.push(...begun.matched);
    }
    return this.#arrive({ before: kind, view }, seeds, matched);
  }

  /** @param matched parts that were decided by the unit just taken */
  #arrive(left: Pick<State, "before" | "view">, seeds: readonly Thread[], matched: readonly number[]): State {
    const { simulation, starts, states } = this.#tables;
    const place: Place = { before: left.before, after: UNKNOWN, sight: left.view.sight };
    const closed = simulation.close(seeds, place);
    const waiting = starts.map((group) => group.at(place));
    const settled = new Set(matched);
    for (const part of closed.matched) settled.add(part);
    for (const each of waiting) for (const part of each.matched) settled.add(part);
    // Of what was begun before, some may have been given up since.
    for (const part of settled) if (!this.#has(part)) settled.delete(part);
    // Whoever comes here has the part settled, so no match of it that is on its way is of interest.
    const partOf = this.program.partOf;
    const begins = 1 << place.before;
    const others = waiting.find((each) => each.threads)?.threads;
    const threads = closed.threads.filter(
      (thread) =>
        (thread.begins & begins) === 0 &&
        !others?.has(thread) &&
        (settled.size === 0 || !settled.has(partOf[thread.position] ?? -1)),
    );
    this.#census.check(threads);
    return states.intern({ ...left, threads, settled: [...settled].sort((a, b) => a - b) });
  }

  /** Parts that are too much are given up, and it is done without them. @param from where the stream stands */
  #enduring<T>(work: () => T, from?: State): T {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Overload)) throw error;
        const over =
          this.work.attempts === 0
            ? error.parts
            : [...error.parts, ...this.#census.dearest(this.#parts, this.#looking, from?.threads ?? [])];
        const parts = this.onOverload(new Overload(over, error.reason));
        // Whoever is charged is followed here; giving up somebody else would go on for ever.
        if (!parts.some((part) => this.#has(part))) throw new Error(`A part that is not followed ${error.reason}.`);
        this.work.again();
        this.drop(parts);
      }
    }
  }

  #full(): boolean {
    const { states, pool, behinds, simulation } = this.#tables;
    const { cachedStates, cacheBytes } = this.limits;
    if (states.size >= cachedStates || states.bytes > cacheBytes) return true;
    return pool.full || behinds.full || simulation.full;
  }

  #flush(): void {
    this.#flushes++;
    this.thrashing = this.work.units - this.#flushedAt < THRASHING * this.#tables.states.size;
    this.#flushedAt = this.work.units;
    this.#renew();
  }

  #renew(): void {
    this.work.share(this.#looking.length * PRICES.renew);
    this.#earlierStates += this.#tables.states.size;
    this.#tables = this.#newTables();
  }

  #newTables(): Tables {
    const { program, alphabet, limits, work } = this;
    const pool = new Pool(program, this.#plainThreads);
    const simulation = new Simulation(program, alphabet, pool, limits, work);
    const behinds = new LookBehinds(program, this.#looking, pool, simulation, work, alphabet.size);
    const looking = (sighted: boolean): Starts[] => {
      const parts = this.#looking.filter((part) => part.looksFirst && part.behinds.size > 0 === sighted);
      const seeds = parts.map(({ entry }) => pool.thread(entry));
      return seeds.length === 0
        ? []
        : [new Starts(seeds, this.#setOf, this.#follows, sighted, alphabet, simulation, work)];
    };
    return {
      pool,
      simulation,
      behinds,
      starts: [this.#plainStarts, ...looking(false), ...looking(true)],
      states: new States(alphabet.size, behinds),
      finished: new Map(),
      start: undefined,
    };
  }

  #newPlainStarts(parts: readonly NumberedPart[]): Starts {
    const { program, alphabet, limits, work } = this;
    const pool = new Pool(program, this.#plainThreads);
    const simulation = new Simulation(program, alphabet, pool, limits, work);
    const seeds = parts.map(({ entry }) => pool.thread(entry));
    return new Starts(seeds, this.#setOf, this.#follows, false, alphabet, simulation, work);
  }
}

/** One generation of all that is remembered. */
interface Tables {
  readonly pool: Pool;
  readonly simulation: Simulation;
  readonly behinds: LookBehinds;
  readonly starts: readonly Starts[];
  readonly states: States;
  start: State | undefined;
  /** Parts that match when the text ends in a state. */
  readonly finished: Map<State, readonly number[]>;
}
