/** From a trigger as written to a syntax tree: flags out of a leading `(?ims)`, everything else as ECMAScript without flags. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { refusal, TriggerError } from "./refusal.js";

export interface ParsedSource {
  /** The pattern without its leading flags. */
  source: string;
  /** A subset of `ims`. */
  flags: string;
  /** Where `source` begins in the pattern as written. */
  offset: number;
  tree: AST.Pattern;
}

/** ES2024: what the oldest supported Node runs, so that a rule means the same on every machine. */
const parser = new RegExpParser({ ecmaVersion: 2024 });
const LEADING_FLAGS = /^\(\?([A-Za-z-]+)\)/;

/** Groups in groups. What reads a pattern calls itself for each, and the stack has an end: the first to run out of it does so at about 1,200. */
const DEEPEST = 200;
/** UTF-16 units of one pattern. A list of ten thousand words has as many. */
const LONGEST_PATTERN = 100_000;

/** @throws TriggerError */
export function parseTrigger(pattern: string): ParsedSource {
  if (pattern.length > LONGEST_PATTERN)
    throw new TriggerError("syntax", "The pattern is longer than 100,000 characters.", LONGEST_PATTERN, pattern.length);
  const leading = LEADING_FLAGS.exec(pattern);
  const offset = leading ? leading[0].length : 0;
  const flags = [...new Set(leading?.[1] ?? "")].sort().join("");
  if (leading && !/^[ims]+$/.test(flags)) {
    const wrong = [...flags].filter((flag) => !"ims".includes(flag)).join("");
    throw new TriggerError(
      "unsupported-flag",
      `The flag "${wrong}" is not supported; only (?i), (?m) and (?s) are.`,
      0,
      offset,
    );
  }
  const source = pattern.slice(offset);
  const deep = tooDeep(source);
  if (deep !== undefined) {
    const reason = `The pattern is nested too deeply: more than ${DEEPEST} groups are open at once.`;
    throw new TriggerError("syntax", reason, offset + deep, pattern.length);
  }
  try {
    const tree = parser.parsePattern(source, 0, source.length, { unicode: false, unicodeSets: false });
    // The engine has the last word; it also refuses what the parser knows and this Node does not.
    new RegExp(source, flags);
    return { source, flags, offset, tree };
  } catch (cause) {
    throw refusal(pattern, offset, cause);
  }
}

/** @returns where the first group too many is opened */
function tooDeep(source: string): number | undefined {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const sign = source[at];
    if (sign === "\\") at++;
    else if (inClass) inClass = sign !== "]";
    else if (sign === "[") inClass = true;
    else if (sign === ")") depth--;
    else if (sign === "(" && ++depth > DEEPEST) return at;
  }
  return undefined;
}
