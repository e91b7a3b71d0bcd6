/** The face of the matcher: what a caller gives and gets. Nothing in it says how the patterns are run. */

/** One trigger of a rule. A leading `(?ims)` sets flags; everything else is ECMAScript without flags. */
export interface TriggerSource {
  ruleId: string;
  pattern: string;
  /** Position in the rule's list of triggers; comes back as `Settled.trigger`. */
  index: number;
}

export type DiagnosticCode =
  | "syntax"
  | "unsupported-flag"
  | "matches-empty"
  | "matches-everything"
  | "p-without-u"
  | "posix-class"
  | "foreign-anchor"
  | "doubled-backslash"
  | "literal-slashes"
  | "glob-like"
  | "demoted"
  | "timed-out";

/** `error`: the trigger is rejected. The others are advice to its author. */
export interface Diagnostic {
  ruleId: string;
  index: number;
  code: DiagnosticCode;
  severity: "error" | "warning" | "info";
  /** One sentence. */
  message: string;
  /** UTF-16 offsets in the pattern as written. */
  span: { start: number; end: number };
  suggestion?: string;
}

export interface CompileLimits {
  /** UTF-16 units of one stream that are kept; a match that spans more than half of them may be missed. */
  bufferUnits: number;
}

/** A trigger came true and nothing that may still follow can undo it. */
export interface Settled {
  ruleId: string;
  trigger: number;
  /** How many UTF-16 units of the stream had to be known: a function of the text alone, however it was cut. */
  position: number;
  /** `end`: only the end of the stream decided it. */
  settledBy: "unit" | "end";
  /** Where the match begins, where that was known at once; `matchStart` looks for it elsewhere. */
  start?: number;
}

/** One text that grows. A rule is reported at most once, by the trigger that settles first. */
export interface StreamCursor {
  /** Synchronous; never throws. @returns what settled within this delta, in order of position */
  feed(delta: string): readonly Settled[];
  /** The text is complete. `late` holds verdicts that need more time; nothing may act on the text before it resolves. */
  end(): { now: readonly Settled[]; late: Promise<readonly Settled[]> };
  /** The rule is not reported any more. */
  disarm(ruleId: string): void;
  /** UTF-16 units fed so far. */
  readonly position: number;
}

/** Compiled triggers; any number of cursors may be open on one set. */
export interface MatcherSet {
  readonly diagnostics: readonly Diagnostic[];
  /** Whether at least one trigger of the rule compiled. */
  has(ruleId: string): boolean;
  /**
   * @param armed which rules this stream watches for
   * @param onLate told of what settled while the stream goes on, but not at once; what remains comes with `end().late`
   */
  open(armed: (ruleId: string) => boolean, onLate?: (settled: Settled) => void): StreamCursor;
}
