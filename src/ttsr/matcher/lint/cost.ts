/** Triggers that cost more than others, or are open for long. */
import type { AST } from "@eslint-community/regexpp";
import { type CharSet, includes, sizeOf, union } from "../pattern/char-set.js";
import { setOf } from "../pattern/lower.js";
import type { ParsedSource } from "../source.js";
import { type Finding, grouped } from "./finding.js";

/** A class with so many units is met nearly everywhere. */
const BROAD = 1000;
const NEARLY_ALL = 60_000;
const WIDE = 100;
const LINE_FEED = 10;

/** Where a node stands in the whole pattern. */
interface Surroundings {
  readonly ahead: boolean;
  /** Whether anything is in front of it, and behind it. */
  readonly first: boolean;
  readonly last: boolean;
  /** How often it is written out. */
  readonly times: number;
}

const WHOLE: Surroundings = { ahead: false, first: true, last: true, times: 1 };

/** One finding of each kind at most. */
export function lintCost({ tree, flags, offset }: ParsedSource): Finding[] {
  let gap: Finding | undefined;
  let wide: Finding | undefined;
  visit(tree.alternatives, WHOLE);
  return [gap, wide].filter((each) => each !== undefined);

  function visit(alternatives: readonly AST.Alternative[], around: Surroundings): void {
    for (const { elements } of alternatives) {
      for (const [i, element] of elements.entries()) {
        const { ahead, times } = around;
        const here = {
          ahead,
          times,
          first: around.first && i === 0,
          last: around.last && i === elements.length - 1,
        };
        if (element.type === "Quantifier") {
          judge(element, here);
          if ("alternatives" in element.element)
            visit(element.element.alternatives, { ...here, times: times * countOf(element) });
        } else if (element.type === "Assertion" && "alternatives" in element) {
          visit(element.alternatives, { ...WHOLE, times, ahead: ahead || element.kind === "lookahead" });
        } else if ("alternatives" in element) visit(element.alternatives, here);
      }
    }
  }

  function judge(node: AST.Quantifier, { ahead, first, last, times }: Surroundings): void {
    const set = setOfUnits(node.element, flags);
    if (!set) return;
    const size = sizeOf(set);
    const count = times * countOf(node);
    const span = { start: offset + node.start, end: offset + node.end };
    if (count > WIDE && size >= BROAD) {
      const cost = `about ${grouped(count)} × 0.1 µs for each character`;
      wide ??= {
        code: "wide-counted-gap",
        severity: "warning",
        message: ahead
          ? `A count this large inside a look-ahead can cost ${cost}, and more where the look-ahead begins often.`
          : `A count this large can cost ${cost}.`,
        span,
        suggestion: "Use a smaller count, or * on a class that stops somewhere, such as [^\\n]*.",
      };
    } else if (
      node.max === Number.POSITIVE_INFINITY &&
      !first &&
      !last &&
      size >= NEARLY_ALL &&
      includes(set, LINE_FEED)
    ) {
      gap ??= {
        code: "unbounded-gap",
        severity: "info",
        message:
          "What stands in front of this, seen anywhere, keeps the trigger waiting for the rest of the whole text.",
        span,
        suggestion: "Use [^\\n]* to stay on one line, or a bound such as {0,200}.",
      };
    }
  }
}

/** How often what is counted is written out. */
function countOf({ min, max }: AST.Quantifier): number {
  return Math.max(1, Number.isFinite(max) ? max : min);
}

/** @returns what it takes, where that is always one unit */
function setOfUnits(node: AST.Element, flags: string): CharSet | undefined {
  if (node.type === "Character" || node.type === "CharacterSet" || node.type === "CharacterClass")
    return setOf(node, flags);
  if (node.type !== "Group" && node.type !== "CapturingGroup") return undefined;
  const sets: CharSet[] = [];
  for (const { elements } of node.alternatives) {
    const [only, ...others] = elements;
    const set = only && others.length === 0 ? setOfUnits(only, flags) : undefined;
    if (!set) return undefined;
    sets.push(set);
  }
  return union(sets);
}
