/**
 * When a pattern can match at all, read off its positions: the kinds of units that can stand on the left and on the right of each. Look-arounds are
 * taken to hold, except that a negated look-ahead that goes on for ever is decided only by the end of the text.
 */
import {
  type After,
  type Before,
  EDGES,
  edgeHolds,
  LINE_END,
  OTHER,
  TEXT_END,
  TEXT_START,
  WORD,
} from "../automaton/edges.js";
import { AHEAD, BEHIND, EDGE, MATCH, type Program, SPLIT, UNIT } from "../automaton/program.js";
import { ALL, type CharSet, complement, intersects, LINE_ENDS, union, WORD_UNITS } from "../pattern/char-set.js";

/** `end`: only where the text ends. */
export type Prospects = "none" | "end" | "any";

/** How many things may be on the left. */
const BEFORES = 4;
const AFTERS: readonly After[] = [OTHER, WORD, LINE_END, TEXT_END];
const OTHERS = complement(union([WORD_UNITS, LINE_ENDS]));
/** As bits, by number. */
const ANYTHING = 0b1111;
const ONLY_END = 1 << TEXT_END;

interface Reached {
  readonly position: number;
  readonly before: Before;
  readonly allowed: number;
  readonly late: boolean;
}

/** @param part its number in the program */
export function prospects(program: Program, part: number): Prospects {
  const entry = program.parts[part]?.entry ?? 0;
  const kinds = program.sets.map(kindsOf);
  /**
   * By position, what is on its left, and whether the end of the text has the last word: what may be on its right. Each kind leads on for itself,
   * so a place is gone through once for each.
   */
  const reached = new Uint8Array(program.size * BEFORES * 2);
  const stack: Reached[] = [];
  const visit = (position: number, before: Before, allowed: number, late: boolean): void => {
    const key = (position * BEFORES + before) * 2 + (late ? 1 : 0);
    const known = reached[key] ?? 0;
    const fresh = allowed & ~known;
    if (fresh === 0) return;
    reached[key] = known | fresh;
    stack.push({ position, before, allowed: fresh, late });
  };
  for (const before of [OTHER, WORD, LINE_END, TEXT_START] as const) visit(entry, before, ANYTHING, false);
  let found: Prospects = "none";
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { position, before, allowed, late } = place;
    const argument = program.arguments[position] ?? 0;
    const next = program.next[position] ?? 0;
    switch (program.operations[position]) {
      case UNIT:
        for (const kind of [OTHER, WORD, LINE_END] as const) {
          if ((allowed & (kinds[argument] ?? 0) & (1 << kind)) !== 0) visit(next, kind, ANYTHING, late);
        }
        break;
      case SPLIT:
        visit(argument, before, allowed, late);
        visit(next, before, allowed, late);
        break;
      case EDGE:
        visit(next, before, allowed & holding(argument, before), late);
        break;
      case AHEAD:
        // `(?!)` holds nowhere.
        if (program.aheads[argument]?.negated && isEmpty(program, argument)) break;
        visit(next, before, allowed, late || goesOnForEver(program, argument));
        break;
      case BEHIND:
        visit(next, before, allowed, late);
        break;
      case MATCH:
        if (!late && (allowed & ~ONLY_END) !== 0) return "any";
        found = "end";
        break;
    }
  }
  return found;
}

function kindsOf(set: CharSet): number {
  const bit = (kind: number, of: CharSet): number => (intersects(set, of) ? 1 << kind : 0);
  return bit(OTHER, OTHERS) | bit(WORD, WORD_UNITS) | bit(LINE_END, LINE_ENDS);
}

/** What may be on the right for the edge to hold. */
function holding(edge: number, before: Before): number {
  const kind = EDGES[edge] ?? "text-start";
  return AFTERS.reduce((bits: number, after) => bits | (edgeHolds(kind, before, after) << after), 0);
}

function isEmpty(program: Program, look: number): boolean {
  return program.operations[program.aheads[look]?.entry ?? -1] === MATCH;
}

/** A negated look-ahead that begins with something like `[\s\S]*`, or is like `[^)]*\)`: no text disproves it. */
function goesOnForEver(program: Program, look: number): boolean {
  const ahead = program.aheads[look];
  if (!ahead?.negated) return false;
  const loop = ahead.entry;
  const body = program.arguments[loop] ?? 0;
  if (program.operations[loop] !== SPLIT || program.operations[body] !== UNIT || program.next[body] !== loop)
    return false;
  const taken = [program.sets[program.arguments[body] ?? 0] ?? []];
  const exit = program.next[loop] ?? 0;
  if (program.operations[exit] === UNIT && program.operations[program.next[exit] ?? 0] === MATCH)
    taken.push(program.sets[program.arguments[exit] ?? 0] ?? []);
  return union(taken).join() === ALL.join();
}
