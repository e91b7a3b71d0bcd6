import type { Rule } from "../capability/rule.js";
import type { InjectedRule, SettingsOf } from "./types.js";

interface Injection {
  /** In turns of this session. */
  at: number;
  /** Of the rule as it was injected; "" where nobody knows: then it counts for any. */
  hash: string;
}

/** Which rules were put before the model, and so whether they may fire again (TTSR-5.1, 5.2, 5.3). */
export class Repeats {
  readonly #injected = new Map<string, Injection>();
  /** The times before the last ones, for what comes to nothing. */
  readonly #before = new Map<string, Injection>();
  /** Rules whose text stands in the context that will be sent; undefined: all that were injected. */
  #visible: Set<string> | undefined;
  #messageCount = 0;

  constructor(private readonly settings: SettingsOf) {}

  mayFire(rule: Rule): boolean {
    const { repeatMode, repeatGap } = this.settings(rule);
    const mode = rule.repeatMode ?? repeatMode;
    const injection = this.#injected.get(rule.name);
    if (mode === "always") return true;
    // A rule that was edited is another one.
    if (injection && injection.hash !== "" && injection.hash !== rule.hash) return true;
    if (mode === "once") return this.#visible ? !this.#visible.has(rule.name) : !injection;
    return !injection || this.#messageCount - injection.at >= (rule.repeatGap ?? repeatGap);
  }

  mark(rules: readonly Rule[]): void {
    for (const { name, hash } of rules) {
      const before = this.#injected.get(name);
      if (before) this.#before.set(name, before);
      this.#injected.set(name, { at: this.#messageCount, hash });
      this.#visible?.add(name);
    }
  }

  unmark(names: readonly string[]): void {
    for (const name of names) {
      const before = this.#before.get(name);
      if (before) this.#injected.set(name, before);
      else this.#injected.delete(name);
      this.#visible?.delete(name);
    }
  }

  /** Replaces what was known: another branch, another session. */
  restore(rules: readonly (string | InjectedRule)[]): void {
    this.#injected.clear();
    this.#before.clear();
    this.#visible = undefined;
    for (const rule of rules) {
      const { name, hash, turnsAgo } = typeof rule === "string" ? { name: rule, hash: "", turnsAgo: 0 } : rule;
      this.#injected.set(name, { at: this.#messageCount - turnsAgo, hash });
    }
  }

  setVisible(names: Iterable<string>): void {
    this.#visible = new Set(names);
  }

  /** @returns the turn in which the rule was last injected, counted from the present one; undefined: never */
  turnsSince(name: string): number | undefined {
    const injection = this.#injected.get(name);
    return injection && this.#messageCount - injection.at;
  }

  turnEnded(): void {
    this.#messageCount++;
  }
}
