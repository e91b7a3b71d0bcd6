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
/** Units in front of the first character that folds that the second cursor is shown; fewer than are looked back. */
const CONTEXT = 2_048;
/** Units in front of its text that a cursor knows: more than look-behinds usually see, and few, since one is opened for each match that is excused. */
const IN_FRONT = 64;

/** @param before what stands in front of the cursor's text */
type Open = (onLate: (settled: Settled) => void, before: string) => StreamCursor;

/**
 * The matcher's cursor in front of a lane, and a second one on the folded copy of the text, opened at the first character that folds
 * (TTSR-4.6). A rule is reported by the one that settles first.
 */
export class LaneCursor {
  readonly #plain: StreamCursor;
  #folded: FoldedCursor | undefined;
  /** Lane offset up to which no character folds. */
  #scanned: number;
  readonly #reported = new Set<string>();

  /**
   * @param seen the lane's text; what is fed stands in it already
   * @param from where in the lane this cursor begins
   */
  constructor(
    private readonly open: Open,
    private readonly seen: Tail,
    private readonly from: number,
    private readonly onLate: (hit: Hit) => void,
  ) {
    this.#scanned = from;
    this.#plain = open((settled) => this.#late(this.#plainHit(settled)), inFrontOf(from, seen));
  }

  feed(text: string): Hit[] {
    const settled = this.#plain.feed(text);
    const folded = this.#feedFolded(text);
    if (settled.length === 0 && folded.length === 0) return [];
    return this.#first([...settled.map((each) => this.#plainHit(each)), ...folded]);
  }

  end(): { now: Hit[]; late: Promise<Hit[]> } {
    const plain = this.#plain.end();
    const folded = this.#folded?.end();
    const now = this.#first([...plain.now.map((each) => this.#plainHit(each)), ...(folded?.now ?? [])]);
    const late = Promise.all([plain.late, folded?.late ?? []]).then(([settled, hits]) =>
      this.#first([...settled.map((each) => this.#plainHit(each)), ...hits]),
    );
    return { now, late };
  }

  #feedFolded(text: string): Hit[] {
    if (this.#folded) return this.#folded.feed(text);
    const end = this.from + this.#plain.position;
    // A high surrogate that ended the last delta is looked at again, with what follows it.
    const unread = this.#scanned < end - text.length ? this.seen.slice(this.#scanned, end).text : text;
    const at = firstFold(unread);
    if (at < 0) {
      this.#scanned = isHigh(unread.charCodeAt(unread.length - 1)) ? end - 1 : end;
      return [];
    }
    const begin = end - unread.length + at;
    const before = this.seen.slice(Math.max(this.from, begin - CONTEXT), begin);
    const inFront = inFrontOf(before.at, this.seen);
    this.#folded = new FoldedCursor(this.open, before.at, inFront, (hit) => this.#late(hit));
    // The plain cursor has read this: what it reported is not reported again, and it has nothing else to say.
    this.#folded.feed(before.text);
    for (const ruleId of this.#reported) this.#folded.disarm(ruleId);
    return this.#folded.feed(this.seen.slice(begin, end).text);
  }

  /** The first hit of each rule; it is not reported again. */
  #first(hits: Hit[]): Hit[] {
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

  #plainHit({ ruleId, trigger, position, settledBy, start }: Settled): Hit {
    const end = this.from + position;
    const before = this.seen.slice(end - LOOK_BACK, end);
    return {
      ruleId,
      trigger,
      end,
      certain: this.from === 0,
      start: (pattern, lastLine = false) => {
        if (start !== undefined) return this.from + start;
        const found = startIn(before, { from: this.from, pattern, settledBy, isLane: true, lastLine });
        return found === "none" && !disproved(this.from, end) ? "unknown" : found;
      },
    };
  }
}

class FoldedCursor {
  readonly #cursor: StreamCursor;
  readonly #fold: Fold;
  readonly #copy = new Tail();
  #length: number;

  constructor(
    open: Open,
    private readonly from: number,
    inFront: string,
    onLate: (hit: Hit) => void,
  ) {
    this.#fold = new Fold(from);
    this.#length = from;
    this.#cursor = open((settled) => onLate(this.#hit(settled)), inFront);
  }

  feed(text: string): Hit[] {
    this.#length += text.length;
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
    return this.#cursor.feed(copy).map((each) => this.#hit(each));
  }

  #hit({ ruleId, trigger, position, settledBy, start }: Settled): Hit {
    const end = settledBy === "end" ? this.#length : this.#fold.laneEnd(position);
    const before = this.#copy.slice(position - LOOK_BACK, position);
    return {
      ruleId,
      trigger,
      end,
      certain: this.from === 0,
      start: (pattern, lastLine = false) => {
        if (start !== undefined) return this.#laneStart(start, end);
        const found = startIn(before, { from: 0, pattern, settledBy, isLane: this.from === 0, lastLine });
        if (typeof found === "number") return this.#laneStart(found, end);
        return found === "none" && !disproved(this.from, end) ? "unknown" : found;
      },
    };
  }

  /** What is dropped between the end of an empty match and the next unit of the copy is no part of it. */
  #laneStart(unit: number, end: number): number {
    return Math.min(this.#fold.laneStart(unit), end);
  }
}

function inFrontOf(from: number, seen: Tail): string {
  return from === 0 ? "" : seen.slice(from - IN_FRONT, from).text;
}

/**
 * @param before the text up to the end of the match, as far as it is looked at
 * @param isLane whether the beginning of the text that it is taken from is that of the lane
 */
function startIn(
  before: { text: string; at: number },
  match: { from: number; pattern: string; settledBy: Settled["settledBy"]; isLane: boolean; lastLine: boolean },
): number | "none" | "unknown" {
  const { text, at } = before;
  const { from, pattern, settledBy, isLane, lastLine } = match;
  const found = matchStart(pattern, { text, whole: at === 0 && isLane, from: from - at, lastLine }, settledBy);
  return typeof found === "number" ? at + found : found;
}

/** Whether a match of a cursor that begins at `from`, not at the beginning of the lane, would have been found in what was looked at. */
function disproved(from: number, end: number): boolean {
  return from > 0 && end - from < LOOK_BACK;
}
