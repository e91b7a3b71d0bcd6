/**
 * Rules that hold some times before they act (`warmupMatches`). An occurrence is a block of an answer (a text, a thinking, a call) in which
 * the rule holds, however often and in however many deltas. What an answer counted stands on its message, so the count is that of the
 * branch as it is sent: `/new`, a resumed session and a switch need no word of it. An answer that did not end whole counts nothing.
 */
import type { Message, OccurrenceCount } from "../agent/messages.js";
import type { Rule } from "../capability/rule.js";
import type { TtsrMatch } from "./types.js";

/** Above it a rule waits for longer than nearly any conversation lasts. */
const MANY = 100;

/** @returns what is odd about the number; undefined where nothing is */
export function warmUpSlip({ warmupMatches = 0 }: Rule): { message: string; suggestion: string } | undefined {
  if (warmupMatches === 1) {
    const message = "`warmupMatches: 1` changes nothing: the rule acts from the first occurrence on without it.";
    return { message, suggestion: "Write 2 or more, or drop it." };
  }
  if (warmupMatches <= MANY) return undefined;
  const message = `With \`warmupMatches: ${warmupMatches}\` the rule will hardly ever act: the occurrences of each conversation are counted anew.`;
  return { message, suggestion: `Write a number up to ${MANY}.` };
}

/** @returns what the answers of a branch have counted, in their order */
export function countsIn(messages: readonly Message[]): OccurrenceCount[] {
  return messages.flatMap((message) => (message.role === "assistant" ? (message.occurrences ?? []) : []));
}

/** @returns how far the rule has come; undefined where it acts at once */
export function warmUpOf(rule: Rule, counts: readonly OccurrenceCount[]): { seen: number; of: number } | undefined {
  const { name, hash, warmupMatches: of = 0 } = rule;
  if (of <= 1) return undefined;
  // A rule that was edited is another one.
  const own = counts.filter((count) => count.rule === name && count.hash === hash);
  return { seen: own.reduce((sum, { times }) => sum + times, 0), of };
}

/** What an occurrence comes to: `waits` is told once, what follows in the same block is `known`. */
export type Warmth = "acts" | "waits" | "known";

export class WarmUps {
  /** Of the present attempt: the blocks in which a rule held, by its name. */
  readonly #blocks = new Map<string, { rule: Rule; blocks: Set<number> }>();

  /** @param counts of the answers so far */
  constructor(private readonly counts: () => readonly OccurrenceCount[]) {}

  /** An attempt begins, or the provider begins its answer anew: what was counted and stands on no message is given back. */
  open(): void {
    this.#blocks.clear();
  }

  note({ rule, lane }: TtsrMatch): Warmth {
    // Few rules count, and most answers have nothing of them.
    const warmUp = (rule.warmupMatches ?? 0) <= 1 ? undefined : warmUpOf(rule, this.counts());
    if (!warmUp) return "acts";
    let held = this.#blocks.get(rule.name);
    if (held?.rule.hash !== rule.hash) held = { rule, blocks: new Set() };
    this.#blocks.set(rule.name, held);
    const known = held.blocks.has(lane.contentIndex);
    held.blocks.add(lane.contentIndex);
    const nth = warmUp.seen + [...held.blocks].indexOf(lane.contentIndex) + 1;
    if (nth >= warmUp.of) return "acts";
    return known ? "known" : "waits";
  }

  /** The answer has ended whole. @returns its occurrences, which stand from here on */
  close(): OccurrenceCount[] {
    const counts = [...this.#blocks.values()].map(({ rule, blocks }) => {
      return { rule: rule.name, hash: rule.hash, times: blocks.size };
    });
    this.#blocks.clear();
    return counts;
  }
}
