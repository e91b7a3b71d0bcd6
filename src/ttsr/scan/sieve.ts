/** Which rules may hold on a text: one pass for all of them, whatever their scopes and zones. Most files need no closer look. */
import type { Rule } from "../../capability/rule.js";
import { Fold, firstFold } from "../fold.js";
import {
  type CursorMark,
  compileTriggers,
  type Diagnostic,
  type MatcherSet,
  type StreamCursor,
  type TriggerMemory,
  type TriggerSource,
} from "../matcher/index.js";
import { loosen } from "./loosen.js";

export class Sieve {
  readonly #sources = new Map<string, TriggerSource[]>();
  /** Let through everywhere: nothing can be said of them in one pass. */
  readonly #always = new Set<string>();
  /** Let through wherever something folds: the folded copy of a view is no view of the folded copy. */
  readonly #zoned: ReadonlySet<string>;
  #set: MatcherSet;
  #reader: { cursor: StreamCursor; start: CursorMark } | undefined;

  /**
   * @param rules of distinct names, that a manager has registered
   * @param memory of that manager
   */
  constructor(
    rules: readonly Rule[],
    private readonly memory: TriggerMemory,
  ) {
    this.#zoned = new Set(rules.filter(({ in: zones = [] }) => zones.length > 0).map(({ name }) => name));
    for (const rule of rules) this.#sources.set(rule.name, sourcesOf(rule, this.#zoned.has(rule.name)));
    this.#set = this.#compile();
    const slow = rules.filter(({ name }) => this.#set.tierOf(name) === 2);
    for (const rule of slow) this.#sources.set(rule.name, sourcesOf(rule, true));
    if (slow.length > 0) this.#set = this.#compile();
    const loosened = new Set([...this.#zoned, ...slow.map(({ name }) => name)]);
    this.#letThrough(
      ({ ruleId, severity }) => loosened.has(ruleId) && (severity === "error" || this.#set.tierOf(ruleId) === 2),
    );
  }

  /** @returns names; every rule that holds on the text, its folded copy, or a view of either, is among them */
  candidates(text: string): Set<string> {
    const found = new Set<string>();
    this.#pass(text, found);
    if (firstFold(text) >= 0) {
      const fold = new Fold(0);
      this.#pass(fold.push(text) + fold.close(), found);
      for (const name of this.#zoned) found.add(name);
    }
    for (const name of this.#always) found.add(name);
    return found;
  }

  #pass(text: string, found: Set<string>): void {
    this.#reader ??= this.#open();
    const { cursor, start } = this.#reader;
    cursor.restore(start);
    for (const { ruleId } of cursor.feed(text)) found.add(ruleId);
    for (const { ruleId } of cursor.end().now) found.add(ruleId);
    // A trigger may turn out to be too costly for this.
    this.#letThrough(({ code }) => code === "demoted");
  }

  #open(): { cursor: StreamCursor; start: CursorMark } {
    const cursor = this.#set.open(() => true);
    return { cursor, start: cursor.save() };
  }

  /** Rules of which one of these things is to be told are let through from now on. */
  #letThrough(which: (diagnostic: Diagnostic) => boolean): void {
    const found = this.#set.diagnostics.filter(which);
    if (found.length === 0) return;
    for (const { ruleId } of found) {
      this.#sources.delete(ruleId);
      this.#always.add(ruleId);
    }
    this.#set.dispose();
    this.#set = this.#compile();
    this.#reader = undefined;
  }

  #compile(): MatcherSet {
    return compileTriggers([...this.#sources.values()].flat(), {}, this.memory);
  }
}

function sourcesOf({ name, ttsrTrigger }: Rule, loosely: boolean): TriggerSource[] {
  return ttsrTrigger.map((pattern, index) => ({
    ruleId: name,
    pattern: loosely ? loosen(pattern) : pattern,
    index,
  }));
}
