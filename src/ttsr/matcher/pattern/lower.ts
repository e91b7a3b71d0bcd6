/** From the syntax tree to the intermediate form. */
import type { AST } from "@eslint-community/regexpp";
import { contains, looksAhead } from "../reach.js";
import type { ParsedSource } from "../source.js";
import { foldCase } from "./case-folding.js";
import { ALL, type CharSet, complement, DIGITS, LINE_ENDS, SPACES, union, WORD_UNITS } from "./char-set.js";
import { choice, EMPTY, type Node, repeat, sequence } from "./ir.js";

/** Why a pattern cannot be run by the automaton; it goes to tier 2. `start` and `end` are offsets in the source without its flags. */
export class NotRegular extends Error {
  override readonly name = "NotRegular";
  constructor(
    readonly code: "backreference" | "lookahead-in-lookbehind",
    readonly start: number,
    readonly end: number,
  ) {
    super(code);
  }
}

/** What is put in the place of what is not regular, to know something of such a pattern too. */
interface StandIns {
  /** For a back-reference. */
  readonly reference: Node;
  /** For a whole look-around, the outermost, in which something is not regular: within it, more may be less. */
  readonly lookAround: Node;
}

/** Matches whatever the pattern matches, and more. */
export const LOOSE: StandIns = {
  reference: repeat({ type: "unit", set: ALL }, 0, Number.POSITIVE_INFINITY),
  lookAround: EMPTY,
};
/** Matches nothing that the pattern does not match. */
export const STRICT: StandIns = { reference: { type: "unit", set: [] }, lookAround: { type: "unit", set: [] } };
/** Where it matches taking nothing, the pattern does: what was captured on such a way is empty. */
export const TAKING_NOTHING: StandIns = { reference: EMPTY, lookAround: { type: "unit", set: [] } };

/**
 * @param standIns without them what is not regular is refused
 * @throws NotRegular
 */
export function lower({ tree, flags }: Pick<ParsedSource, "tree" | "flags">, standIns?: StandIns): Node {
  const multiline = flags.includes("m");
  /** By what is written. */
  const units = new Map<string, Node>();
  return alternatives(tree.alternatives, false);

  function alternatives(all: readonly AST.Alternative[], behind: boolean): Node {
    return choice(all.map(({ elements }) => sequence(elements.map((element) => lowered(element, behind)))));
  }

  function lowered(node: AST.Element, behind: boolean): Node {
    switch (node.type) {
      case "Group":
      case "CapturingGroup":
        return alternatives(node.alternatives, behind);
      case "Quantifier":
        return repeat(lowered(node.element, behind), node.min, node.max);
      case "Assertion":
        return assertion(node, behind);
      case "Backreference":
        if (standIns) return standIns.reference;
        throw new NotRegular("backreference", node.start, node.end);
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        if (node.type === "Character" && !flags.includes("i")) return unitNode(node.value);
        return classNode(node);
      default:
        // Syntax of the flag `v`, which rules do not have: the parser does not give it.
        return EMPTY;
    }
  }

  function classNode(node: UnitNode): Node {
    let made = units.get(node.raw);
    if (!made) {
      made = { type: "unit", set: setOf(node, flags) };
      units.set(node.raw, made);
    }
    return made;
  }

  function assertion(node: AST.Assertion, behind: boolean): Node {
    switch (node.kind) {
      case "start":
        return { type: "edge", kind: multiline ? "line-start" : "text-start" };
      case "end":
        return { type: "edge", kind: multiline ? "line-end" : "text-end" };
      case "word":
        return { type: "edge", kind: node.negate ? "no-boundary" : "boundary" };
      case "lookahead":
        if (standIns && isIrregular(node)) return standIns.lookAround;
        if (behind) throw new NotRegular("lookahead-in-lookbehind", node.start, node.end);
        return { type: "ahead", negated: node.negate, node: alternatives(node.alternatives, false) };
      case "lookbehind":
        if (standIns && isIrregular(node)) return standIns.lookAround;
        return { type: "behind", negated: node.negate, node: alternatives(node.alternatives, true) };
    }
  }
}

/** Whether a back-reference, or a look-ahead inside a look-behind, stands in the look-around or is it. */
function isIrregular(node: AST.LookaroundAssertion): boolean {
  return isItself(node) || contains(node.alternatives, isItself);

  function isItself(each: AST.Element): boolean {
    if (each.type === "Backreference") return true;
    return each.type === "Assertion" && each.kind === "lookbehind" && looksAhead(each.alternatives);
  }
}

export type UnitNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** @returns the units that the node takes */
export function setOf(node: UnitNode, flags: string): CharSet {
  const fold = flags.includes("i") ? foldCase : (set: CharSet) => set;
  switch (node.type) {
    case "Character":
      return fold([node.value, node.value]);
    case "CharacterSet":
      if (node.kind === "any") return flags.includes("s") ? ALL : complement(LINE_ENDS);
      return escapeSet(node);
    case "CharacterClass": {
      const set = union(node.elements.map((element) => member(element, fold)));
      return node.negate ? complement(set) : set;
    }
  }
}

function member(node: AST.CharacterClass["elements"][number], fold: (set: CharSet) => CharSet): CharSet {
  switch (node.type) {
    case "Character":
      return fold([node.value, node.value]);
    case "CharacterClassRange":
      return fold([node.min.value, node.max.value]);
    case "CharacterSet":
      return escapeSet(node);
    default:
      return [];
  }
}

/** The same with and without the flag `i`: what differs by case alone is in it, or out of it, together. */
function escapeSet(node: AST.CharacterSet): CharSet {
  const set = node.kind === "digit" ? DIGITS : node.kind === "word" ? WORD_UNITS : SPACES;
  return "negate" in node && node.negate ? complement(set) : set;
}

/** Nearly all of a large set of rules is plain letters, so they are kept once. */
const letters = new Map<number, Node>();

function unitNode(unit: number): Node {
  const known = letters.get(unit);
  if (known) return known;
  const made: Node = { type: "unit", set: [unit, unit] };
  if (unit < 128) letters.set(unit, made);
  return made;
}
