import type { VetoReach } from "../vetoes.js";
import type { Hit, LaneCursor } from "./lane-cursor.js";
import type { Tail } from "./tail.js";

/** What is needed to judge the matches of one rule on one lane. */
export interface UnlessPorts {
  /** The lane's text, as its rules see it. */
  seen: Tail;
  /** The same as it is: an exception may stand in a comment where its rule looks at code. */
  raw: Tail;
  reach: VetoReach;
  /** Whether the rule is looked for again behind a match that stands. */
  every: boolean;
  /** Where a match of this hit begins; of several, one on the last line. */
  startOf(hit: Hit): ReturnType<Hit["start"]>;
  vetoed(text: string): boolean;
  /** Steps that the matcher has taken so far. */
  steps(): number;
  /** A cursor for this rule alone on what follows from this offset on. */
  open(from: number, onLate: (hit: Hit) => void): LaneCursor;
  /** Told what is let through neither by `begin` nor by `feed` nor by `close`. */
  onLate(hits: Hit[]): void;
}

/** UTF-16 units in front of the end of a match, and behind it, in which vetoes are looked for at most. */
const LOOKED_AT = 8_192;

/**
 * What lies behind an excused match is read again. That costs next to nothing where the tables know it. Where it does not, so many steps are taken at
 * once and the rest waits for the next deltas; units that are read between two looks at how many there were.
 */
const MOST_STEPS = 4_096;
const PIECE = 32;

type State =
  | { kind: "watching"; cursor: LaneCursor }
  | { kind: "held"; hit: Hit; start: number; before: string; after: string }
  /** Until the end of the line. */
  | { kind: "quiet" }
  | { kind: "done" };

/**
 * The matches of one rule with exceptions on one lane (TTSR-3.5). A match is held until the lines that may veto it are there. A vetoed one
 * does not use the rule up: it is looked for again from the line on that follows the one on which the match begins. What begins on that
 * line and ends further on need not be looked for: whatever vetoes the one stands in front of the other's end as well. Of matches that end
 * together the one that begins on the last line is judged, since it has the fewest lines that could veto it. So the rule fires where some
 * match is not vetoed. Everything is decided at offsets of the text, so the cuts do not matter.
 */
export class Unless {
  #state: State = { kind: "quiet" };
  /** The end of the lane, where it waits to be read again. */
  #unread = "";

  constructor(private readonly ports: UnlessPorts) {}

  /** The first match of the rule was found. @returns what is let through of it and of what stands behind it already */
  begin(hit: Hit): Hit[] {
    return this.#resume(hit);
  }

  /** @param text the newest of the lane */
  feed(text: string): Hit[] {
    return this.#run(text, this.ports.seen.end - text.length);
  }

  /** The lane is complete. */
  close(): { now: Hit[]; late: Promise<Hit[]> } {
    const late: Promise<Hit[]>[] = [];
    const now = this.#run("", this.ports.seen.end, late);
    return { now, late: Promise.all(late).then((all) => all.flat()) };
  }

  #resume(hit: Hit, late?: Promise<Hit[]>[]): Hit[] {
    this.#state = this.#hold(hit);
    this.#unread = "";
    const { text, at } = this.ports.seen.slice(hit.end, this.ports.seen.end);
    return this.#run(text, at, late);
  }

  /**
   * @param at the offset of `text`
   * @param late where the lane is complete: takes what will be known of its end
   */
  #run(text: string, at: number, late?: Promise<Hit[]>[]): Hit[] {
    let rest = this.#unread + text;
    let from = at - this.#unread.length;
    this.#unread = "";
    const until = late ? Number.POSITIVE_INFINITY : this.ports.steps() + MOST_STEPS;
    const found: Hit[] = [];
    for (;;) {
      const state = this.#state;
      switch (state.kind) {
        case "done":
          return found;
        case "quiet": {
          const begun = this.#endsLine(from);
          const line = begun ? 0 : rest.indexOf("\n") + 1;
          if ((line === 0 && !begun) || (late && from >= this.ports.seen.end)) return found;
          from += line;
          rest = rest.slice(line);
          this.#state = { kind: "watching", cursor: this.#open(from) };
          break;
        }
        case "watching": {
          const { hit, read } = this.#read(state.cursor, rest, until);
          if (!hit && read < rest.length) {
            this.#unread = rest.slice(read);
            return found;
          }
          const last = hit ?? (late && this.#end(state.cursor, late));
          if (!last) return found;
          rest = rest.slice(last.end - from);
          from = last.end;
          this.#state = this.#hold(last);
          break;
        }
        case "held": {
          state.after += rest;
          const region = this.#region(state, late !== undefined);
          if (region === undefined) return found;
          const { hit, start, after } = state;
          const vetoed = this.ports.vetoed(region);
          if (!vetoed) {
            found.push({ ...hit, start: () => start });
            if (!this.ports.every) {
              this.#state = { kind: "done" };
              return found;
            }
          }
          this.#state = { kind: "quiet" };
          from = vetoed ? this.#behindLineOf(start, hit) : hit.end;
          rest = this.ports.seen.slice(from, hit.end).text + after;
        }
      }
    }
  }

  /** @returns the first hit, and how much was read up to it, or until too many steps were taken */
  #read(cursor: LaneCursor, text: string, until: number): { hit?: Hit; read: number } {
    let read = 0;
    while (read < text.length) {
      const piece = text.slice(read, read + PIECE);
      read += piece.length;
      const [hit] = cursor.feed(piece);
      if (hit) return { hit, read };
      if (this.ports.steps() > until) break;
    }
    return { read };
  }

  /** @returns where the line ends that the match begins on; its own end, where it ends on that line */
  #behindLineOf(start: number, hit: Hit): number {
    const line = this.ports.seen.slice(start, hit.end).text.indexOf("\n");
    return line < 0 ? hit.end : start + line + 1;
  }

  #open(from: number): LaneCursor {
    const cursor: LaneCursor = this.ports.open(from, (hit) => {
      const state = this.#state;
      if (state.kind !== "watching" || state.cursor !== cursor) return;
      const hits = this.#resume(hit);
      if (hits.length > 0) this.ports.onLate(hits);
    });
    return cursor;
  }

  #end(cursor: LaneCursor, late: Promise<Hit[]>[]): Hit | undefined {
    const { now, late: later } = cursor.end();
    const [hit] = now;
    if (hit) return hit;
    late.push(
      later.then(async ([slow]) => {
        if (!slow || this.#state.kind !== "watching") return [];
        const more: Promise<Hit[]>[] = [];
        const hits = this.#resume(slow, more);
        return [...hits, ...(await Promise.all(more)).flat()];
      }),
    );
    return undefined;
  }

  #hold(hit: Hit): State {
    const { raw, reach } = this.ports;
    const start = this.ports.startOf(hit);
    if (start === "none") return { kind: "quiet" };
    const { text, at } = raw.slice(hit.end - LOOKED_AT, hit.end);
    let line = lineStart(text, (typeof start === "number" ? Math.min(start, hit.end - 1) : hit.end - 1) - at);
    for (let count = 0; count < reach.within && line > 0; count++) line = lineStart(text, line - 1);
    const begins = typeof start === "number" ? start : hit.end;
    return { kind: "held", hit, start: begins, before: text.slice(line), after: "" };
  }

  /** @returns the text in which a veto counts; undefined while it is not all there */
  #region({ hit, before, after }: Extract<State, { kind: "held" }>, whole: boolean): string | undefined {
    const lines = this.ports.reach.after;
    if (lines === 0) return before;
    const shown = after.slice(0, LOOKED_AT);
    const until = (end: number): string => before + this.ports.raw.slice(hit.end, hit.end + end).text;
    let end = -1;
    for (let count = this.#endsLine(hit.end) ? lines : lines + 1; count > 0; count--) {
      end = shown.indexOf("\n", end + 1);
      if (end < 0) return whole || after.length >= LOOKED_AT ? until(shown.length) : undefined;
    }
    return until(end);
  }

  /** Whether the unit in front of this offset ends a line. */
  #endsLine(offset: number): boolean {
    return this.ports.seen.slice(offset - 1, offset).text === "\n";
  }
}

/** @returns where the line begins that holds the unit at this index; a line end belongs to the line that it ends */
function lineStart(text: string, index: number): number {
  return index <= 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}
