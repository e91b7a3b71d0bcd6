/**
 * Alphabet compression: units that no set of the program tells apart are one class, so that a row of the automaton has some dozens of cells
 * and not 65,536.
 */
import { type CharSet, includes, LINE_ENDS, rangesOf, WORD_UNITS } from "../pattern/char-set.js";
import { LINE_END, OTHER, type UnitKind, WORD } from "./edges.js";

/** Classes of units, as an automaton needs them. */
export interface UnitClasses {
  /** How many classes there are. */
  readonly size: number;
  kind(unitClass: number): UnitKind;
  /** Whether the class lies in the program's set of that number. */
  has(set: number, unitClass: number): boolean;
}

export class Alphabet implements UnitClasses {
  /** The class of each unit. */
  readonly classOf = new Uint16Array(0x10000);
  readonly size: number;
  readonly #kinds: readonly UnitKind[];
  /** By set, then by class: 1 where the class lies in the set. */
  readonly #members: readonly Uint8Array[];

  constructor(sets: readonly CharSet[]) {
    const told = [...sets, WORD_UNITS, LINE_ENDS];
    const representatives = this.#divide(told);
    this.size = representatives.length;
    this.#kinds = representatives.map(kindOf);
    this.#members = sets.map((set) => Uint8Array.from(representatives, (unit) => (includes(set, unit) ? 1 : 0)));
  }

  kind(unitClass: number): UnitKind {
    return this.#kinds[unitClass] ?? OTHER;
  }

  has(set: number, unitClass: number): boolean {
    return this.#members[set]?.[unitClass] === 1;
  }

  /** Fills `classOf`. @returns one unit of each class */
  #divide(sets: readonly CharSet[]): number[] {
    const borders = new Set([0]);
    for (const set of sets) {
      for (const [low, high] of rangesOf(set)) borders.add(low).add(high + 1);
    }
    borders.delete(0x10000);
    const stretches = [...borders].sort((a, b) => a - b);
    const indexOf = new Map(stretches.map((low, index) => [low, index]));
    const within: number[][] = stretches.map(() => []);
    for (const [number, set] of sets.entries()) {
      for (const [low, high] of rangesOf(set)) {
        for (let i = indexOf.get(low) ?? 0; (stretches[i] ?? 0x10000) <= high; i++) within[i]?.push(number);
      }
    }
    const classes = new Map<string, number>();
    const representatives: number[] = [];
    for (const [i, low] of stretches.entries()) {
      const signature = within[i]?.join() ?? "";
      let known = classes.get(signature);
      if (known === undefined) {
        known = representatives.length;
        classes.set(signature, known);
        representatives.push(low);
      }
      this.classOf.fill(known, low, stretches[i + 1] ?? 0x10000);
    }
    return representatives;
  }
}

export function kindOf(unit: number): UnitKind {
  if (includes(WORD_UNITS, unit)) return WORD;
  return includes(LINE_ENDS, unit) ? LINE_END : OTHER;
}
