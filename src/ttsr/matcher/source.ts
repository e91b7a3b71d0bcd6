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
  ) {
    super(reason);
  }
}

/** ES2024: what the oldest supported Node runs, so that a rule means the same on every machine. */
const parser = new RegExpParser({ ecmaVersion: 2024 });
const LEADING_FLAGS = /^\(\?([A-Za-z-]+)\)/;
const INLINE_FLAGS = /\(\?[a-z]*-?[a-z]*:/g;

/** @throws TriggerError */
export function parseTrigger(pattern: string): ParsedSource {
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
  try {
    const tree = parser.parsePattern(source, 0, source.length, { unicode: false, unicodeSets: false });
    // The engine has the last word; it also refuses what the parser knows and this Node does not.
    new RegExp(source, flags);
    return { source, flags, offset, tree };
  } catch (cause) {
    throw refusal(pattern, source, offset, cause);
  }
}

function refusal(pattern: string, source: string, offset: number, cause: unknown): TriggerError {
  for (const group of source.matchAll(INLINE_FLAGS)) {
    if (group[0] === "(?:") continue;
    const at = offset + group.index;
    const reason = `Flags inside the pattern ("${group[0]}") are not supported; put (?ims) at its very beginning.`;
    return new TriggerError("unsupported-flag", reason, at, at + group[0].length);
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = message.replace(/^Invalid regular expression: /, "").replace(/^\/[\s\S]*\/[a-z]*: /, "");
  const index =
    typeof cause === "object" && cause !== null && "index" in cause && typeof cause.index === "number"
      ? cause.index
      : 0;
  return new TriggerError("syntax", `${reason}.`, Math.min(offset + index, pattern.length), pattern.length);
}
