/** A pattern as a program of small steps, for `match-start.ts`. Look-behinds are compiled to be read from right to left. */
import type { AST } from "@eslint-community/regexpp";
import { setOf } from "./pattern/lower.js";
import type { ParsedSource } from "./source.js";

export type Assertion = "start" | "line-start" | "end" | "line-end" | "word" | "not-word";

export type Step =
  | { kind: "unit"; takes(unit: number): boolean; back: boolean; next: number }
  | { kind: "either"; first: number; second: number }
  | { kind: "assert"; what: Assertion; next: number }
  | { kind: "look"; body: number; negate: boolean; next: number }
  | { kind: "match" };

export interface StartProgram {
  readonly steps: readonly Step[];
  readonly entry: number;
}

/** Steps after all counts are written out; a larger pattern has no program. */
const MOST_STEPS = 4_000;

/** @returns undefined where the pattern is too large, or compares text with text (a back-reference) */
export function startProgram({ tree, flags }: ParsedSource): StartProgram | undefined {
  const steps: Step[] = [];
  const tests = new Map<string, (unit: number) => boolean>();
  try {
    const end = add({ kind: "match" });
    const entry = either(tree.alternatives, end, false);
    return { steps, entry };
  } catch (error) {
    if (error instanceof NoProgram) return undefined;
    throw error;
  }

  function add(step: Step): number {
    if (steps.length >= MOST_STEPS) throw new NoProgram();
    return steps.push(step) - 1;
  }

  function either(alternatives: readonly AST.Alternative[], next: number, back: boolean): number {
    const entries = alternatives.map((each) => sequence(each.elements, next, back));
    return entries.reduceRight((second, first) => add({ kind: "either", first, second }));
  }

  function sequence(elements: readonly AST.Element[], next: number, back: boolean): number {
    const order = back ? elements : [...elements].reverse();
    return order.reduce((after, element) => write(element, after, back), next);
  }

  function write(node: AST.Element, next: number, back: boolean): number {
    switch (node.type) {
      case "Group":
      case "CapturingGroup":
        return either(node.alternatives, next, back);
      case "Quantifier":
        return repeat(node, next, back);
      case "Assertion":
        return assertion(node, next);
      case "Backreference":
        throw new NoProgram();
      case "CharacterClass":
        // A class of nothing takes no unit that may come either: it is `(?!)`.
        if (setOf(node, flags).length === 0)
          return add({ kind: "look", body: add({ kind: "match" }), negate: true, next });
        return add({ kind: "unit", takes: testOf(node), back, next });
      default:
        return add({ kind: "unit", takes: testOf(node), back, next });
    }
  }

  function repeat({ element, min, max }: AST.Quantifier, next: number, back: boolean): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop: Step = { kind: "either", first: next, second: next };
      entry = add(loop);
      loop.first = write(element, entry, back);
    } else {
      for (let count = min; count < max; count++) {
        entry = add({ kind: "either", first: write(element, entry, back), second: next });
      }
    }
    for (let count = 0; count < min; count++) {
      const before = steps.length;
      entry = write(element, entry, back);
      // What is empty may be counted up to any number.
      if (steps.length === before) break;
    }
    return entry;
  }

  function assertion(node: AST.Assertion, next: number): number {
    const lines = flags.includes("m");
    switch (node.kind) {
      case "start":
        return add({ kind: "assert", what: lines ? "line-start" : "start", next });
      case "end":
        return add({ kind: "assert", what: lines ? "line-end" : "end", next });
      case "word":
        return add({ kind: "assert", what: node.negate ? "not-word" : "word", next });
      default: {
        const body = either(node.alternatives, add({ kind: "match" }), node.kind === "lookbehind");
        return add({ kind: "look", body, negate: node.negate, next });
      }
    }
  }

  /** The engine itself says which units a class takes, so that case folding is exactly its own; asked once a unit. */
  function testOf(node: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass) {
    const one = node.type === "Character" ? `\\u${node.value.toString(16).padStart(4, "0")}` : node.raw;
    const known = tests.get(one);
    if (known) return known;
    const expression = new RegExp(`^(?:${one})$`, flags.replace("m", ""));
    const taken = new Map<number, boolean>();
    const test = (unit: number): boolean => {
      let takes = taken.get(unit);
      if (takes === undefined) {
        takes = expression.test(String.fromCharCode(unit));
        taken.set(unit, takes);
      }
      return takes;
    };
    tests.set(one, test);
    return test;
  }
}

class NoProgram extends Error {}
