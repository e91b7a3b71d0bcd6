/** From a trigger as written to a syntax tree: flags out of a leading `(?ims)`, everything else as ECMAScript without flags. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

export interface ParsedSource {
  /** The pattern without its leading flags. */
  source: string;
  /** A subset of `ims`. */
  flags: string;
  /** Where `source` begins in the pattern as written. */
  offset: number;
  tree: AST.Pattern;
}

/** Why a pattern is refused. `start` and `end` are offsets in the pattern as written. */
export class TriggerError extends Error {
  override readonly name = "TriggerError";
  constructor(
    readonly code: "syntax" | "unsupported-flag",
    reason: string,
    readonly start: number,
    readonly end: number,
    readonly suggestion?: string,
  ) {
    super(reason);
  }
}

/** ES2024: what the oldest supported Node runs, so that a rule means the same on every machine. */
const parser = new RegExpParser({ ecmaVersion: 2024 });
const LEADING_FLAGS = /^\(\?([A-Za-z-]+)\)/;
/** Linear: a run of letters is gone through once. */
const INLINE_FLAGS = /\(\?(?:[a-z]+(?:-[a-z]*)?|-[a-z]*)[:)]/g;

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
    throw refusal(pattern, source, offset, cause);
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

function refusal(pattern: string, source: string, offset: number, cause: unknown): TriggerError {
  for (const group of source.matchAll(INLINE_FLAGS)) {
    const at = offset + group.index;
    const reason = `Flags inside the pattern ("${group[0]}") are not supported; put (?ims) at its very beginning.`;
    return new TriggerError("unsupported-flag", reason, at, at + group[0].length);
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = message.replace(/^Invalid regular expression: /, "").replace(/^\/[\s\S]*\/[a-z]*: /, "");
  for (const { find, message, suggestion } of FOREIGN) {
    const found = find.exec(source.slice(0, LONGEST));
    if (found) return new TriggerError("syntax", message, offset + found.index, pattern.length, suggestion);
  }
  const index =
    typeof cause === "object" && cause !== null && "index" in cause && typeof cause.index === "number"
      ? cause.index
      : 0;
  // The parser has read the sign it complains about.
  const back = /Nothing to repeat/.test(reason) && index > 0 ? 1 : 0;
  const start = Math.min(offset + index - back, pattern.length);
  const plain = PLAIN.find(({ find }) => find.test(reason));
  return new TriggerError("syntax", plain?.message ?? `${reason}.`, start, pattern.length, plain?.suggestion);
}

/** The parser's words, for those who know no grammar. */
const PLAIN: readonly { find: RegExp; message: string; suggestion?: string }[] = [
  {
    find: /^Unterminated group/,
    message: "A group is opened with ( and never closed.",
    suggestion: "Close it with ), or write \\( where the character itself is meant.",
  },
  {
    find: /^Unterminated character class/,
    message: "A class is opened with [ and never closed.",
    suggestion: "Close it with ], or write \\[ where the character itself is meant.",
  },
  {
    find: /^Unmatched '\)'/,
    message: "There is a ) that closes nothing.",
    suggestion: "Write \\) where the character itself is meant.",
  },
  {
    find: /^Nothing to repeat/,
    message: "A *, +, ? or {n} has nothing in front of it that it could repeat.",
    suggestion: "Put a backslash in front of it where the character itself is meant.",
  },
  { find: /^Range out of order/, message: "A range in a class runs backwards, as in [z-a]." },
  { find: /^[Nn]umbers out of order/, message: "A count runs backwards, as in {3,1}." },
  {
    find: /^\\ at end of pattern/,
    message: "The pattern ends with a backslash that belongs to nothing.",
    suggestion: "Write two of them where a backslash itself is meant.",
  },
  {
    find: /^Invalid group/,
    message: "A group begins with (? and a sign that JavaScript does not know there.",
    suggestion: "Known are (?:…), (?=…), (?!…), (?<=…), (?<!…) and (?<name>…).",
  },
];

/** What other dialects have and ECMAScript refuses. Each expression is linear. */
const FOREIGN: readonly { find: RegExp; message: string; suggestion: string }[] = [
  {
    find: /^(?:[\w.-]+\/)*\*\*?(?:[/.]|$)/,
    message: "This looks like a file glob, but a trigger is a regular expression on text.",
    suggestion: "Put file patterns under `globs`.",
  },
  {
    find: /[*+?}]\+/,
    message: "Possessive quantifiers (a *, +, ? or } followed by +) do not exist in JavaScript.",
    suggestion: "Drop the second +; nothing is lost, since matching here never goes back.",
  },
  {
    find: /\(\?>/,
    message: "Atomic groups (?>…) do not exist in JavaScript.",
    suggestion: "Write (?:…); nothing is lost, since matching here never goes back.",
  },
  {
    find: /\(\?P[<=]/,
    message: "Groups named (?P<…>…) do not exist in JavaScript.",
    suggestion: "Write (?<name>…), or (?:…) if the name is not needed.",
  },
  {
    find: /(?<!\\)\\\\[()[\]]/,
    message:
      "Two backslashes match a backslash in the text, so the bracket behind them opens or closes a group or class.",
    suggestion: "Write one backslash, and put the pattern into single quotes.",
  },
];
const LONGEST = 4096;
