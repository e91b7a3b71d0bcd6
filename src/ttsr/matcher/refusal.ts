/** Why a pattern is refused, in words for those who know no grammar, and where. */

/** `start` and `end` are offsets in the pattern as written. */
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

/** Of what is wrong at one place, the first that fits. */
interface Reason {
  /** In the parser's words. */
  readonly of: RegExp;
  /** What stands in front of the place where the parser stopped, and behind it. Where what is in front is found, it begins there. Each is linear. */
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly message: string;
  readonly suggestion?: string;
}

const REASONS: readonly Reason[] = [
  {
    of: /^Invalid group/,
    before: /\($/,
    after: /^\?>/,
    message: "Atomic groups (?>…) do not exist in JavaScript.",
    suggestion: "Write (?:…); nothing is lost, since matching here never goes back.",
  },
  {
    of: /^Invalid group/,
    before: /\($/,
    after: /^\?P[<=]/,
    message: "Groups named (?P<…>…) do not exist in JavaScript.",
    suggestion: "Write (?<name>…), or (?:…) if the name is not needed.",
  },
  {
    of: /^Invalid group/,
    before: /\($/,
    message: "A group begins with (? and a sign that JavaScript does not know there.",
    suggestion: "Known are (?:…), (?=…), (?!…), (?<=…), (?<!…) and (?<name>…).",
  },
  {
    of: /^Nothing to repeat/,
    before: /^(?:[\w.-]+\/)*\*\*?$/,
    after: /^\*?(?:[/.]|$)/,
    message: "This looks like a file glob, but a trigger is a regular expression on text.",
    suggestion: "Put file patterns under `globs`.",
  },
  {
    of: /^Nothing to repeat/,
    before: /[*+?}]\+$/,
    message: "Possessive quantifiers (a *, +, ? or } followed by +) do not exist in JavaScript.",
    suggestion: "Drop the second +; nothing is lost, since matching here never goes back.",
  },
  {
    of: /^Nothing to repeat/,
    before: /(?:[*+?]|\{[\d,]+\})$/,
    message: "A *, +, ? or {n} has nothing in front of it that it could repeat.",
    suggestion: "Put a backslash in front of it where the character itself is meant.",
  },
  {
    of: /^Range out of order/,
    before: /[\ud800-\udbff][\udc00-\udfff]-[\ud800-\udbff]$/,
    message: "A class takes only half of a character such as an emoji, so a range of them cannot be written.",
    suggestion: "Write them as alternatives, as in (?:😀|😎).",
  },
  {
    of: /^Range out of order/,
    before: /(?:\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c?.)|[^\\])-(?:\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c?.)|[^\\])$/,
    message: "A range in a class runs backwards, as in [z-a].",
    suggestion: "Turn it round, or put the - at the end of the class where the sign itself is meant.",
  },
  {
    of: /^[Nn]umbers out of order/,
    before: /\{\d+,\d+\}$/,
    message: "A count runs backwards, as in {3,1}.",
  },
  {
    of: /^\\ at end of pattern/,
    message: "The pattern ends with a backslash that belongs to nothing.",
    suggestion: "Write two of them where a backslash itself is meant.",
  },
];

const UNCLOSED: readonly { of: RegExp; message: string; suggestion: string }[] = [
  {
    of: /^Unterminated group/,
    message: "A group is opened with ( and never closed.",
    suggestion: "Close it with ), or write \\( where the character itself is meant.",
  },
  {
    of: /^Unterminated character class/,
    message: "A class is opened with [ and never closed.",
    suggestion: "Close it with ], or write \\[ where the character itself is meant.",
  },
  {
    of: /^Unmatched '\)'/,
    message: "There is a ) that closes nothing.",
    suggestion: "Write \\) where the character itself is meant.",
  },
];

/** UTF-16 units in front of where the parser stopped that are looked at. */
const LOOKED_AT = 256;

/**
 * @param offset where the pattern without its leading flags begins
 * @param cause what the parser or the engine threw
 */
export function refusal(pattern: string, offset: number, cause: unknown): TriggerError {
  const source = pattern.slice(offset);
  const thrown = cause instanceof Error ? cause.message : String(cause);
  const words = thrown.replace(/^Invalid regular expression: /, "").replace(/^\/[\s\S]*\/[a-z]*: /, "");
  const told = typeof cause === "object" && cause !== null && "index" in cause ? cause.index : 0;
  const index = typeof told === "number" ? Math.min(told, source.length) : 0;
  const error = (message: string, start: number, suggestion?: string): TriggerError =>
    new TriggerError("syntax", message, offset + start, pattern.length, suggestion);

  const unclosed = UNCLOSED.find(({ of }) => of.test(words));
  if (unclosed) {
    const { doubled, at } = brackets(source);
    if (doubled === undefined) return error(unclosed.message, at ?? index, unclosed.suggestion);
    const message =
      "Two backslashes match a backslash in the text, so the bracket behind them opens or closes a group or class.";
    return error(message, doubled, "Write one backslash, and put the pattern into single quotes.");
  }
  const inside = /^Invalid group/.test(words) && INLINE_FLAGS.exec(source.slice(index - 1, index + LOOKED_AT));
  if (inside) {
    const reason = `Flags inside the pattern ("${inside[0]}") are not supported; put (?ims) at its very beginning.`;
    const at = offset + index - 1;
    return new TriggerError("unsupported-flag", reason, at, at + inside[0].length);
  }
  const from = Math.max(0, index - LOOKED_AT);
  const before = source.slice(from, index);
  const after = source.slice(index, index + LOOKED_AT);
  for (const reason of REASONS) {
    if (!reason.of.test(words) || (reason.after && !reason.after.test(after))) continue;
    const found = reason.before?.exec(before);
    if (reason.before && !found) continue;
    return error(reason.message, found ? from + found.index : index, reason.suggestion);
  }
  return error(`${words}.`, index);
}

const INLINE_FLAGS = /^\(\?(?:[a-z]+(?:-[a-z]*)?|-[a-z]*)[:)]/;

/** @returns the first bracket that means something behind two backslashes, with them; and the one that is wrong: the last that is left open, or closes nothing */
function brackets(source: string): { doubled?: number; at?: number } {
  const open: number[] = [];
  let doubled: number | undefined;
  let inClass = -1;
  for (let at = 0; at < source.length; at++) {
    const sign = source[at] ?? "";
    if (sign === "\\") {
      if (inClass < 0 && doubled === undefined && /^\\\\[()[\]]/.test(source.slice(at, at + 3))) doubled = at;
      at++;
    } else if (inClass >= 0) {
      if (sign === "]") inClass = -1;
    } else if (sign === "[") inClass = at;
    else if (sign === "(") open.push(at);
    else if (sign === ")" && open.pop() === undefined) return result(at);
  }
  return result(inClass >= 0 ? inClass : open.at(-1));

  function result(at: number | undefined): { doubled?: number; at?: number } {
    return { ...(doubled === undefined ? {} : { doubled }), ...(at === undefined ? {} : { at }) };
  }
}
