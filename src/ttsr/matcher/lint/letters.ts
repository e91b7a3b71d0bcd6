/** Characters that are taken as they stand and were hardly meant to be: escapes of other dialects, letters of other scripts. */
import { type AST, visitRegExpAST } from "@eslint-community/regexpp";
import type { ParsedSource } from "../source.js";
import type { Finding } from "./finding.js";

/** Told of by the traps, which know better what was meant. */
const KNOWN_TRAPS = /^\\(?:[AZz]|[pP][{CLMNPSZ]|u\{)/;
/** What a letter means behind a backslash elsewhere. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["h", "Write [ \\t] for a blank or a tab."],
  ["R", "Write \\r?\\n for a line end."],
  ["K", "Write what stands in front as (?<=…)."],
  ["Q", "Put a backslash in front of each sign that is meant as it is."],
  ["E", "Put a backslash in front of each sign that is meant as it is."],
  ["x", "Write the two digits without braces, as in \\x41."],
  ["u", "Write four digits, as in \\u00E9."],
  ["y", "Write \\b for the edge of a word."],
  ["m", "Write \\b for the edge of a word."],
  ["M", "Write \\b for the edge of a word."],
]);

/** One finding of each kind at most. */
export function lintLetters({ source, tree, offset }: ParsedSource): Finding[] {
  const found = new Map<string, Finding>();
  const tell = (
    code: Finding["code"],
    { start, end }: Pick<AST.Node, "start" | "end">,
    message: string,
    suggestion: string,
  ): void => {
    const span = { start: offset + start, end: offset + end };
    if (!found.has(code)) found.set(code, { code, severity: "warning", message, span, suggestion });
  };
  visitRegExpAST(tree, {
    onCharacterEnter(node) {
      const letter = plainLetter(node);
      if (letter !== undefined && !KNOWN_TRAPS.test(source.slice(node.start, node.end + 1))) {
        const message = `\\${letter} means nothing special in JavaScript, so it matches the plain letter ${letter}.`;
        tell("plain-letter", node, message, INSTEAD.get(letter) ?? "Take the backslash away if the letter is meant.");
      } else if (/^\\(?:k|[1-9])/.test(node.raw)) {
        const message = "This refers to a group that is not there, so it is taken as plain characters.";
        tell("missing-group", node, message, "Count the groups from 1, or write (?:…) around what is meant.");
      }
    },
    onQuantifierEnter(node) {
      const { element } = node;
      if (!isLow(element) || !/[\ud800-\udbff]/.test(source.charAt(element.start - 1))) return;
      const whole = `${source.charAt(element.start - 1)}${element.raw}`;
      const message = `Only the second half of ${whole} is repeated, since characters such as an emoji are two to JavaScript.`;
      tell("half-character", { ...element, start: element.start - 1 }, message, `Write (?:${whole}).`);
    },
    onCharacterClassEnter({ elements }) {
      for (const [index, element] of elements.entries()) {
        const next = elements[index + 1];
        if (!next || !isHigh(element) || !isLow(next)) continue;
        const message = "A class takes only half of a character such as an emoji, so this matches others too.";
        tell("half-character", { ...element, end: next.end }, message, "Write them as alternatives, as in (?:😀|😎).");
      }
    },
    onAlternativeEnter({ elements, parent }) {
      for (const [index, left] of elements.entries()) {
        const right = elements[index + 1];
        if (left.type !== "Character" || right?.type !== "Character") continue;
        if (scriptOf(left) !== undefined && scriptOf(right) !== undefined && scriptOf(left) !== scriptOf(right)) {
          const message = `Letters of two alphabets stand side by side ("${source.slice(left.start, right.end)}"), and look alike.`;
          tell("mixed-letters", left, message, "Type the word anew; only the very same letters match.");
        }
        if (left.value === 13 && right.value === 10 && parent.alternatives.length === 1) {
          const message = "Models end their lines with \\n alone, so this hardly ever matches.";
          tell("carriage-return", left, message, "Write \\r?\\n.");
        }
      }
    },
  });
  return [...found.values()];
}

/** @returns the letter behind a needless backslash */
function plainLetter({ raw, value }: AST.Character): string | undefined {
  const [, letter] = /^\\([A-Za-z])$/.exec(raw) ?? [];
  return letter !== undefined && letter !== "k" && letter.charCodeAt(0) === value ? letter : undefined;
}

function isHigh(node: AST.Node): boolean {
  return node.type === "Character" && node.value >= 0xd800 && node.value <= 0xdbff;
}

function isLow(node: AST.Node): boolean {
  return node.type === "Character" && node.value >= 0xdc00 && node.value <= 0xdfff;
}

function scriptOf({ value }: AST.Character): "latin" | "cyrillic" | "greek" | undefined {
  if ((value >= 65 && value <= 90) || (value >= 97 && value <= 122)) return "latin";
  if (value >= 0x370 && value <= 0x3ff) return "greek";
  return value >= 0x400 && value <= 0x4ff ? "cyrillic" : undefined;
}
