/** Which rules may hold on a text: one pass for all of them, whatever their scopes and zones. Most files need no closer look. */
import type { Rule } from "../../capability/rule.js";
import { Fold, firstFold } from "../fold.js";
import {
  type CursorMark,
  compileTriggers,
  type MatcherSet,
  type StreamCursor,
  type TriggerSource,
} from "../matcher/index.js";
import { loosen } from "./loosen.js";

export class Sieve {
  readonly #sources = new Map<string, TriggerSource[]>();
  /** Let through everywhere: nothing can be said of them in one pass. */
  readonly #always = new Set<string>();
  /** Let through wherever something folds: the folded copy of a view is no view of the folded copy. */
  readonly #zoned: readonly string[];
  #set: MatcherSet;
  #reader: { cursor: StreamCursor; start: CursorMark } | undefined;

  /** @param rules of distinct names */
  constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      const sources = sourcesOf(rule);
      if (sources) this.#sources.set(rule.name, sources);
      else this.#always.add(rule.name);
    }
    this.#zoned = rules.filter(({ in: zones = [] }) => zones.length > 0).map(({ name }) => name);
    this.#set = this.#compile();
  }

  /** @returns names; every rule that holds on the text, its folded copy, or a view of either, is among them */
  candidates(text: string): Set<string> {
    const found = new Set(this.#always);
    this.#pass(text, found);
    if (firstFold(text) >= 0) {
      const fold = new Fold(0);
      this.#pass(fold.push(text) + fold.close(), found);
      for (const name of this.#zoned) found.add(name);
    }
    return found;
  }

  #pass(text: string, found: Set<string>): void {
    this.#reader ??= this.#open();
    const { cursor, start } = this.#reader;
    cursor.restore(start);
    for (const { ruleId } of cursor.feed(text)) found.add(ruleId);
    for (const { ruleId } of cursor.end().now) found.add(ruleId);
    if (this.#set.diagnostics.some(({ code }) => code === "demoted")) this.#letThrough(found);
  }

  #open(): { cursor: StreamCursor; start: CursorMark } {
    const cursor = this.#set.open(() => true);
    return { cursor, start: cursor.save() };
  }

  /** A trigger turned out to be too costly for this. */
  #letThrough(found: Set<string>): void {
    for (const { ruleId, code } of this.#set.diagnostics) {
      if (code !== "demoted") continue;
      this.#sources.delete(ruleId);
      this.#always.add(ruleId);
      found.add(ruleId);
    }
    this.#set.dispose();
    this.#set = this.#compile();
    this.#reader = undefined;
  }

  #compile(): MatcherSet {
    return compileTriggers([...this.#sources.values()].flat());
  }
}

/** @returns undefined where one of the triggers cannot be followed unit by unit, however loosely */
function sourcesOf({ name, ttsrTrigger, in: zones = [] }: Rule): TriggerSource[] | undefined {
  const sources: TriggerSource[] = [];
  for (const [index, pattern] of ttsrTrigger.entries()) {
    const source = { ruleId: name, pattern, index };
    const tier = compileTriggers([source]).tierOf(name);
    // A trigger that does not compile finds nothing in the lanes either.
    if (tier === "rejected") continue;
    const chosen = tier === 1 && zones.length === 0 ? source : { ...source, pattern: loosen(pattern) };
    if (chosen !== source && compileTriggers([chosen]).tierOf(name) !== 1) return undefined;
    sources.push(chosen);
  }
  return sources;
}
