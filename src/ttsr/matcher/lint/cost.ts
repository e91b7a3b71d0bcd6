/** Triggers that cost more than others, or are open for long. */
import type { AST } from "@eslint-community/regexpp";
import { includes, sizeOf } from "../pattern/char-set.js";
import { setOf, type UnitNode } from "../pattern/lower.js";
import type { ParsedSource } from "../source.js";
import { type Finding, grouped } from "./finding.js";

/** A class with so many units is met nearly everywhere. */
const BROAD = 1000;
const NEARLY_ALL = 60_000;
const WIDE = 100;
const LINE_FEED = 10;

/** One finding of each kind at most. */
export function lintCost({ tree, flags, offset }: ParsedSource): Finding[] {
  let gap: Finding | undefined;
  let wide: Finding | undefined;
  visit(tree.alternatives, false);
  return [gap, wide].filter((each) => each !== undefined);

  function visit(alternatives: readonly AST.Alternative[], ahead: boolean): void {
    for (const { elements } of alternatives) {
      for (const [i, element] of elements.entries()) {
        if (element.type === "Quantifier") {
          judge(element, ahead, i > 0 && i < elements.length - 1);
          if ("alternatives" in element.element) visit(element.element.alternatives, ahead);
        } else if ("alternatives" in element) {
          visit(element.alternatives, ahead || (element.type === "Assertion" && element.kind === "lookahead"));
        }
      }
    }
  }

  function judge(node: AST.Quantifier, ahead: boolean, between: boolean): void {
    if (!isUnit(node.element)) return;
    const set = setOf(node.element, flags);
    const size = sizeOf(set);
    const span = { start: offset + node.start, end: offset + node.end };
    if (node.max === Number.POSITIVE_INFINITY) {
      if (!between || size < NEARLY_ALL || !includes(set, LINE_FEED)) return;
      gap ??= {
        code: "unbounded-gap",
        severity: "info",
        message:
          "What stands in front of this, seen anywhere, keeps the trigger waiting for the rest of the whole text.",
        span,
        suggestion: "Use .* to stay on one line, or a bound such as {0,200}.",
      };
    } else if (node.max > WIDE && size >= BROAD) {
      const cost = `about ${grouped(node.max)} × 0.1 µs for each character`;
      wide ??= {
        code: "wide-counted-gap",
        severity: "warning",
        message: ahead
          ? `A count this large inside a look-ahead can cost ${cost}, and more where the look-ahead begins often.`
          : `A count this large can cost ${cost}.`,
        span,
        suggestion: "Use a smaller count, or * on a class that stops somewhere, such as [^\\n]*.",
      };
    }
  }
}

function isUnit(node: AST.Element): node is UnitNode {
  return node.type === "Character" || node.type === "CharacterSet" || node.type === "CharacterClass";
}
