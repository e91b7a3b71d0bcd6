/**
 * Triggers that ask for several things anywhere in the text, `(?=[\s\S]*A)(?=[\s\S]*B)`: each part can be searched and remembered on its
 * own. As one expression it would try every part from every start, over the whole text.
 */
import type { AST } from "@eslint-community/regexpp";
import { contains } from "./reach.js";
import type { ParsedSource } from "./source.js";

/** @returns the sources of the parts (`A`, `B`), all of which must match somewhere; undefined where the pattern is not of this kind */
export function conjuncts({ tree, flags, source }: ParsedSource): string[] | undefined {
  const [only, ...others] = tree.alternatives;
  if (!only || others.length > 0 || contains([only], (node) => node.type === "Backreference")) return undefined;
  let elements = only.elements;
  // The first start is the best one for all parts, so neither an anchor in front nor a rest that takes anything matters.
  if (elements[0]?.type === "Assertion" && elements[0].kind === "start" && !flags.includes("m"))
    elements = elements.slice(1);
  if (isAnything(elements.at(-1), flags)) elements = elements.slice(0, -1);
  const parts = elements.map((element) => part(element, flags, source));
  return parts.length > 0 && parts.every((each) => each !== undefined) ? parts : undefined;
}

function part(node: AST.Element, flags: string, source: string): string | undefined {
  if (node.type !== "Assertion" || node.kind !== "lookahead" || node.negate) return undefined;
  const [only, ...others] = node.alternatives;
  const first = only?.elements[0];
  if (!only || !first || others.length > 0 || !isAnything(first, flags)) return undefined;
  return source.slice(first.end, only.end);
}

/** `[\s\S]*` and its likes. */
function isAnything(node: AST.Element | undefined, flags: string): boolean {
  if (node?.type !== "Quantifier" || node.min !== 0 || node.max !== Number.POSITIVE_INFINITY) return false;
  const { raw, type, ...rest } = node.element;
  if (type === "CharacterSet") return "kind" in rest && rest.kind === "any" && flags.includes("s");
  return type === "CharacterClass" && /^\[(?:\^|\\s\\S|\\S\\s|\\w\\W|\\W\\w|\\d\\D|\\D\\d)\]$/.test(raw);
}
