/**
 * Tier 1 of a set: one program, and the automata that run it. Usually there is one automaton for everything. A trigger that makes its states
 * multiply is *isolated*: moved to an automaton of its own, where it spoils nobody's tables. A trigger that asks for too many steps is *demoted* to
 * tier 2. Since all automata share the program, a stream's state is carried over by leaving threads out.
 */
import { Alphabet } from "./automaton/alphabet.js";
import { Automaton } from "./automaton/automaton.js";
import { Program } from "./automaton/program.js";
import type { FastTrigger } from "./compile.js";
import type { CompileLimits, MatcherStats } from "./types.js";

export interface MachineEvents {
  demoted(trigger: FastTrigger, reason: string): void;
  isolated(trigger: FastTrigger): void;
}

/** An automaton, and the one trigger it runs; undefined: all that are not on their own. */
export interface Runner {
  readonly automaton: Automaton;
  readonly only?: number;
}

/** Triggers that may run on their own: each may take as much as one rule may. */
const MOST_APART = 2;

export class Machine {
  readonly alphabet: Alphabet;
  /** The first one runs everything that is not on its own. Only grows. */
  readonly runners: readonly Runner[];
  /** By rule: the numbers of its triggers. */
  readonly triggersOf = new Map<string, number[]>();
  /** By part: the number of its trigger. */
  readonly triggerOf: readonly number[];
  /** By trigger: how many parts it has. */
  readonly partCounts: Uint16Array;
  /** By trigger: whether it may be demoted while a stream runs; tier 2 must then be given the text from its beginning. */
  readonly mayBeDemoted: readonly boolean[];
  /** Numbers of triggers that went to tier 2 since the beginning. Only grows. */
  readonly demoted: number[] = [];
  readonly #demoted = new Set<number>();
  readonly #program = new Program();
  readonly #runners: Runner[];
  /** Runs everything that is not on its own. */
  readonly shared: Automaton;
  /** By trigger: its parts. */
  readonly #partsOf: readonly (readonly number[])[];

  constructor(
    readonly triggers: readonly FastTrigger[],
    private readonly limits: CompileLimits,
    private readonly events: MachineEvents,
  ) {
    for (const [number, { ruleId }] of triggers.entries())
      this.triggersOf.set(ruleId, [...(this.triggersOf.get(ruleId) ?? []), number]);
    this.#partsOf = triggers.map(({ nodes }) => nodes.map((node) => this.#program.add(node, limits.positionsPerRule)));
    this.triggerOf = this.#partsOf.flatMap((parts, trigger) => parts.map(() => trigger));
    this.partCounts = Uint16Array.from(this.#partsOf, ({ length }) => length);
    this.alphabet = new Alphabet(this.#program.sets);
    const crowded = this.#program.size > limits.threadsPerSet;
    this.mayBeDemoted = triggers.map((trigger) => crowded || trigger.mayBeDemoted);
    this.shared = this.#automaton(this.#program.parts.keys());
    this.#runners = [{ automaton: this.shared }];
    this.runners = this.#runners;
    this.shared.prepare();
  }

  get stats(): Omit<MatcherStats, "workerTests" | "workerTimeouts"> {
    const all = { unitsRead: 0, misses: 0, states: 0, flushes: 0, threadSteps: 0, tableBytes: 0 };
    for (const { automaton } of this.#runners) {
      const { misses, states, flushes, tableBytes } = automaton.stats;
      all.misses += misses;
      all.states += states;
      all.flushes += flushes;
      all.tableBytes += tableBytes;
      all.unitsRead += automaton.work.units;
      all.threadSteps += Math.ceil(automaton.work.total);
    }
    return all;
  }

  /** Called between stretches of a stream. */
  tend(): void {
    if (this.shared.thrashing) this.#isolate(this.shared);
  }

  /** Takes the trigger that cost most since the last time out of the automaton. */
  #isolate(automaton: Automaton): void {
    automaton.thrashing = false;
    if (this.#runners.length > MOST_APART) return;
    const work = automaton.work.take();
    const costs = new Map<number, number>();
    for (const part of automaton.parts) {
      const trigger = this.triggerOf[part] ?? 0;
      costs.set(trigger, (costs.get(trigger) ?? 0) + (work[part] ?? 0));
    }
    const [dearest] = [...costs].sort((a, b) => b[1] - a[1]);
    const trigger = dearest && this.triggers[dearest[0]];
    if (!dearest || !trigger || costs.size < 2) return;
    const parts = this.#partsOf[dearest[0]] ?? [];
    automaton.drop(parts);
    this.#runners.push({ automaton: this.#automaton(parts), only: dearest[0] });
    this.events.isolated(trigger);
  }

  #demote(number: number, reason: string): void {
    const trigger = this.triggers[number];
    if (!trigger || this.#demoted.has(number)) return;
    this.#demoted.add(number);
    this.demoted.push(number);
    this.events.demoted(trigger, reason);
  }

  #automaton(parts: Iterable<number>): Automaton {
    return new Automaton(this.#program, this.alphabet, parts, this.limits, ({ parts: over, reason }) => {
      const numbers = new Set(over.map((part) => this.triggerOf[part] ?? 0));
      for (const number of numbers) this.#demote(number, reason);
      return [...numbers].flatMap((number) => this.#partsOf[number] ?? []);
    });
  }
}
