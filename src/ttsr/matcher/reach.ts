/** How far a pattern can look: static bounds read off its syntax tree. */
import type { AST } from "@eslint-community/regexpp";

const LINE_ENDS = ["\n", "\r", "\u2028", "\u2029"];

/** Upper bounds; `Infinity` where there is none. */
export interface Reach {
  /** UTF-16 units from the start of a match to the last unit whose presence it depends on, plus one. */
  units: number;
  /** Line ends within that stretch. */
  lineEnds: number;
  /** Units other than white space within that stretch. */
  visible: number;
}

export const UNBOUNDED: Reach = {
  units: Number.POSITIVE_INFINITY,
  lineEnds: Number.POSITIVE_INFINITY,
  visible: Number.POSITIVE_INFINITY,
};

/** A repeat count beyond this is refused by some engines, or slow. */
const LARGEST_COUNT = 10_000;

/** @returns the bounds of everything the node may read from its start onwards, its look-aheads included */
export function reachOf(alternatives: readonly AST.Alternative[], flags: string): Reach {
  /** By what is written. */
  const lineEnds = new Map<string, number>();
  return {
    units: longest(alternatives, () => 1, negatedUnits) + 1,
    lineEnds: longest(alternatives, lineEndsOf, negatedLineEnds) + 1,
    visible: longest(alternatives, (set) => (takesVisible(set) ? 1 : 0), negatedUnits) + 1,
  };

  function negatedUnits(node: AST.LookaheadAssertion): number {
    const needed = neededBy(node, flags);
    return "units" in needed ? needed.units : Number.POSITIVE_INFINITY;
  }

  function lineEndsOf(node: CharNode): number {
    let count = lineEnds.get(node.raw);
    if (count === undefined) {
      count = takesLineEnd(node, flags) ? 1 : 0;
      lineEnds.set(node.raw, count);
    }
    return count;
  }

  /** Text of a counted length may be line ends alone. */
  function negatedLineEnds(node: AST.LookaheadAssertion): number {
    const needed = neededBy(node, flags);
    return "units" in needed ? needed.units : needed.lineEnds;
  }
}

/** @returns how much text must have arrived before a negated look-ahead is decided: so many units, or so many line ends */
export function neededBy(node: AST.LookaheadAssertion, flags: string): { units: number } | { lineEnds: number } {
  if (contains(node.alternatives, isLookOrReference)) return { lineEnds: Number.POSITIVE_INFINITY };
  const { units, lineEnds } = reachOf(node.alternatives, flags);
  if (units <= LARGEST_COUNT) return { units };
  return { lineEnds: lineEnds <= LARGEST_COUNT ? lineEnds : Number.POSITIVE_INFINITY };
}

function isLookOrReference(node: AST.Element): boolean {
  if (node.type === "Backreference") return true;
  return node.type === "Assertion" && (node.kind === "lookahead" || node.kind === "lookbehind");
}

type CharNode = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

function takesLineEnd(node: CharNode, flags: string): boolean {
  if (node.type === "Character") return LINE_ENDS.includes(String.fromCharCode(node.value));
  const one = new RegExp(`^(?:${node.raw})$`, flags.replace("m", ""));
  return LINE_ENDS.some((end) => one.test(end));
}

/** Whether it can take a unit that is not white space; yes where it is not plain that it cannot. White space folds to nothing else. */
function takesVisible(node: CharNode): boolean {
  if (node.type === "CharacterSet") return node.kind !== "space" || node.negate;
  if (node.type === "CharacterClass" && node.negate) return true;
  const parts = node.type === "CharacterClass" ? node.elements : [node];
  return !parts.every((part) => {
    if (part.type === "CharacterSet") return part.kind === "space" && !part.negate;
    return part.type === "Character" && /\s/.test(String.fromCharCode(part.value));
  });
}

function longest(
  alternatives: readonly AST.Alternative[],
  weigh: (node: CharNode) => number,
  negated: (node: AST.LookaheadAssertion) => number,
): number {
  const alternative = (a: AST.Alternative): number => a.elements.reduce((sum, element) => sum + weight(element), 0);
  /** Groups referred to: undefined while one is being looked at. */
  const groupWidths = new Map<AST.CapturingGroup, number | undefined>();
  const widest = (all: readonly AST.Alternative[]): number =>
    all.reduce((most, a) => Math.max(most, alternative(a)), 0);

  function weight(node: AST.Element): number {
    switch (node.type) {
      case "Quantifier": {
        const one = node.max === 0 ? 0 : weight(node.element);
        return one === 0 ? 0 : one * node.max;
      }
      case "Group":
      case "CapturingGroup":
        return widest(node.alternatives);
      case "Backreference":
        return referenced(node);
      case "Assertion":
        if (node.kind === "lookahead") return node.negate ? negated(node) : widest(node.alternatives);
        // A look-behind reads what is known, unless something in it looks ahead again.
        return node.kind === "lookbehind" && looksAhead(node.alternatives) ? Number.POSITIVE_INFINITY : 0;
      default:
        return weigh(node);
    }
  }

  /** As much as its group can take; groups that refer to each other have no bound. */
  function referenced({ resolved }: AST.Backreference): number {
    const groups = Array.isArray(resolved) ? resolved : [resolved];
    return Math.max(...groups.map(widthOf));
  }

  function widthOf(group: AST.CapturingGroup): number {
    if (groupWidths.has(group)) return groupWidths.get(group) ?? Number.POSITIVE_INFINITY;
    groupWidths.set(group, undefined);
    const width = widest(group.alternatives);
    groupWidths.set(group, width);
    return width;
  }

  return widest(alternatives);
}

/** @returns whether any element inside, at any depth, is the one looked for */
export function contains(alternatives: readonly AST.Alternative[], found: (node: AST.Element) => boolean): boolean {
  return alternatives.some((a) => a.elements.some((element) => within(element, found)));
}

function within(node: AST.Element, found: (node: AST.Element) => boolean): boolean {
  if (found(node)) return true;
  if (node.type === "Quantifier") return within(node.element, found);
  return "alternatives" in node ? contains(node.alternatives, found) : false;
}

export function looksAhead(alternatives: readonly AST.Alternative[]): boolean {
  return contains(alternatives, (node) => node.type === "Assertion" && node.kind === "lookahead");
}
