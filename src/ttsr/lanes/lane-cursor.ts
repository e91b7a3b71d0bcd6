import { Fold, firstFold, isHigh } from "../fold.js";
import { matchStart, type Settled, type StreamCursor } from "../matcher/index.js";
import { Tail } from "./tail.js";

/** A trigger that came true on a lane. Offsets are UTF-16 units of the lane, as its rules see it. */
export interface Hit {
  ruleId: string;
  trigger: number;
  /** How much of the lane had to be known. */
  end: number;
  /** Whether the cursor saw the lane from its beginning: then this is a match, whatever `start` finds. */
  certain: boolean;
  /**
   * Looks for where the match begins. `none`: what stands in front of the cursor's text, and it could not see, shows that this is no match.
   * @param lastLine of matches that begin on several lines only those of the last one count
   */
  start(pattern: string, lastLine?: boolean): number | "none" | "unknown";
}

/** Units before the end of a match in which its start is looked for. */
const LOOK_BACK = 4_096;
/** Units in front of its text that a cursor knows: more than look-behinds usually see, and few, since one is opened for each match that is excused. */
const IN_FRONT = 64;

/** @param before what stands in front of the cursor's text */
type Open = (onLate: (settled: Settled) => void, before: string) => StreamCursor;

/**
 * The matcher's cursor in front of a lane, and a second one on the folded copy of the text (TTSR-4.6), which goes on from where the first one
 * stands when a character folds: up to there both texts are the same. A rule is reported by the one that settles first.
 */
export class LaneCursor {
  readonly #plain: StreamCursor;
  #folded: FoldedCursor | undefined;
  /** A high surrogate, until it is known whether it folds with what follows it: neither cursor has read it. */
  #held = "";
  readonly #reported = new Set<string>();

  /**
   * @param seen the lane's text; what is fed stands in it already
   * @param from where in the lane this cursor begins
   */
  constructor(
    open: Open,
    private readonly seen: Tail,
    private readonly from: number,
    private readonly onLate: (hit: Hit) => void,
  ) {
    const inFront = from === 0 ? "" : seen.slice(from - IN_FRONT, from).text;
    this.#plain = open((settled) => this.#late(this.#plainHit(settled)), inFront);
  }

  feed(delta: string): Hit[] {
    if (this.#folded) return this.#first([...this.#feedPlain(delta), ...this.#folded.feed(delta)]);
    const text = this.#held + delta;
    const fold = firstFold(text);
    const end = isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    const same = fold < 0 ? end : fold;
    const hits = this.#first(this.#feedPlain(text.slice(0, same)));
    this.#held = fold < 0 ? text.slice(same) : "";
    if (fold < 0) return hits;
    this.#folded = this.#fold();
    return [...hits, ...this.feed(text.slice(same))];
  }

  end(): { now: Hit[]; late: Promise<Hit[]> } {
    const held = this.#feedPlain(this.#held);
    const plain = this.#plain.end();
    const folded = this.#folded?.end();
    const now = this.#first([...held, ...plain.now.map((each) => this.#plainHit(each)), ...(folded?.now ?? [])]);
    const late = Promise.all([plain.late, folded?.late ?? []]).then(([settled, hits]) =>
      this.#first([...settled.map((each) => this.#plainHit(each)), ...hits]),
    );
    return { now, late };
  }

  #feedPlain(text: string): Hit[] {
    const settled = this.#plain.feed(text);
    return settled.length === 0 ? [] : settled.map((each) => this.#plainHit(each));
  }

  #fold(): FoldedCursor {
    const at = this.from + this.#plain.position;
    const fork = (onLate: (settled: Settled) => void): StreamCursor => this.#plain.fork(onLate);
    const before = this.seen.slice(at - LOOK_BACK, at);
    return new FoldedCursor(fork, before, this.from, (hit) => this.#late(hit));
  }

  /** The first hit of each rule; it is not reported again. */
  #first(hits: Hit[]): Hit[] {
    if (hits.length === 0) return hits;
    const first: Hit[] = [];
    // Sorting is stable: of two at the same place the plain one.
    for (const hit of hits.sort((a, b) => a.end - b.end)) {
      if (this.#reported.has(hit.ruleId)) continue;
      this.#reported.add(hit.ruleId);
      this.#plain.disarm(hit.ruleId);
      this.#folded?.disarm(hit.ruleId);
      first.push(hit);
    }
    return first;
  }

  #late(hit: Hit): void {
    for (const each of this.#first([hit])) this.onLate(each);
  }

  #plainHit(settled: Settled): Hit {
    const end = this.from + settled.position;
    return hitOf(settled, { from: this.from, text: this.seen, end, laneEnd: end, laneStart: (unit) => unit });
  }
}

/** Offsets in the copy count from the lane's beginning: as far as nothing folds they are those of the lane. */
class FoldedCursor {
  readonly #cursor: StreamCursor;
  readonly #fold: Fold;
  readonly #copy: Tail;

  /**
   * @param fork the cursor that has read the lane up to the first character that folds
   * @param before what stands in front of that character
   * @param from where in the lane that cursor began
   */
  constructor(
    fork: (onLate: (settled: Settled) => void) => StreamCursor,
    before: { text: string; at: number },
    private readonly from: number,
    onLate: (hit: Hit) => void,
  ) {
    this.#copy = new Tail(before.at);
    this.#copy.append(before.text, false);
    this.#fold = new Fold(this.#copy.end);
    this.#cursor = fork((settled) => onLate(this.#hit(settled)));
  }

  feed(text: string): Hit[] {
    return this.#feed(this.#fold.push(text));
  }

  end(): { now: Hit[]; late: Promise<Hit[]> } {
    const rest = this.#feed(this.#fold.close());
    const { now, late } = this.#cursor.end();
    return {
      now: [...rest, ...now.map((each) => this.#hit(each))],
      late: late.then((settled) => settled.map((each) => this.#hit(each))),
    };
  }

  disarm(ruleId: string): void {
    this.#cursor.disarm(ruleId);
  }

  #feed(copy: string): Hit[] {
    this.#copy.append(copy, false);
    const settled = this.#cursor.feed(copy);
    return settled.length === 0 ? [] : settled.map((each) => this.#hit(each));
  }

  #hit(settled: Settled): Hit {
    const { from } = this;
    const end = from + settled.position;
    const laneEnd = settled.settledBy === "end" ? this.#fold.length : this.#fold.laneEnd(end);
    // What is dropped between the end of an empty match and the next unit of the copy is no part of it.
    const laneStart = (unit: number): number => Math.min(this.#fold.laneStart(unit), laneEnd);
    return hitOf(settled, { from, text: this.#copy, end, laneEnd, laneStart });
  }
}

/** What a cursor reads: the lane, or its copy. Offsets are those of this text, but for `laneEnd` and what `laneStart` gives. */
interface Read {
  text: Tail;
  /** Where the cursor began. */
  from: number;
  /** Where the match ends. */
  end: number;
  laneEnd: number;
  laneStart(unit: number): number;
}

function hitOf({ ruleId, trigger, settledBy, start }: Settled, read: Read): Hit {
  const { from, end, laneEnd } = read;
  const { text, at } = read.text.slice(end - LOOK_BACK, end);
  return {
    ruleId,
    trigger,
    end: laneEnd,
    certain: from === 0,
    start: (pattern, lastLine = false) => {
      if (start !== undefined) return read.laneStart(from + start);
      const found = matchStart(pattern, { text, whole: at === 0, from: from - at, lastLine }, settledBy);
      if (typeof found === "number") return read.laneStart(at + found);
      // Where all that the cursor read was looked at, and more, there is no match.
      return found === "none" && at >= from ? "unknown" : found;
    },
  };
}
