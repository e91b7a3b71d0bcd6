/** Finished calls before the rules on calls, and what is to be told where one could not be decided: once a rule. */
import type { Rule } from "../../capability/rule.js";
import type { TtsrMatch } from "../types.js";
import type { RuleWatch } from "../watch.js";
import { checkCall, type FinishedCall } from "./check-call.js";

interface Undecided {
  rule: Rule;
  finding: { severity: "warning"; code: "undecided"; message: string };
}

export class CallChecks {
  readonly #told = new Set<string>();
  #news: Undecided[] = [];

  /** @param watches with conditions on calls, of rules that may fire */
  check(call: FinishedCall, watches: readonly RuleWatch[]): TtsrMatch[] {
    const { matches, undecided } = checkCall(call, watches);
    for (const rule of undecided) {
      if (this.#told.has(rule.name)) continue;
      this.#told.add(rule.name);
      const message = `A call of ${call.call.name} was too large, or its \`callCondition\` too costly, to be checked; it was let pass.`;
      this.#news.push({ rule, finding: { severity: "warning", code: "undecided", message } });
    }
    return matches;
  }

  /** @returns what was not told yet */
  takeNews(): Undecided[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** The rules have changed. */
  forget(): void {
    this.#told.clear();
  }
}
