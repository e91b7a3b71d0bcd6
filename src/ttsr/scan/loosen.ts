/** From a trigger to a pattern that is easily looked for, and misses nothing that the trigger finds. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { HIDDEN } from "../prose.js";

const parser = new RegExpParser({ ecmaVersion: 2024 });
const ANY = "[\\s\\S]";
const NOTHING = "(?:)";

/**
 * @returns the pattern itself where it is none; else a pattern without look-arounds and back-references that holds on every text on which the trigger holds, or would with some
 * zones of it hidden (TTSR-3.3)
 */
export function loosen(pattern: string): string {
  const prefix = /^\(\?[ims]+\)/.exec(pattern)?.[0] ?? "";
  const flags = prefix.replace(/[(?)]/g, "");
  try {
    const tree = parser.parsePattern(pattern.slice(prefix.length), undefined, undefined, { unicode: false });
    return prefix + either(tree.alternatives, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return pattern;
    throw error;
  }
}

function either(alternatives: readonly AST.Alternative[], flags: string): string {
  return alternatives.map(({ elements }) => elements.map((element) => loose(element, flags)).join("")).join("|");
}

function loose(node: AST.Element, flags: string): string {
  switch (node.type) {
    case "Assertion":
      // What stands beside a place may be hidden; where lines and the text begin and end is not.
      return node.kind === "start" || node.kind === "end" ? node.raw : NOTHING;
    case "Quantifier":
      return loose(node.element, flags) + node.raw.slice(node.element.raw.length);
    case "Group":
    case "CapturingGroup":
      return `(?:${either(node.alternatives, flags)})`;
    case "Backreference":
      return `(?:${ANY}*)`;
    default:
      // What takes a hidden unit takes whatever it hides.
      return new RegExp(`^${node.raw}$`, flags).test(HIDDEN) ? ANY : node.raw;
  }
}
