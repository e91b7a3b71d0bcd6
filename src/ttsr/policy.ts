/**
 * What follows from a match (TTSR-5.5, 5.6, 6.6): interrupt, reminder, blocked call, or nothing. Counts interrupts per rule and run, per
 * run, and per session, so nothing can loop for ever.
 */
import type { SuppressedReason } from "../agent/events.js";
import type { Rule } from "../capability/rule.js";
import type { InterruptMode, SettingsOf, TtsrMatch } from "./types.js";

export type Verdict = { action: "interrupt" } | { action: "reminder" | "blocked" | "none"; reason: SuppressedReason };

export class RulePolicy {
  readonly #perRule = new Map<string, number>();
  #perRun = 0;
  #perSession = 0;
  readonly #muted = new Set<string>();
  /** Let through once, not used yet. */
  readonly #allowed = new Set<string>();
  /** Let through in the answer that is being written. */
  readonly #passing = new Set<string>();

  constructor(private readonly settings: SettingsOf) {}

  /** A new prompt: the budgets of the run are whole again. */
  runStarted(): void {
    this.#perRule.clear();
    this.#perRun = 0;
  }

  /** `/new` or a resumed session: interrupts that already stand in its log. */
  restore(interrupts: number): void {
    this.#perSession = interrupts;
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
    this.#perRun++;
    this.#perSession++;
    for (const rule of rules) this.#perRule.set(rule.name, this.interruptsOf(rule.name) + 1);
  }

  /** Interrupts of this rule in the present run. */
  interruptsOf(name: string): number {
    return this.#perRule.get(name) ?? 0;
  }

  /** The rule may not interrupt any more: in this run, or in this session. */
  isSpent(rule: Pick<Rule, "name" | "provider">): boolean {
    const { perRule, perRun, perSession } = this.settings(rule).budget;
    return this.interruptsOf(rule.name) >= perRule || this.#perRun >= perRun || this.#perSession >= perSession;
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
