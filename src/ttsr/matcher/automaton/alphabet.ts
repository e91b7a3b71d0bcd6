/**
 * Alphabet compression: units that no set of the program tells apart are one class, so that a row of the automaton has some dozens of cells
 * and not 65,536.
 */
import { type CharSet, complement, includes, LINE_ENDS, rangesOf, WORD_UNITS } from "../pattern/char-set.js";
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
  /** One unit of each class. */
  readonly #units: readonly number[];
  readonly #kinds: readonly UnitKind[];
  /** By set: the class that was last asked for, times two, and one more where the set holds it. */
  readonly #answers: Int32Array;

  constructor(private readonly sets: readonly CharSet[]) {
    this.#units = this.#divide([...sets, WORD_UNITS, LINE_ENDS]);
    this.size = this.#units.length;
    this.#kinds = this.#units.map(kindOf);
    this.#answers = new Int32Array(sets.length).fill(-1);
  }

  kind(unitClass: number): UnitKind {
    return this.#kinds[unitClass] ?? OTHER;
  }

  // Many threads ask the same of one unit. A table of all sets and classes would be as large as the square of them.
  has(set: number, unitClass: number): boolean {
    const asked = unitClass * 2;
    const last = this.#answers[set] ?? -1;
    if (last >> 1 === unitClass) return (last & 1) === 1;
    const holds = includes(this.sets[set] ?? [], this.#units[unitClass] ?? 0);
    this.#answers[set] = holds ? asked + 1 : asked;
    return holds;
  }

  /** Fills `classOf`. @returns one unit of each class */
  #divide(sets: readonly CharSet[]): number[] {
    const borders = new Set([0]);
    for (const set of sets) for (const [low, high] of rangesOf(set)) borders.add(low).add(high + 1);
    borders.delete(0x10000);
    const stretches = [...borders].sort((a, b) => a - b);
    const names = partition(stretches, sets);
    const classes = new Map<number, number>();
    const units: number[] = [];
    for (const [i, low] of stretches.entries()) {
      const name = names[i] ?? 0;
      const unitClass = classes.get(name) ?? units.push(low) - 1;
      classes.set(name, unitClass);
      this.classOf.fill(unitClass, low, stretches[i + 1] ?? 0x10000);
    }
    return units;
  }
}

/**
 * @param stretches where the stretches of units begin that no set divides
 * @returns for each of them a number, the same for those that lie in the same sets
 */
function partition(stretches: readonly number[], sets: readonly CharSet[]): readonly number[] {
  const indexOf = new Map(stretches.map((low, index) => [low, index]));
  const names = new Array<number>(stretches.length).fill(0);
  let next = 1;
  for (const set of sets) {
    const spans = [...rangesOf(set)].map(([low, high]) => span(low, high));
    const covered = spans.reduce((sum, [from, to]) => sum + to - from, 0);
    // What lies outside is divided from the inside as well: the smaller of both is gone through.
    const smaller =
      2 * covered <= stretches.length ? spans : [...rangesOf(complement(set))].map(([a, b]) => span(a, b));
    const renamed = new Map<number, number>();
    for (const [from, to] of smaller) {
      for (let i = from; i < to; i++) {
        const name = renamed.get(names[i] ?? 0) ?? next++;
        renamed.set(names[i] ?? 0, name);
        names[i] = name;
      }
    }
  }
  return names;

  function span(low: number, high: number): [from: number, to: number] {
    return [indexOf.get(low) ?? 0, indexOf.get(high + 1) ?? stretches.length];
  }
}

export function kindOf(unit: number): UnitKind {
  if (includes(WORD_UNITS, unit)) return WORD;
  return includes(LINE_ENDS, unit) ? LINE_END : OTHER;
}
