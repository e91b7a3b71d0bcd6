/**
 * Where a match begins. The automaton only says where it settled; the start is looked for once, after a rule has fired, on the last bit of
 * the text. Every (step, offset) pair is tried at most once, since without captures a pair that failed once fails always: the cost is
 * bounded by the size of the pattern times the length of the text, and by a budget, whatever the pattern.
 */
import { parseTrigger } from "./source.js";
import { type Assertion, type StartProgram, startProgram } from "./start-program.js";

/** Steps of one search: some 20 ms. Ordinary patterns need less than a hundredth. */
const MOST_STEPS = 500_000;
/** What it takes to begin with a look-around, and to remember what came of it. */
const STEPS_OF_LOOK = 10;

/**
 * How the end of the text is read: `must`: what needs more text does not hold; `may`: it does; `end`: there is no more text. A match has
 * settled if it holds in `must`; an exception (`(?!…)`) is out of the question only if it does not hold in `may`.
 */
type Reading = "must" | "may" | "end";

/** The text up to where a match settled, or the end of it. */
export interface MatchTail {
  text: string;
  /** It is the whole text, so its beginning is the beginning. */
  whole: boolean;
  /** The least offset at which a match may begin; default: any. */
  from?: number;
  /** Matches that begin on several lines may end here: only those of the last of these lines count. Default: all of them. */
  lastLine?: boolean;
}

/**
 * @param tail ends where the match settled
 * @param settledBy as in `Settled`
 * @returns the offset in the tail at which the leftmost match begins that counts; `none`: no match lies in the tail; `unknown`: the pattern is too
 * large or has back-references, or the budget was spent
 * @throws TriggerError where `compileTriggers` refuses the pattern
 */
export function matchStart(pattern: string, tail: MatchTail, settledBy: "unit" | "end"): number | "none" | "unknown" {
  const program = startProgram(parseTrigger(pattern));
  if (!program) return "unknown";
  const search = new Search(program, tail);
  try {
    return search.find(settledBy === "end" ? "end" : "must");
  } catch (error) {
    if (error instanceof BudgetSpent) return "unknown";
    throw error;
  }
}

class BudgetSpent extends Error {}

class Search {
  readonly #stride: number;
  readonly #tried = new Map<Reading, Uint8Array>();
  /** By reading, then by body and offset. */
  readonly #looked = {
    must: new Map<number, boolean>(),
    may: new Map<number, boolean>(),
    end: new Map<number, boolean>(),
  };
  #left = MOST_STEPS;

  constructor(
    private readonly program: StartProgram,
    private readonly tail: MatchTail,
  ) {
    this.#stride = tail.text.length + 1;
  }

  find(reading: Reading): number | "none" {
    const { text, whole, from = 0, lastLine = false } = this.tail;
    // What stands before a part of a text is not known, so the first unit only serves as the left neighbour of the second.
    const least = Math.max(from, whole ? 0 : 1);
    if (!lastLine) return this.#leftmost(least, text.length, reading);
    for (let last = text.length; last >= least; last--) {
      if (!this.#holds(this.program.entry, last, reading)) continue;
      const line = last === 0 ? 0 : text.lastIndexOf("\n", last - 1) + 1;
      return this.#leftmost(Math.max(least, line), last, reading);
    }
    return "none";
  }

  #leftmost(from: number, to: number, reading: Reading): number | "none" {
    for (let start = from; start <= to; start++) {
      if (this.#holds(this.program.entry, start, reading)) return start;
    }
    return "none";
  }

  #holds(entry: number, start: number, reading: Reading): boolean {
    const { steps } = this.program;
    const { text } = this.tail;
    const tried = this.#triedIn(reading);
    const trail: number[] = [];
    const stack = [entry, start];
    while (stack.length > 0) {
      const at = stack.pop() ?? 0;
      const index = stack.pop() ?? 0;
      const key = index * this.#stride + at;
      const bit = 1 << (key & 7);
      const marks = tried[key >> 3] ?? 0;
      if ((marks & bit) !== 0) continue;
      if (--this.#left < 0) throw new BudgetSpent();
      tried[key >> 3] = marks | bit;
      trail.push(key);
      const step = steps[index];
      switch (step?.kind) {
        case "unit": {
          const from = step.back ? at - 1 : at;
          if (from < 0) break;
          if (from < text.length) {
            if (step.takes(text.charCodeAt(from))) stack.push(step.next, step.back ? from : at + 1);
          } else if (reading === "may") return this.#won(tried, trail);
          break;
        }
        case "either":
          stack.push(step.second, at, step.first, at);
          break;
        case "assert":
          if (this.#asserts(step.what, at, reading)) stack.push(step.next, at);
          break;
        case "look":
          if (this.#look(step.body, step.negate, at, reading)) stack.push(step.next, at);
          break;
        case "match":
          return this.#won(tried, trail);
      }
    }
    return false;
  }

  /** Only pairs that failed to the end may be left out next time. */
  #won(tried: Uint8Array, trail: readonly number[]): true {
    for (const key of trail) tried[key >> 3] = (tried[key >> 3] ?? 0) & ~(1 << (key & 7));
    return true;
  }

  #look(body: number, negate: boolean, at: number, reading: Reading): boolean {
    const inner = negate ? OPPOSITE[reading] : reading;
    const looked = this.#looked[inner];
    const key = body * this.#stride + at;
    let holds = looked.get(key);
    if (holds === undefined) {
      this.#left -= STEPS_OF_LOOK;
      holds = this.#holds(body, at, inner);
      looked.set(key, holds);
    }
    return holds !== negate;
  }

  #asserts(what: Assertion, at: number, reading: Reading): boolean {
    const { text, whole } = this.tail;
    switch (what) {
      case "start":
        return at === 0 && whole;
      case "line-start":
        return at === 0 ? whole : isLineEnd(text.charCodeAt(at - 1));
      default:
        if (at === text.length && reading !== "end") return reading === "may";
        break;
    }
    const after = text.charCodeAt(at);
    if (what === "end") return at === text.length;
    if (what === "line-end") return at === text.length || isLineEnd(after);
    const edge = isWord(after) !== isWord(text.charCodeAt(at - 1));
    return edge === (what === "word");
  }

  #triedIn(reading: Reading): Uint8Array {
    let tried = this.#tried.get(reading);
    if (!tried) {
      tried = new Uint8Array(((this.program.steps.length * this.#stride) >> 3) + 1);
      this.#tried.set(reading, tried);
    }
    return tried;
  }
}

const OPPOSITE: Readonly<Record<Reading, Reading>> = { must: "may", may: "must", end: "end" };

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029;
}

/** A unit that is not there is none. */
function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122);
}
