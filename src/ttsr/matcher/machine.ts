/**
 * Tier 1 of a set: one program, and the automata that run it. Usually there is one automaton for everything. A trigger that makes its states
 * multiply is *isolated*: moved to an automaton of its own, where it spoils nobody's tables. A trigger that asks for too many steps is *demoted* to
 * tier 2. Since all automata share the program, a stream's state is carried over by leaving threads out.
 */
import { Alphabet } from "./automaton/alphabet.js";
import { Automaton } from "./automaton/automaton.js";
import { Program } from "./automaton/program.js";
import { BURST, type Overload } from "./automaton/work.js";
import type { FastTrigger } from "./compile.js";
import type { CompileLimits, MatcherStats } from "./types.js";

/** A trigger went to tier 2. */
export interface Demotion {
  /** Number of the trigger. */
  readonly trigger: number;
  /** The end of a sentence that begins with "it". */
  readonly reason: string;
}

/** An automaton, and the one trigger it runs; undefined: all that are not on their own. */
export interface Runner {
  readonly automaton: Automaton;
  readonly only?: number;
}

/**
 * Of what a set may take on a few units, what the trigger that runs apart may, and what all others may; these up to twice as much, where some of
 * them are given up. The rest is for what giving up takes besides.
 */
const SHARE_APART = 1 / 4;
const SHARE_TOGETHER = 1 / 4;

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
  /** Whether triggers may be demoted while a stream runs; tier 2 must then be given the text from its beginning. */
  readonly mayDemote: boolean;
  /** Since the beginning. Only grows. What follows from one is done later: hundreds may come at once, in the middle of a delta. */
  readonly demotions: Demotion[] = [];
  /** By trigger: 1 where it is one of them. */
  readonly #demoted: Uint8Array;
  readonly #program = new Program();
  readonly #runners: Runner[];
  /** Runs everything that is not on its own. */
  readonly shared: Automaton;
  /** By trigger: its parts. */
  readonly #partsOf: readonly (readonly number[])[];

  constructor(
    readonly triggers: readonly FastTrigger[],
    private readonly limits: CompileLimits,
    private readonly onIsolated: (trigger: FastTrigger) => void,
  ) {
    for (const [number, { ruleId }] of triggers.entries())
      this.triggersOf.set(ruleId, [...(this.triggersOf.get(ruleId) ?? []), number]);
    this.#partsOf = triggers.map(({ nodes }) => nodes.map((node) => this.#program.add(node, limits.positionsPerRule)));
    this.triggerOf = this.#partsOf.flatMap((parts, trigger) => parts.map(() => trigger));
    this.#demoted = new Uint8Array(triggers.length);
    this.partCounts = Uint16Array.from(this.#partsOf, ({ length }) => length);
    this.alphabet = new Alphabet(this.#program.sets);
    this.mayDemote = !isHarmless(this.#program, limits);
    this.shared = this.#automaton([...this.#program.parts.keys()], SHARE_TOGETHER);
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
    if (this.#runners.length > 1) return;
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
    this.#runners.push({ automaton: this.#automaton(parts, SHARE_APART), only: dearest[0] });
    this.onIsolated(trigger);
  }

  /** @returns all parts of the triggers that these are parts of */
  #demote({ parts, reason }: Overload): number[] {
    const all: number[] = [];
    for (const part of parts) {
      const trigger = this.triggerOf[part] ?? 0;
      if (this.#demoted[trigger] === 1) continue;
      this.#demoted[trigger] = 1;
      this.demotions.push({ trigger, reason });
      for (const each of this.#partsOf[trigger] ?? []) all.push(each);
    }
    return all;
  }

  #automaton(parts: readonly number[], share: number): Automaton {
    const burst = share * BURST * this.limits.threadsPerSet;
    const onOverload = (overload: Overload): readonly number[] => this.#demote(overload);
    return new Automaton(this.#program, this.alphabet, parts, this.limits, burst, onOverload);
  }
}

/** Whether it cannot ask for too much, whatever the text is. */
function isHarmless(
  { aheads, size }: Program,
  { stepsPerUnit, threadsPerRule, threadsPerSet }: CompileLimits,
): boolean {
  // Without look-aheads there is at most one thread for each position. It takes eight steps at most, and may look over all others to see where it leads.
  const most = size * 8 + (size * size) / 4;
  return aheads.length === 0 && most <= Math.min(stepsPerUnit, threadsPerRule, threadsPerSet * SHARE_TOGETHER);
}
