/** The exceptions of rules (TTSR-3.5), compiled like triggers and under the same limits. */
import type { Rule } from "../capability/rule.js";
import {
  compileTriggers,
  type Diagnostic,
  type MatcherSet,
  type TriggerMemory,
  type TriggerSource,
} from "./matcher/index.js";

/** Lines in front of a match's own in which a veto counts, where the rule does not say. */
const WITHIN = 3;

/** What a rule looks at to veto a match. */
export interface VetoReach {
  /** Lines in front of the match's own. */
  within: number;
  /** Lines behind it. */
  after: number;
}

/** @returns undefined where the rule has no exceptions */
export function vetoReach({ unless = [], unlessWithin = WITHIN, unlessAfter = 0 }: Rule): VetoReach | undefined {
  return unless.length === 0 ? undefined : { within: unlessWithin, after: unlessAfter };
}

/** What only a worker can decide comes too late for a veto. What to do about it. */
const SLOW: Readonly<Record<string, string>> = {
  backreference: "Write it without references to groups.",
  "lookahead-in-lookbehind": "Write it without a look-ahead inside a look-behind.",
  "too-large": "Use smaller counts, or * and + in their place.",
};

/** A text is tried at once, not delta by delta: an exception may take 4 µs for each of its units. */
const LIMITS = { stepsPerUnit: 40 };

/**
 * @returns what is to be told of the rule's exceptions. One that cannot be used is an error: without it the rule would fire where it must
 * not.
 */
export function vetoFaults(rule: Rule, memory: TriggerMemory): Diagnostic[] {
  const set = compileTriggers(sourcesOf(rule), LIMITS, memory);
  return set.diagnostics
    .filter(({ code, severity }) => !WHEN_IT_FIRES.has(code) && !(code === "matches-empty" && severity !== "error"))
    .map((fault) => {
      const everywhere = EXCUSES[fault.code];
      if (everywhere !== undefined) return { ...fault, severity: "error", message: everywhere };
      const suggestion = SLOW[fault.code];
      if (suggestion === undefined) return { ...fault, message: `\`unless\`: ${fault.message}` };
      const message = "`unless`: this pattern needs a worker to be checked, and a veto must be known at once.";
      return { ...fault, severity: "error", message, suggestion };
    });
}

/** Found everywhere, they leave nothing for the rule to fire on. */
const EXCUSES: Readonly<Record<string, string>> = {
  "matches-empty": "`unless` holds on every text, so it excuses every match and the rule never fires.",
  "matches-everything": "`unless` holds on nearly every text, so it excuses every match and the rule never fires.",
};

/** Of the few lines that an exception is looked for in, which are whole, these say nothing. */
const WHEN_IT_FIRES: ReadonlySet<string> = new Set([
  "end-only",
  "matches-most",
  "needs-end",
  "unbounded-gap",
  "whole-text-anchors",
]);

/** An exception turned out to be too dear to be tried. */
export interface DearVeto {
  rule: Rule;
  finding: Diagnostic;
}

/** Each rule's exceptions are a set of their own: those of others can neither crowd them out nor make them dearer. */
export class Vetoes {
  readonly #sets = new Map<string, MatcherSet>();
  readonly #news: DearVeto[] = [];

  constructor(private readonly memory: TriggerMemory) {}

  /**
   * @param rule one that was registered
   * @returns whether an exception of the rule holds on this text; yes where that is too dear to be known: without its exception the rule would
   * fire where it must not
   */
  hold(rule: Rule, text: string): boolean {
    if (!rule.unless?.length) return false;
    const set = this.#setOf(rule);
    if (set.tierOf(rule.name) === 2) return true;
    const cursor = set.open(() => true);
    if (cursor.feed(text).length > 0) return true;
    if (set.tierOf(rule.name) !== 2) return cursor.end().now.length > 0;
    const [dear] = set.diagnostics.filter(({ code }) => code === "demoted");
    if (dear) this.#news.push({ rule, finding: { ...dear, message: TOO_DEAR } });
    set.dispose();
    return true;
  }

  /** What was found since this was last asked. */
  takeNews(): DearVeto[] {
    return this.#news.splice(0);
  }

  #setOf(rule: Rule): MatcherSet {
    let set = this.#sets.get(rule.name);
    if (!set) {
      set = compileTriggers(sourcesOf(rule), LIMITS, this.memory);
      this.#sets.set(rule.name, set);
    }
    return set;
  }
}

const TOO_DEAR =
  "`unless`: this pattern takes too many steps to be tried at once, so from now on it excuses every match and the rule is quiet.";

function sourcesOf(rule: Rule): TriggerSource[] {
  return (rule.unless ?? []).map((pattern, index) => ({ ruleId: rule.name, pattern, index }));
}
