/**
 * The non-deterministic automaton of all triggers (Thompson's construction). A *position* is a place in a pattern where a thread of the search
 * can stand; counts are written out, so `a{3}` has three. A *part* is what is searched and latched on its own: nearly always a whole trigger,
 * else one side of a conjunction. A body of a look-around is a small automaton of its own beside the parts.
 */
import type { CharSet } from "../pattern/char-set.js";
import type { Node } from "../pattern/ir.js";
import { EDGES } from "./edges.js";

/** Takes a unit of the set `argument`, then stands on `next`. */
export const UNIT = 0;
/** Stands on `argument` and on `next`. */
export const SPLIT = 1;
/** Goes to `next` where the edge `EDGES[argument]` holds. */
export const EDGE = 2;
/** Goes to `next`, and owes the look-ahead `argument`. */
export const AHEAD = 3;
/** Goes to `next` where the look-behind `argument >> 1` holds, or, with the lowest bit, does not. */
export const BEHIND = 4;
/** The part `argument` has matched; -1: a body has. */
export const MATCH = 5;
/** Leads nowhere. */
export const FAIL = 6;

/** A pattern needs more positions than it may have. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** The body of a look-around. */
export interface Body {
  readonly entry: number;
  /** Positions where a thread stands that has taken no unit. */
  readonly starts: number;
  /** Look-behinds that it asks for; those of a look-behind have smaller numbers than itself. */
  readonly inner: ReadonlySet<number>;
}

export interface LookAhead extends Body {
  readonly negated: boolean;
}

export interface Part {
  readonly entry: number;
  /** Look-behinds that must be followed for it, those inside others included. */
  readonly behinds: ReadonlySet<number>;
  readonly positions: number;
  /** Positions where a thread stands at every place of the text: at the beginning of the part, and of the look-behinds that are followed for it. */
  readonly starts: number;
  /** Whether a look-around is met before the first unit. */
  readonly looksFirst: boolean;
}

export class Program {
  readonly operations: number[] = [];
  readonly arguments: number[] = [];
  readonly next: number[] = [];
  /** The part a position belongs to; -1 in bodies of look-arounds. */
  readonly partOf: number[] = [];
  readonly sets: CharSet[] = [];
  readonly aheads: LookAhead[] = [];
  readonly behinds: Body[] = [];
  readonly parts: Part[] = [];
  readonly #setNumbers = new Map<string, number>();
  readonly #knownSets = new WeakMap<CharSet, number>();
  readonly #aheadNumbers = new Map<string, number>();
  readonly #behindNumbers = new Map<string, number>();
  /** Nodes that are the same have one number. */
  readonly #nodeNumbers = new Map<string, number>();
  readonly #knownNodes = new WeakMap<Node, number>();
  #limit = 0;
  #part = -1;
  #used = new Set<number>();

  /** @returns a program of these parts; undefined where they need more positions than `limit` together */
  static of(nodes: readonly Node[], limit: number): Program | undefined {
    const program = new Program();
    try {
      for (const node of nodes) program.add(node, limit - program.size);
      return program;
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  get size(): number {
    return this.operations.length;
  }

  /**
   * Adds one part.
   * @param limit positions that it may have
   * @returns its number
   * @throws TooLarge the program is then as it was before
   */
  add(node: Node, limit: number): number {
    const start = this.size;
    const before = { aheads: this.aheads.length, behinds: this.behinds.length };
    const number = this.parts.length;
    this.#limit = start + limit;
    this.#part = number;
    this.#used = new Set();
    try {
      const entry = this.#write(node, this.#emit(MATCH, number, 0));
      const positions = this.size - start;
      const begins = this.#begins(entry);
      const starts = [...this.#used].reduce((sum, each) => sum + (this.behinds[each]?.starts ?? 0), begins.size);
      const looksFirst = [...begins].some((each) => LOOKS.has(this.operations[each] ?? FAIL));
      this.parts.push({ entry, behinds: this.#used, positions, starts, looksFirst });
      return number;
    } catch (error) {
      for (const list of [this.operations, this.arguments, this.next, this.partOf]) list.length = start;
      this.aheads.length = before.aheads;
      this.behinds.length = before.behinds;
      forget(this.#aheadNumbers, before.aheads);
      forget(this.#behindNumbers, before.behinds);
      throw error;
    }
  }

  #emit(operation: number, argument: number, next: number): number {
    if (this.size >= this.#limit) throw new TooLarge();
    this.operations.push(operation);
    this.arguments.push(argument);
    this.next.push(next);
    this.partOf.push(this.#part);
    return this.size - 1;
  }

  /** @param next where a match of the node goes on. @returns where it begins */
  #write(node: Node, next: number): number {
    switch (node.type) {
      case "empty":
        return next;
      case "unit":
        return node.set.length === 0 ? this.#emit(FAIL, 0, 0) : this.#emit(UNIT, this.#setNumber(node.set), next);
      case "sequence":
        return node.nodes.reduceRight((after, each) => this.#write(each, after), next);
      case "choice":
        return node.nodes
          .map((each) => this.#write(each, next))
          .reduceRight((others, first) => this.#emit(SPLIT, first, others));
      case "repeat":
        return this.#writeRepeat(node.node, node.min, node.max, next);
      case "edge":
        return this.#emit(EDGE, EDGES.indexOf(node.kind), next);
      case "ahead":
        return this.#emit(AHEAD, this.#ahead(node.node, node.negated), next);
      case "behind":
        return this.#emit(BEHIND, this.#behind(node.node) * 2 + (node.negated ? 1 : 0), next);
    }
  }

  #writeRepeat(node: Node, min: number, max: number, next: number): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      entry = this.#emit(SPLIT, 0, next);
      this.arguments[entry] = this.#write(node, entry);
    } else {
      for (let i = min; i < max; i++) entry = this.#emit(SPLIT, this.#write(node, entry), next);
    }
    for (let i = 0; i < min; i++) entry = this.#write(node, entry);
    return entry;
  }

  /** Equal look-aheads are one: a counted `(?!x).` has it in each copy, and a thread owes it once. */
  #ahead(node: Node, negated: boolean): number {
    const key = `${negated} ${this.#numberOf(node)}`;
    let number = this.#aheadNumbers.get(key);
    if (number === undefined) {
      number = this.aheads.push({ ...this.#body(node), negated }) - 1;
      this.#aheadNumbers.set(key, number);
    }
    for (const each of this.aheads[number]?.inner ?? []) this.#used.add(each);
    return number;
  }

  /** Equal look-behinds are followed once, whichever rules they stand in. */
  #behind(node: Node): number {
    const key = `${this.#numberOf(node)}`;
    let number = this.#behindNumbers.get(key);
    if (number === undefined) {
      number = this.behinds.push(this.#body(node)) - 1;
      this.#behindNumbers.set(key, number);
    }
    for (const each of [number, ...(this.behinds[number]?.inner ?? [])]) this.#used.add(each);
    return number;
  }

  #body(node: Node): Body {
    const { part, used } = { part: this.#part, used: this.#used };
    const inner = new Set<number>();
    this.#part = -1;
    this.#used = inner;
    const entry = this.#write(node, this.#emit(MATCH, -1, 0));
    this.#part = part;
    this.#used = used;
    return { entry, inner, starts: this.#begins(entry).size };
  }

  /** Positions that are reached from the entry without taking a unit. */
  #begins(entry: number): ReadonlySet<number> {
    const begins = new Set([entry]);
    for (const position of begins) {
      const operation = this.operations[position];
      if (operation === SPLIT) begins.add(this.arguments[position] ?? 0);
      if (operation !== UNIT && operation !== MATCH && operation !== FAIL) begins.add(this.next[position] ?? 0);
    }
    return begins;
  }

  /** Made of the numbers of what is in it, so that bodies in bodies are not written out again and again. */
  #numberOf(node: Node): number {
    let number = this.#knownNodes.get(node);
    if (number === undefined) {
      const key = this.#keyOf(node);
      number = this.#nodeNumbers.get(key) ?? this.#nodeNumbers.size;
      this.#nodeNumbers.set(key, number);
      this.#knownNodes.set(node, number);
    }
    return number;
  }

  #keyOf(node: Node): string {
    switch (node.type) {
      case "empty":
        return node.type;
      case "unit":
        return `${node.type} ${this.#setNumber(node.set)}`;
      case "sequence":
      case "choice":
        return `${node.type} ${node.nodes.map((each) => this.#numberOf(each)).join()}`;
      case "repeat":
        return `${node.type} ${node.min} ${node.max} ${this.#numberOf(node.node)}`;
      case "edge":
        return node.kind;
      case "ahead":
      case "behind":
        return `${node.type} ${node.negated} ${this.#numberOf(node.node)}`;
    }
  }

  #setNumber(set: CharSet): number {
    let number = this.#knownSets.get(set);
    if (number === undefined) {
      const key = set.join();
      number = this.#setNumbers.get(key);
      if (number === undefined) {
        number = this.sets.push(set) - 1;
        this.#setNumbers.set(key, number);
      }
      this.#knownSets.set(set, number);
    }
    return number;
  }
}

const LOOKS = new Set([AHEAD, BEHIND]);

/** Takes out what was numbered since. */
function forget(numbers: Map<string, number>, from: number): void {
  for (const [key, number] of numbers) if (number >= from) numbers.delete(key);
}
