/**
 * The face of the matcher: what a caller gives and gets. Nothing in it says how the patterns are run.
 *
 * Let S be the code units received; the end is known only when the text closes. A pattern is evaluated on S in three values: whatever needs a
 * unit past S, or to know what follows S (`$`, `\b`, `\B` at the end of S, an unfinished look-ahead), is *unknown*.
 * - A trigger is *settled* at position k, the least length for which some match on S[0,k) is *true*, not unknown. It is reported then, in
 *   whichever delta contains unit k.
 * - At the end unknowns are resolved as `RegExp` does on the whole text, and triggers that match then are reported with the text's length.
 *
 * So k is a function of the text alone, however it is cut; once a trigger is settled, `RegExp.test` holds on every continuation; and after
 * `end()` exactly those triggers have been reported which `RegExp.test` finds on the whole text.
 */

/** One trigger of a rule. A leading `(?ims)` sets flags; everything else is ECMAScript without flags. */
export interface TriggerSource {
  ruleId: string;
  pattern: string;
  /** Position in the rule's list of triggers; comes back as `Settled.trigger`. */
  index: number;
}

export type DiagnosticCode =
  // refused
  | "syntax"
  | "unsupported-flag"
  // what the pattern matches
  | "matches-empty"
  | "matches-everything"
  | "matches-most"
  | "never-matches"
  // when it can fire
  | "end-only"
  | "needs-end"
  | "whole-text-anchors"
  // what it costs
  | "unbounded-gap"
  | "wide-counted-gap"
  // tier 2
  | "backreference"
  | "lookahead-in-lookbehind"
  | "too-large"
  // it means something else than it seems to
  | "p-without-u"
  | "posix-class"
  | "foreign-anchor"
  | "doubled-backslash"
  | "literal-slashes"
  | "glob-like"
  | "curly-quotes"
  | "open-count"
  | "class-operator"
  | "backspace"
  | "json-key"
  | "plain-letter"
  | "missing-group"
  | "mixed-letters"
  | "half-character"
  | "carriage-return"
  // while it runs
  | "isolated"
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

/** Those that are not given are the usual ones. */
export type GivenLimits = Partial<Omit<CompileLimits, "worker">> & { worker?: Partial<CompileLimits["worker"]> };

/** Past one of these a trigger is not refused but run more slowly, and a diagnostic says so. */
export interface CompileLimits {
  /** Places in one trigger when its counts are written out: `a{3}` has three. Above it: tier 2. */
  positionsPerRule: number;
  /** Of all triggers in tier 1 together. */
  positionsPerSet: number;
  /** Ways to go on that one trigger may have at one place of the text; steps that it may take on a unit, on the average of four. Above it: tier 2. */
  threadsPerRule: number;
  /**
   * Ways to go on that all triggers may have together, and steps that they may take on any four units; those with most of them give way. Half as many
   * ways may begin at every place: the triggers with fewest positions come first.
   */
  threadsPerSet: number;
  /** Look-aheads that one way to go on may wait for. */
  obligationsPerThread: number;
  /** States of one automaton; then it starts afresh. */
  cachedStates: number;
  /** Bytes of its tables, roughly; the same. */
  cacheBytes: number;
  /** Steps of one trigger for each UTF-16 unit, on the average of 4,096 units. Above it: tier 2. A step takes about 0.1 µs. */
  stepsPerUnit: number;
  /** Tier 2: milliseconds for one question, milliseconds for one trigger and stream, UTF-16 units of text kept. */
  worker: { msPerTest: number; msPerStream: number; bufferUnits: number };
}

/** A trigger came true and nothing that may still follow can undo it. */
export interface Settled {
  ruleId: string;
  trigger: number;
  /** How many UTF-16 units of the stream had to be known: a function of the text alone, however it was cut. In tier 2 it may be a later one. */
  position: number;
  /** `end`: only the end of the stream decided it. */
  settledBy: "unit" | "end";
  /** Where the match begins, where that was known at once; `matchStart` looks for it elsewhere. */
  start?: number;
}

/** Where a cursor stood; goes with the cursor that saved it, and with those that have been forked from the same one. */
export interface CursorMark {
  readonly position: number;
}

/** One text that grows. A rule is reported at most once, by the trigger that settles first, unless the cursor is taken back. */
export interface StreamCursor {
  /** Synchronous; never throws. @returns what settled within this delta, in order of position */
  feed(delta: string): readonly Settled[];
  /**
   * For sources that give the whole text so far each time. Where the new text does not extend the last one, the cursor is taken back to before
   * the first change, and what settles behind it is reported (again). What was fed before the first snapshot is taken to be its beginning.
   */
  sync(snapshot: string): readonly Settled[];
  /** The text is complete. `late` holds verdicts that need more time; nothing may act on the text before it resolves. It never rejects. */
  end(): { now: readonly Settled[]; late: Promise<readonly Settled[]> };
  /** The rule is not reported any more, not even after `restore`. */
  disarm(ruleId: string): void;
  /**
   * A cursor of its own that goes on from here, as if it had been fed the same text from the beginning on. Neither has a say in what becomes of the
   * other. No unit is read again, and the time it takes does not depend on the text. What was reported or disarmed by now stays so for the new one.
   * @param onLate as for `open`; the listener of this cursor is not told for the new one
   */
  fork(onLate?: (settled: Settled) => void): StreamCursor;
  save(): CursorMark;
  /**
   * Puts the cursor where it stood, after its end too, and whatever it has read since: what was reported since the mark may be reported again.
   * @throws TypeError at a mark of a cursor that was opened by itself
   */
  restore(mark: CursorMark): void;
  /** UTF-16 units fed so far. */
  readonly position: number;
}

/** Exact counts; for the same texts in the same order they are the same on every machine. */
export interface MatcherStats {
  /** UTF-16 units that went through an automaton. */
  unitsRead: number;
  /** Units for which the table had no answer yet. */
  misses: number;
  /** States made. */
  states: number;
  flushes: number;
  threadSteps: number;
  workerTests: number;
  workerTimeouts: number;
  tableBytes: number;
}

/** Compiled triggers; any number of cursors may be open on one set. */
export interface MatcherSet {
  /** Grows when a trigger turns out to be costly while it runs. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether at least one trigger of the rule compiled. */
  has(ruleId: string): boolean;
  /** 1: decided at each unit. 2: some trigger of it is run in a worker and may be decided later. */
  tierOf(ruleId: string): 1 | 2 | "rejected";
  /** Does at once what the first `open` would have to do. */
  prepare(): void;
  /**
   * @param armed which rules this stream watches for
   * @param onLate told what tier 2 finds before the end; without it that is in `late` at the end
   * @param before what stands in front of the stream, where that is a part of a text: `^`, `\b` and look-behinds see it, no match begins in it.
   * Tier 2 does not see it
   */
  open(armed: (ruleId: string) => boolean, onLate?: (settled: Settled) => void, before?: string): StreamCursor;
  stats(): MatcherStats;
  /** No cursor of the set may be used any more. */
  dispose(): void;
}
