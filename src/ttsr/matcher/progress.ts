/**
 * What one stream has seen come true. Parts and rules are *latched*: what has matched stays so. Which rules are watched (armed, in scope, not yet
 * reported) is asked here alone, when something is reported; the automata know nothing of it.
 */
import type { Machine } from "./machine.js";
import type { Settled } from "./types.js";

/** A part came true when so many units were known. */
export interface Hit {
  readonly part: number;
  readonly position: number;
}

/** Can be copied, and put back. */
export interface Latches {
  /** By part. */
  readonly latched: Uint8Array;
  /** By trigger: parts that have not matched. */
  readonly missing: Uint16Array;
  /** By trigger: 1 where it is watched. */
  readonly live: Uint8Array;
  readonly reported: ReadonlySet<string>;
}

export class Progress {
  readonly #latched: Uint8Array;
  readonly #missing: Uint16Array;
  readonly #live: Uint8Array;
  #reported = new Set<string>();
  readonly #disarmed = new Set<string>();
  /** Triggers of tier 1 that are watched. */
  #watched = 0;

  constructor(
    private readonly machine: Machine,
    armed: (ruleId: string) => boolean,
  ) {
    const { triggers, triggerOf } = machine;
    this.#latched = new Uint8Array(triggerOf.length);
    this.#missing = machine.partCounts.slice();
    this.#live = new Uint8Array(triggers.length);
    let number = 0;
    for (const { ruleId } of triggers) this.#live[number++] = armed(ruleId) ? 1 : 0;
    this.#watched = count(this.#live);
  }

  /** Whether any trigger of tier 1 is watched. */
  get watching(): boolean {
    return this.#watched > 0;
  }

  watches(trigger: number): boolean {
    return this.#live[trigger] === 1;
  }

  isLatched(part: number): boolean {
    return this.#latched[part] === 1;
  }

  /** @returns what is to be reported: of each rule the trigger that settled first, of several at one unit the first of the list */
  take(hits: Hit[], settledBy: Settled["settledBy"]): Settled[] {
    if (!hits.every((hit, i) => i === 0 || inOrder(hits[i - 1] ?? hit, hit) <= 0)) hits.sort(inOrder);
    const settled: Settled[] = [];
    for (const { part, position } of hits) {
      if (this.isLatched(part)) continue;
      this.#latched[part] = 1;
      const number = this.machine.triggerOf[part] ?? 0;
      const trigger = this.machine.triggers[number];
      const missing = (this.#missing[number] ?? 0) - 1;
      this.#missing[number] = missing;
      if (missing > 0 || !trigger || !this.watches(number) || !this.report(trigger.ruleId)) continue;
      settled.push({ ruleId: trigger.ruleId, trigger: trigger.index, position, settledBy });
    }
    return settled;
  }

  /** @returns false where the rule is not to be reported (again) */
  report(ruleId: string): boolean {
    if (this.#reported.has(ruleId) || this.#disarmed.has(ruleId)) return false;
    this.#reported.add(ruleId);
    this.#quiet(ruleId);
    return true;
  }

  disarm(ruleId: string): void {
    this.#disarmed.add(ruleId);
    this.#quiet(ruleId);
  }

  save(): Latches {
    return {
      latched: this.#latched.slice(),
      missing: this.#missing.slice(),
      live: this.#live.slice(),
      reported: new Set(this.#reported),
    };
  }

  restore(latches: Latches): void {
    this.#latched.set(latches.latched);
    this.#missing.set(latches.missing);
    this.#live.set(latches.live);
    this.#reported = new Set(latches.reported);
    this.#watched = count(this.#live);
    for (const ruleId of this.#disarmed) this.#quiet(ruleId);
  }

  /** @returns one that goes on from here by itself */
  fork(): Progress {
    const fork = new Progress(this.machine, () => false);
    fork.restore(this.save());
    for (const ruleId of this.#disarmed) fork.#disarmed.add(ruleId);
    return fork;
  }

  #quiet(ruleId: string): void {
    for (const number of this.machine.triggersOf.get(ruleId) ?? []) {
      this.#watched -= this.#live[number] ?? 0;
      this.#live[number] = 0;
    }
  }
}

/** One automaton reports them in this order. */
function inOrder(a: Hit, b: Hit): number {
  return a.position - b.position || a.part - b.part;
}

function count(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + flag, 0);
}
