/**
 * Rewrites a pattern so that its truth on a prefix is final: once it holds on what has arrived, it holds whatever follows. The end of what
 * has arrived is never taken for the end of the text:
 * - `$` never holds before the end (with `m`: only in front of a line end that has arrived);
 * - `\b` and `\B` need the next unit;
 * - `(?!X)` needs as much text as X could take, plus one; where X has no bound, that is decided at the end of the text alone.
 *
 * The verdict at the end of the text is the original pattern's.
 */
import type { AST } from "@eslint-community/regexpp";
import { contains, neededBy } from "./reach.js";
import type { ParsedSource } from "./source.js";

const LINE_END = "[\\n\\r\\u2028\\u2029]";
const NOT_LINE_END = "[^\\n\\r\\u2028\\u2029]";
/** What never settles: the end of the text alone decides. */
export const NEVER = "(?!)";
const NEXT_IS_KNOWN = "(?=[^])";

/** @returns the source of the rewritten pattern, for the same flags and with the same groups */
export function settle({ tree, flags }: ParsedSource): string {
  // A look-around does not take back its first choice, so what it captured may yet become something else.
  if (capturesLeak(tree)) return NEVER;
  return join(tree.alternatives);

  function join(alternatives: readonly AST.Alternative[]): string {
    return alternatives.map((a) => a.elements.map(write).join("")).join("|");
  }

  function write(node: AST.Element): string {
    switch (node.type) {
      case "Group":
        return `(?:${join(node.alternatives)})`;
      case "CapturingGroup":
        return `(${node.name === null ? "" : `?<${node.name}>`}${join(node.alternatives)})`;
      case "Quantifier": {
        const inner = write(node.element);
        const repeated = node.element.type === "Assertion" ? `(?:${inner})` : inner;
        return repeated + node.raw.slice(node.element.end - node.start);
      }
      case "Assertion":
        return assertion(node);
      default:
        return node.raw;
    }
  }

  function assertion(node: AST.Assertion): string {
    switch (node.kind) {
      case "start":
        return node.raw;
      case "end":
        return flags.includes("m") ? `(?=${LINE_END})` : NEVER;
      case "word":
        return NEXT_IS_KNOWN + node.raw;
      case "lookahead":
        return node.negate ? guard(node) + node.raw : `(?=${join(node.alternatives)})`;
      case "lookbehind":
        return node.negate ? guardBehind(node) + node.raw : `(?<=${join(node.alternatives)})`;
    }
  }

  /** Holds when all text that the negated look-ahead could depend on has arrived. The raw node stays behind it, so groups keep their numbers. */
  function guard(node: AST.LookaheadAssertion): string {
    const needed = neededBy(node, flags);
    if ("units" in needed) return `(?=[^]{${needed.units}})`;
    return Number.isFinite(needed.lineEnds) ? `(?=(?:${NOT_LINE_END}*${LINE_END}){${needed.lineEnds}})` : NEVER;
  }

  function guardBehind(node: AST.LookbehindAssertion): string {
    if (contains(node.alternatives, (inner) => inner.type === "Assertion" && inner.kind === "lookahead")) return NEVER;
    return contains(node.alternatives, (inner) => inner.type === "Assertion") ? NEXT_IS_KNOWN : "";
  }
}

/** Whether a back-reference reads a group inside a look-around that may see more text yet from outside of it. */
export function capturesLeak({ alternatives }: AST.Pattern): boolean {
  const open = new Map<AST.Assertion, boolean>();
  return contains(alternatives, (node) => {
    if (node.type !== "Backreference") return false;
    const groups = Array.isArray(node.resolved) ? node.resolved : [node.resolved];
    const around = new Set(looksAround(node));
    return groups.some((group) => looksAround(group).some((look) => !around.has(look) && mayChange(look)));
  });

  function mayChange(look: AST.Assertion): boolean {
    const known = open.get(look) ?? isOpen(look);
    open.set(look, known);
    return known;
  }
}

function looksAround(node: AST.Node): AST.Assertion[] {
  const found: AST.Assertion[] = [];
  for (let at: AST.Node | null = node.parent; at; at = at.parent) {
    if (at.type === "Assertion") found.push(at);
  }
  return found;
}

/** Whether what follows has a say in it; a look-behind alone reads what is known. */
function isOpen(look: AST.Assertion): boolean {
  if (look.kind !== "lookbehind") return true;
  return contains(look.alternatives, (inner) => {
    return inner.type === "Assertion" && inner.kind !== "start" && inner.kind !== "lookbehind";
  });
}
