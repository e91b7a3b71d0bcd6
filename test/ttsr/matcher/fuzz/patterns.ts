/** Random patterns of everything that tier 1 runs, and random texts of what they speak about. */
import type { Random } from "./random.js";

const UNITS = [
  ..."abcAks-",
  "\\n",
  ".",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "\\d",
  "[ab]",
  "[^a]",
  "[^\\n]",
  "[\\s\\S]",
  "[^]",
  "[]",
  "[b-k]",
  "[^\\W\\d]",
  "\\u00e9",
  "\\ud83d",
  "\\u212a",
];
/** Case folding, halves of pairs, and edges that exclude each other. */
const ODD_UNITS = [
  "[k-s]",
  "[^k]",
  "[^K\\n]",
  "[A-z]",
  "[\\W_]",
  "[^\\S\\n]",
  "[\\s\\d]",
  "[\\u017f]",
  "[^\\u212a]",
  "[\\u00e0-\\u00ff]",
  "\\u00c9",
  "\\ude00",
  "[\\ud800-\\udbff][\\udc00-\\udfff]",
  "[^\\ud83d]",
  "(?:^|$|\\b)",
  "(?:$|^a)",
  "(?:\\b|^|-)",
  "(?:\\B|$)",
];
const COUNTS = ["*", "+", "?", "{2}", "{0}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,2}?"];
const LOOKS = ["(?=", "(?!", "(?<=", "(?<!"];

export function randomPattern(random: Random): string {
  let names = 0;
  const units = random.below(3) === 0 ? [...UNITS, ...ODD_UNITS] : UNITS;
  const kind = random.below(24);
  if (kind < 2) return conjunction();
  return kind < 4 ? counted() : expression(3 + random.below(2));

  function conjunction(): string {
    const parts = random.list(1 + random.below(3), () => `(?=[\\s\\S]*${expression(2)})`);
    return parts.join("") + (random.below(4) === 0 ? expression(1) : "");
  }

  /** Look-behinds in look-aheads in something counted. */
  function counted(): string {
    const from = random.below(4);
    const within = `${expression(1)}${random.pick(["(?<=", "(?<!"])}${expression(2)})${expression(1)}`;
    const body = `${random.pick(["(?=", "(?!", "(?:"])}${within})${expression(1)}`;
    return `${expression(1)}(?:${body}){${from},${from + random.below(7)}}${expression(1)}`;
  }

  function expression(depth: number): string {
    const kind = depth <= 0 ? 0 : random.below(100);
    if (kind < 32) return random.pick(units);
    if (kind < 50) return expression(depth - 1) + expression(depth - 1);
    if (kind < 58) return `(?:${expression(depth - 1)}|${expression(depth - 1)})`;
    if (kind < 73) return `(?:${expression(depth - 1)})${random.pick(COUNTS)}`;
    if (kind < 76) return `${random.below(2) === 0 ? "(" : `(?<n${names++}>`}${expression(depth - 1)})`;
    if (kind < 81) return random.pick(["\\b", "\\B"]);
    if (kind < 86) return random.pick(["^", "$"]);
    const look = `${random.pick(LOOKS)}${expression(depth - 1)})`;
    // Look-aheads may be counted.
    return !look.startsWith("(?<") && random.below(6) === 0 ? look + random.pick(COUNTS) : look;
  }
}

export function randomFlags(random: Random): string {
  return random.pick(["", "", "", "i", "m", "s", "im", "ims"]);
}

const FEW = ["a", "b", "c", "-", "\n"];
const MANY = [...FEW, "A", "B", "\u00e9", "\ud83d", "\ude00", " ", "k", "\u212a", "s", "\u017f", "\r", "\u2028", "7"];

export function randomText(random: Random, longest: number): string {
  const letters = random.below(2) === 0 ? FEW : MANY;
  return random.list(random.below(longest + 1), () => random.pick(letters)).join("");
}

/** A way to cut a text: pieces of 1 to 5 units, now and then empty ones. */
export function randomCut(random: Random, text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = random.below(6);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
