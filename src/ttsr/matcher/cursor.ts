import type { Part, Trigger } from "./trigger.js";
import type { Settled, StreamCursor } from "./types.js";

/** A trigger on its way: the parts that have not matched yet, and where the others did. */
interface Live {
  readonly ruleId: string;
  readonly index: number;
  missing: readonly Part[];
  position: number;
}

const NONE: readonly Settled[] = [];

/**
 * Runs `RegExp`s on a growing text, at every push. Since the settled form's truth is monotone in the prefix, the position is the least
 * prefix on which it holds, found by bisection: it does not depend on how the text was cut.
 */
export class RegExpCursor implements StreamCursor {
  #live: Live[];
  #text = "";
  /** Units that were let go of in front of `#text`. */
  #dropped = 0;
  #ended = false;

  constructor(
    triggers: readonly Trigger[],
    private readonly bufferUnits: number,
  ) {
    this.#live = triggers.map(({ ruleId, index, parts }) => ({ ruleId, index, missing: parts, position: 0 }));
  }

  get position(): number {
    return this.#dropped + this.#text.length;
  }

  feed(delta: string): readonly Settled[] {
    if (this.#ended || delta === "") return NONE;
    const found: Settled[] = [];
    // Text is let go of at fixed units of the stream, so that this too does not depend on the cuts.
    for (let from = 0; from < delta.length; ) {
      const piece = delta.slice(from, from + this.bufferUnits - this.#text.length);
      from += piece.length;
      found.push(...this.#take(piece));
      if (this.#text.length >= this.bufferUnits) this.#drop(this.bufferUnits >> 1);
    }
    return found.length === 0 ? NONE : found;
  }

  end(): { now: readonly Settled[]; late: Promise<readonly Settled[]> } {
    const late = Promise.resolve(NONE);
    if (this.#ended) return { now: NONE, late };
    this.#ended = true;
    const { length } = this.#text;
    const now = this.#report((live) => {
      const all = live.missing.every((part) => holds(part.original, this.#text, this.#from(part, length)));
      return all ? this.#dropped + length : undefined;
    }, "end");
    this.#live = [];
    this.#text = "";
    this.#dropped += length;
    return { now, late };
  }

  disarm(ruleId: string): void {
    this.#live = this.#live.filter((trigger) => trigger.ruleId !== ruleId);
  }

  #take(piece: string): readonly Settled[] {
    if (this.#live.length === 0) {
      this.#dropped += this.#text.length + piece.length;
      this.#text = "";
      return NONE;
    }
    const before = this.#text.length;
    this.#text += piece;
    return this.#report((live) => this.#advance(live, before), "unit");
  }

  /** One report per rule: the trigger with the least position, then the first of the list. Reported rules are not live any more. */
  #report(positionOf: (live: Live) => number | undefined, settledBy: Settled["settledBy"]): readonly Settled[] {
    const first = new Map<string, Settled>();
    for (const trigger of this.#live) {
      const position = positionOf(trigger);
      if (position === undefined) continue;
      const known = first.get(trigger.ruleId);
      if (known && (known.position < position || (known.position === position && known.trigger < trigger.index)))
        continue;
      first.set(trigger.ruleId, { ruleId: trigger.ruleId, trigger: trigger.index, position, settledBy });
    }
    if (first.size === 0) return NONE;
    this.#live = this.#live.filter((trigger) => !first.has(trigger.ruleId));
    return [...first.values()].sort((a, b) => a.position - b.position);
  }

  /** @returns where the trigger settled, if its last part did now */
  #advance(live: Live, before: number): number | undefined {
    const still: Part[] = [];
    for (const part of live.missing) {
      const at = this.#leastPrefix(part, before);
      if (at === undefined) still.push(part);
      else live.position = Math.max(live.position, this.#dropped + at);
    }
    if (still.length < live.missing.length) live.missing = still;
    return still.length === 0 ? live.position : undefined;
  }

  #leastPrefix(part: Part, before: number): number | undefined {
    const from = this.#from(part, before);
    if (!holds(part.settled, this.#text, from)) return undefined;
    let not = before;
    let yes = this.#text.length;
    while (yes - not > 1) {
      const middle = (not + yes) >> 1;
      if (holds(part.settled, this.#text.slice(0, middle), from)) yes = middle;
      else not = middle;
    }
    return yes;
  }

  /** The earliest start of a match that did not hold on the first `known` units and may hold now. */
  #from({ reach }: Part, known: number): number {
    // Behind a drop, index 0 is not the beginning of the text: `^` must not hold there.
    const least = this.#dropped > 0 ? 1 : 0;
    if (Number.isFinite(reach.units)) return Math.max(least, known - reach.units);
    const byLines = this.#back(known, least, reach.lineEnds, isLineEnd);
    const byVisible = this.#back(known, least, reach.visible, isVisible);
    return Math.max(byLines, byVisible);
  }

  /** @returns the index behind the `count + 1`st such unit before `known`: a stretch that reaches to `known` with `count` of them begins there at the earliest */
  #back(known: number, least: number, count: number, counts: (unit: number) => boolean): number {
    if (!Number.isFinite(count)) return least;
    let at = known;
    for (let left = count + 1; at > least; at--) {
      if (counts(this.#text.charCodeAt(at - 1)) && --left === 0) break;
    }
    return Math.max(least, at);
  }

  #drop(units: number): void {
    this.#text = this.#text.slice(units);
    this.#dropped += units;
  }
}

function holds(expression: RegExp, text: string, from: number): boolean {
  expression.lastIndex = from;
  return expression.test(text);
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029;
}

function isVisible(unit: number): boolean {
  return unit > 32 && (unit < 128 || !/\s/.test(String.fromCharCode(unit)));
}
