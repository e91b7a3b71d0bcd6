/**
 * What follows from a match (TTSR-5.5, 5.6, 6.6): interrupt, reminder, blocked call, or nothing. Counts interrupts per rule and run, per
 * run, and per session, so nothing can loop for ever.
 */
import type { SuppressedReason } from "../agent/events.js";
import { isOfRepository, type Rule } from "../capability/rule.js";
import type { InterruptMode, SettingsOf, TtsrMatch } from "./types.js";

export type Verdict = { action: "interrupt" } | { action: "reminder" | "blocked" | "none"; reason: SuppressedReason };

/** Interrupts, and those of them in which a rule had a part that the repository did not bring. */
export interface InterruptCount {
  all: number;
  own: number;
}

/**
 * What the repository's rules spend is not taken from the user's: they keep to what is left of all interrupts, the user's own to what is left
 * of their own. Else a repository could make its rules so noisy that the user's are left without a say.
 */
export class RulePolicy {
  readonly #perRule = new Map<string, number>();
  #perRun: InterruptCount = { all: 0, own: 0 };
  #perSession: InterruptCount = { all: 0, own: 0 };
  readonly #muted = new Set<string>();
  /** Let through once, not used yet. */
  readonly #allowed = new Set<string>();
  /** Let through in the answer that is being written. */
  readonly #passing = new Set<string>();

  constructor(private readonly settings: SettingsOf) {}

  /** A run begins or has ended: its budgets are whole again. */
  renewRun(): void {
    this.#perRule.clear();
    this.#perRun = { all: 0, own: 0 };
  }

  /** `/new` or a resumed session: interrupts that already stand in its log. */
  restore(interrupts: InterruptCount): void {
    this.#perSession = { ...interrupts };
  }

  mute(name: string, muted: boolean): void {
    if (muted) this.#muted.add(name);
    else this.#muted.delete(name);
  }

  isMuted(name: string): boolean {
    return this.#muted.has(name);
  }

  /** The next answer in which the rule holds is let through, whole (TTSR-10.3). */
  allowOnce(name: string): void {
    this.#allowed.add(name);
  }

  isAllowedOnce(name: string): boolean {
    return this.#allowed.has(name);
  }

  /** An answer has come to its end uncut: what was let through in it is used up. */
  messageEnded(): void {
    this.#passing.clear();
  }

  /** @param warmingUp it only counts: the rule acts from a later occurrence on */
  decide(match: TtsrMatch, warmingUp = false): Verdict {
    const { rule, lane } = match;
    if (this.#muted.has(rule.name)) return { action: "none", reason: "muted" };
    if (warmingUp) return { action: "none", reason: "warm-up" };
    if (rule.observe) return { action: "none", reason: "mode" };
    if (this.#passes(rule.name)) return { action: "none", reason: "user" };
    if (!mayInterrupt(rule.interruptMode ?? this.settings(rule).interruptMode, lane.source)) {
      return { action: "reminder", reason: "mode" };
    }
    if (this.isSpent(rule)) return { action: lane.source === "tool" ? "blocked" : "reminder", reason: "budget" };
    return { action: "interrupt" };
  }

  /** One interrupt was made for these rules. */
  count(rules: readonly Rule[]): void {
    const own = rules.every(isOfRepository) ? 0 : 1;
    for (const count of [this.#perRun, this.#perSession]) {
      count.all++;
      count.own += own;
    }
    for (const rule of rules) this.#perRule.set(rule.name, this.interruptsOf(rule.name) + 1);
  }

  /** Interrupts of this rule in the present run. */
  interruptsOf(name: string): number {
    return this.#perRule.get(name) ?? 0;
  }

  /** The rule may not interrupt any more: in this run, or, between two runs, in this session. */
  isSpent(rule: Pick<Rule, "name" | "provider">): boolean {
    const { perRule, perRun, perSession } = this.settings(rule).budget;
    const which = isOfRepository(rule) ? "all" : "own";
    if (this.interruptsOf(rule.name) >= perRule) return true;
    return this.#perRun[which] >= perRun || this.#perSession[which] >= perSession;
  }

  #passes(name: string): boolean {
    if (this.#allowed.delete(name)) this.#passing.add(name);
    return this.#passing.has(name);
  }
}

function mayInterrupt(mode: InterruptMode, source: TtsrMatch["lane"]["source"]): boolean {
  if (mode === "prose-only") return source !== "tool";
  if (mode === "tool-only") return source === "tool";
  return mode === "always";
}
