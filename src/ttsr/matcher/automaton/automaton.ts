/**
 * The lazily determinised automaton of some parts of a program. It has no text and no position: any number of streams go through the same tables,
 * each with a state of its own. When the tables are full they are thrown away and begun anew; a stream brings its state with it.
 */
import type { CompileLimits } from "../types.js";
import type { UnitClasses } from "./alphabet.js";
import { TEXT_END, TEXT_START, UNKNOWN } from "./edges.js";
import { LookBehinds } from "./look-behind.js";
import type { Program } from "./program.js";
import { type Place, Simulation } from "./simulation.js";
import { Starts } from "./starts.js";
import { type State, States } from "./states.js";
import { byId, Pool, type Thread } from "./threads.js";
import { Overload, Work } from "./work.js";

/** Fewer units than this for each new state: nearly each unit makes a state that is hardly used again. */
const THRASHING = 10;

export class Automaton {
  readonly work: Work;
  readonly #parts: Set<number>;
  #tables: Tables;
  /** Counted over all generations. */
  #misses = 0;
  #flushes = 0;
  #earlierStates = 0;
  #flushedAt = 0;
  /** Whether the last flush came so soon that the tables are of little use. */
  thrashing = false;
  /** Threads of each part of the state at hand. */
  readonly #population: Int32Array;

  /** @param onOverload told which parts are given up and why, before the automaton goes on without them; names all parts that go with them */
  constructor(
    private readonly program: Program,
    private readonly alphabet: UnitClasses,
    parts: Iterable<number>,
    private readonly limits: CompileLimits,
    private readonly onOverload: (overload: Overload) => readonly number[],
  ) {
    this.#parts = new Set(parts);
    this.work = new Work(program.parts.length, limits);
    this.#population = new Int32Array(program.parts.length);
    this.#tables = this.#newTables();
  }

  get parts(): ReadonlySet<number> {
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
    this.#enduring(() => this.#tables.starts.prepare(() => this.work.rest()));
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
    const { pool, behinds, states } = this.#tables;
    const threads = state.threads.filter((thread) => this.#follows(thread)).map((thread) => pool.adopt(thread));
    const content = { before: state.before, view: behinds.adopt(state.view), threads: threads.sort(byId), settled: [] };
    return states.intern(content);
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
    if (this.#full()) this.#flush();
    return this.#enduring(() => {
      from = this.adopt(from);
      return this.#tables.states.link(from, unitClass, this.#successor(from, unitClass));
    });
  }

  /** @returns parts that match when the text ends in this state */
  finish(state: State): readonly number[] {
    return this.#enduring(() => {
      const last = this.adopt(state);
      let parts = this.#tables.finished.get(last);
      if (!parts) {
        parts = this.#atEnd(last);
        this.#tables.finished.set(last, parts);
      }
      return parts;
    });
  }

  /** The parts are not followed any more. */
  drop(parts: Iterable<number>): void {
    this.thrashing = false;
    for (const part of parts) this.#parts.delete(part);
    this.#renew();
  }

  #atEnd({ before, view, threads }: State): readonly number[] {
    this.work.begin();
    const { behinds, simulation, starts } = this.#tables;
    const end: Place = { before, after: TEXT_END, sight: behinds.decide(view, before, TEXT_END) };
    const matched = new Set(simulation.close(threads, end).matched);
    for (const begun of starts.at(end)) for (const part of begun.matched) matched.add(part);
    return [...matched];
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
    for (const begun of starts.over(here, unitClass, there)) {
      for (const seed of begun.seeds) seeds.push(seed);
      matched.push(...begun.matched);
    }
    return this.#arrive({ before: kind, view }, seeds, matched);
  }

  /** @param matched parts that were decided by the unit just taken */
  #arrive(left: Pick<State, "before" | "view">, seeds: readonly Thread[], matched: readonly number[]): State {
    const { simulation, starts, states } = this.#tables;
    const place: Place = { before: left.before, after: UNKNOWN, sight: left.view.sight };
    const closed = simulation.close(seeds, place);
    const waiting = starts.at(place);
    const settled = new Set(matched);
    for (const part of closed.matched) settled.add(part);
    for (const each of waiting) for (const part of each.matched) settled.add(part);
    // Whoever comes here has the part settled, so no match of it that is on its way is of interest.
    const partOf = this.program.partOf;
    const threads = closed.threads.filter(
      (thread) => !settled.has(partOf[thread.position] ?? -1) && !waiting.some((each) => each.threads.has(thread)),
    );
    this.#checkPopulation(threads);
    return states.intern({ ...left, threads, settled: [...settled].sort((a, b) => a - b) });
  }

  #checkPopulation(threads: readonly Thread[]): void {
    const { threadsPerRule, threadsPerSet } = this.limits;
    if (threads.length <= threadsPerRule) return;
    const population = this.#population.fill(0);
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

  #follows({ position }: Thread): boolean {
    return this.#parts.has(this.program.partOf[position] ?? -1);
  }

  /** Parts that are too much are given up, and it is done without them. */
  #enduring<T>(work: () => T): T {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Overload)) throw error;
        const parts = this.onOverload(error);
        // Whoever is charged is followed here; giving up somebody else would go on for ever.
        if (!parts.some((part) => this.#parts.has(part))) throw error;
        this.work.again();
        this.drop(parts);
      }
    }
  }

  #full(): boolean {
    const { states, pool, behinds } = this.#tables;
    return (
      states.size >= this.limits.cachedStates || states.bytes > this.limits.cacheBytes || pool.full || behinds.full
    );
  }

  #flush(): void {
    this.#flushes++;
    this.thrashing = this.work.units - this.#flushedAt < THRASHING * this.#tables.states.size;
    this.#flushedAt = this.work.units;
    this.#renew();
  }

  #renew(): void {
    this.#earlierStates += this.#tables.states.size;
    this.#tables = this.#newTables();
  }

  #newTables(): Tables {
    const { program, alphabet, limits, work } = this;
    const parts = [...this.#parts].flatMap((number) => {
      const part = program.parts[number];
      return part ? [{ ...part, number }] : [];
    });
    const pool = new Pool(program);
    const simulation = new Simulation(program, alphabet, pool, limits, work);
    const behinds = new LookBehinds(program, parts, pool, simulation, work);
    return {
      pool,
      simulation,
      behinds,
      starts: new Starts(parts, pool, alphabet, simulation, work),
      states: new States(alphabet.size, behinds),
      finished: new Map(),
      start: undefined,
    };
  }
}

/** One generation of all that is remembered. */
interface Tables {
  readonly pool: Pool;
  readonly simulation: Simulation;
  readonly behinds: LookBehinds;
  readonly starts: Starts;
  readonly states: States;
  start: State | undefined;
  /** Parts that match when the text ends in a state. */
  readonly finished: Map<State, readonly number[]>;
}
