/**
 * One stream. It keeps a state for each automaton and what has come true, not the text: each unit is looked at once, by two array reads. (Only
 * where triggers may yet go to tier 2 is the text kept beside, so that nothing is lost when it does.)
 */
import type { Automaton } from "./automaton/automaton.js";
import type { State } from "./automaton/states.js";
import { KeptText } from "./kept-text.js";
import type { Machine } from "./machine.js";
import { Mark, type Origin, type Synced } from "./mark.js";
import { type Hit, Progress } from "./progress.js";
import type { SlowStream } from "./tier2/slow-tier.js";
import type { CursorMark, Settled, StreamCursor } from "./types.js";

const NOTHING: readonly Settled[] = [];
const NOTHING_LATE: Promise<readonly Settled[]> = Promise.resolve(NOTHING);
/** Units between two looks at whether a trigger must be isolated; and between two marks of a source that gives snapshots. */
const STRETCH = 4096;
const MARK_EVERY = 1024;

export class Cursor implements StreamCursor {
  readonly #machine: Machine;
  readonly #shared: Automaton;
  readonly #classOf: Uint16Array;
  readonly #progress: Progress;
  /** By runner. */
  #states: (State | undefined)[] = [];
  /** Parts that hold on the empty text already. */
  #hits: Hit[] = [];
  #position = 0;
  #ended = false;
  #text: KeptText | undefined;
  #slow: SlowStream[] = [];
  /** What tier 2 found before the end, where nobody wants to be told of it before. */
  #untold: Settled[] = [];
  /** How many of the machine's demotions it has followed, and whether it will follow the others. */
  #demotions: number;
  #following = false;
  /** Grows with every `restore`: tells what late verdicts are about. */
  #epoch = 0;
  #synced: Synced | undefined;

  /** @param parent it goes on from where this one stands */
  constructor(
    private readonly origin: Origin,
    private readonly onLate: ((settled: Settled) => void) | undefined,
    parent?: Cursor,
  ) {
    const { machine, armed } = origin;
    this.#machine = machine;
    this.#shared = machine.shared;
    this.#classOf = machine.alphabet.classOf;
    this.#progress = parent ? parent.#progress.fork() : new Progress(machine, armed);
    this.#demotions = parent ? parent.#demotions : machine.demotions.length;
    if (parent) {
      this.#goOnFrom(parent);
      return;
    }
    const beginning = this.#beginning();
    this.#states = beginning.states;
    this.#hits = beginning.hits;
    this.#openSlow(armed);
    // Also where it does not watch the dear ones: whoever is run together with them may have to go as well.
    const kept = machine.mayDemote && this.#progress.watching;
    if (kept || this.#slow.length > 0) this.#text = new KeptText();
  }

  #goOnFrom(parent: Cursor): void {
    this.#states = [...parent.#states];
    this.#hits = [...parent.#hits];
    this.#position = parent.#position;
    this.#ended = parent.#ended;
    this.#synced = parent.#synced;
    this.#text = parent.#text?.fork();
    if (this.#ended) return;
    this.#untold = [...parent.#untold];
    this.#slow = parent.#slow.map((stream) => stream.fork(this.#listener()));
    this.#followLater();
  }

  get position(): number {
    return this.#position;
  }

  feed(delta: string): readonly Settled[] {
    if (this.#synced && !this.#ended) this.#synced = { ...this.#synced, text: this.#synced.text + delta };
    return this.#take(delta);
  }

  #take(delta: string): readonly Settled[] {
    if (this.#ended || delta === "") return NOTHING;
    this.#text?.append(delta);
    let settled = this.#stretch(delta, 0, Math.min(delta.length, STRETCH));
    for (let from = STRETCH; from < delta.length; from += STRETCH) {
      const found = this.#stretch(delta, from, Math.min(delta.length, from + STRETCH));
      if (found.length > 0) settled = [...settled, ...found];
    }
    this.#position += delta.length;
    if (this.#slow.length > 0) for (const stream of this.#slow) stream.feed(delta);
    this.#followLater();
    return settled;
  }

  sync(snapshot: string): readonly Settled[] {
    if (this.#ended) return NOTHING;
    let { text, marks } = this.#synced ?? { text: snapshot.slice(0, this.#position), marks: [this.#start()] };
    if (text.length < this.#position || !snapshot.startsWith(text)) {
      const same = firstDifference(text, snapshot);
      marks = marks.filter(({ position }) => position <= same);
      const last = marks.at(-1);
      if (last) this.restore(last);
    }
    const settled: Settled[] = [];
    const more = [...marks];
    while (this.#position < snapshot.length) {
      const to = (Math.floor(this.#position / MARK_EVERY) + 1) * MARK_EVERY;
      settled.push(...this.#take(snapshot.slice(this.#position, to)));
      if (this.#position === to) more.push(this.#mark());
    }
    this.#synced = { text: snapshot, marks: more };
    return settled;
  }

  end(): { now: readonly Settled[]; late: Promise<readonly Settled[]> } {
    if (this.#ended) return { now: NOTHING, late: NOTHING_LATE };
    this.#ended = true;
    const hits = [...this.#hits];
    if (this.#progress.watching) {
      this.#attune();
      for (const [number, { automaton }] of this.#machine.runners.entries()) {
        const state = this.#states[number];
        if (!state || !this.#concerns(number)) continue;
        for (const part of automaton.finish(state)) hits.push({ part, position: this.#position });
      }
    }
    const now = this.#progress.take(hits, "end");
    this.#followDemotions();
    return { now, late: this.#slow.length === 0 ? NOTHING_LATE : this.#late() };
  }

  disarm(ruleId: string): void {
    this.#progress.disarm(ruleId);
    for (const stream of this.#slow) stream.disarm(ruleId);
  }

  fork(onLate?: (settled: Settled) => void): StreamCursor {
    return new Cursor(this.origin, onLate, this);
  }

  save(): CursorMark {
    return this.#mark(this.#synced);
  }

  restore(mark: CursorMark): void {
    if (!(mark instanceof Mark) || mark.origin !== this.origin) throw new TypeError("The mark is not of this cursor.");
    this.#states = [...mark.states];
    this.#progress.restore(mark.latches);
    this.#position = mark.position;
    this.#hits = [...mark.hits];
    this.#ended = false;
    this.#epoch++;
    this.#text?.restore(mark.kept);
    this.#synced = mark.synced;
    // Tier 2 cannot be taken back; it is given the text anew.
    for (const stream of this.#slow) stream.finish();
    this.#slow = [];
    this.#untold = [];
    this.#demotions = this.#machine.demotions.length;
    this.#openSlow(this.origin.armed);
  }

  /** Takes units `from` up to `to` of the delta, after which the automata may be arranged anew. */
  #stretch(delta: string, from: number, to: number): readonly Settled[] {
    if (!this.#progress.watching) return NOTHING;
    const runners = this.#machine.runners;
    if (this.#states.length < runners.length) this.#attune();
    const hits = this.#hits;
    this.#states[0] = this.#run(this.#shared, this.#states[0], delta, from, to, hits);
    for (let number = 1; number < runners.length; number++) {
      const automaton = runners[number]?.automaton;
      if (!automaton || !this.#concerns(number)) continue;
      this.#states[number] = this.#run(automaton, this.#states[number], delta, from, to, hits);
    }
    if (this.#shared.thrashing) this.#machine.tend();
    if (hits.length === 0) return NOTHING;
    this.#hits = [];
    return this.#progress.take(hits, "unit");
  }

  #run(
    automaton: Automaton,
    state: State | undefined,
    delta: string,
    from: number,
    to: number,
    hits: Hit[],
  ): State | undefined {
    if (!state) return undefined;
    const classOf = this.#classOf;
    let row = state.generation === automaton.states.generation ? state.row : automaton.adopt(state).row;
    for (let i = from; i < to; i++) {
      const cells = automaton.states.cells;
      let unitClass = 0;
      let cell = 0;
      // Where the table knows the way and nothing settles on it, this is all that a unit costs.
      for (; i < to; i++) {
        unitClass = classOf[delta.charCodeAt(i)] ?? 0;
        cell = cells[row + unitClass] ?? 0;
        if (cell <= 0) break;
        row = cell;
      }
      if (i === to) break;
      if (cell === 0) cell = automaton.miss(row, unitClass, i - from);
      row = Math.abs(cell);
      if (cell > 0) continue;
      for (const part of automaton.state(row).settled) {
        if (!this.#progress.isLatched(part)) hits.push({ part, position: this.#position + i + 1 });
      }
    }
    automaton.work.units += to - from;
    return automaton.states.at(row);
  }

  /** An automaton that was split off goes on from where the first one stood. */
  #attune(): void {
    for (let number = this.#states.length; number < this.#machine.runners.length; number++)
      this.#states[number] = this.#states[0];
  }

  #concerns(runner: number): boolean {
    const only = this.#machine.runners[runner]?.only;
    return only === undefined || this.#progress.watches(only);
  }

  #mark(synced?: Synced): Mark {
    const kept = this.#text?.save();
    return new Mark(
      this.origin,
      this.#position,
      [...this.#states],
      this.#progress.save(),
      [...this.#hits],
      kept,
      synced,
    );
  }

  #start(): Mark {
    const { states, hits } = this.#beginning();
    const latches = new Progress(this.#machine, this.origin.armed).save();
    return new Mark(this.origin, 0, states, latches, hits, undefined);
  }

  #beginning(): { states: (State | undefined)[]; hits: Hit[] } {
    const states = this.#machine.runners.map(({ automaton }) => automaton.start());
    if (this.origin.before !== "")
      return { states: states.map((state, number) => this.#behind(number, state)), hits: [] };
    return { states, hits: states.flatMap(({ settled }) => settled.map((part) => ({ part, position: 0 }))) };
  }

  /** What is on the left, look-behinds included, is known; no match is on its way. */
  #behind(number: number, state: State): State | undefined {
    const { before } = this.origin;
    const automaton = this.#machine.runners[number]?.automaton;
    const behind = automaton && this.#run(automaton, state, before, 0, before.length, []);
    return behind && { ...behind, generation: {}, threads: [], settled: [] };
  }

  /** Not within the delta. */
  #followLater(): void {
    if (this.#following || this.#demotions === this.#machine.demotions.length) return;
    this.#following = true;
    setImmediate(() => {
      this.#following = false;
      this.#followDemotions();
    });
  }

  /** A trigger that this stream watches has gone to tier 2: from its beginning, so that nothing is lost. */
  #followDemotions(): void {
    const { demotions, triggers } = this.#machine;
    const rules = new Set<string>();
    for (const { trigger } of demotions.slice(this.#demotions)) {
      const ruleId = triggers[trigger]?.ruleId;
      if (ruleId !== undefined && this.#progress.watches(trigger)) rules.add(ruleId);
    }
    this.#demotions = demotions.length;
    if (rules.size > 0) this.#openSlow((id) => rules.has(id));
  }

  /** From the beginning of the text. */
  #openSlow(armed: (ruleId: string) => boolean): void {
    const stream = this.origin.slowTier()?.open(armed, this.#listener());
    if (!stream) return;
    stream.feed(this.#text?.whole() ?? "");
    this.#slow.push(stream);
  }

  /** For a stream of tier 2, as long as the cursor is not taken back. */
  #listener(): (settled: Settled) => void {
    const epoch = this.#epoch;
    return (settled) => {
      if (epoch !== this.#epoch) return;
      if (!this.onLate) this.#untold.push(settled);
      else if (this.#progress.report(settled.ruleId)) this.onLate(settled);
    };
  }

  async #late(): Promise<readonly Settled[]> {
    const epoch = this.#epoch;
    const ends = await Promise.all(this.#slow.map((stream) => stream.end()));
    if (epoch !== this.#epoch) return NOTHING;
    const found = [...this.#untold, ...ends.flat()].sort((a, b) => a.position - b.position);
    return found.filter(({ ruleId }) => this.#progress.report(ruleId));
  }
}

function firstDifference(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
