/**
 * Matches that may not interrupt become reminders (TTSR-6.6): reserve → deliver → commit. What an attempt reserved counts only when the
 * attempt ends whole; a reminder that was never delivered is not spent.
 */
import type { ToolResultMessage, UserMessage } from "../agent/messages.js";
import { userText } from "../agent/messages.js";
import type { Rule } from "../capability/rule.js";
import { ruleText } from "./interrupt-text.js";
import type { TtsrMatch } from "./types.js";
import { rulesOf } from "./views.js";

export interface ReminderPort {
  /** Whether the rule's text stands in the context that will be sent. */
  visible(name: string): boolean;
  markInjected(rules: readonly Rule[]): void;
}

export class Reminders {
  /** Of the present attempt, by rule name. */
  #attempt: TtsrMatch[] = [];
  #blocked = new Map<string, TtsrMatch[]>();
  /** Of a finished attempt, waiting for their call's result. */
  #calls = new Map<string, TtsrMatch[]>();
  /** Of prose, waiting for the next request. */
  #prose: TtsrMatch[] = [];

  constructor(private readonly port: ReminderPort) {}

  /** @returns false when the rule already waits: one reminder, which names every place, however often it matches */
  reserve(match: TtsrMatch): boolean {
    const waits = (other: TtsrMatch): boolean => other.rule.name === match.rule.name;
    if (this.#prose.some(waits)) return false;
    const first = !this.#attempt.some(waits);
    this.#attempt.push(match);
    return first;
  }

  /** This call is answered with the rule instead of being run (TTSR-5.5). */
  block(toolCallId: string, match: TtsrMatch): void {
    push(this.#blocked, toolCallId, match);
  }

  /** A new attempt begins: what the last one reserved and nobody took is rolled back. */
  open(): void {
    this.#attempt = [];
    this.#blocked.clear();
    this.#calls.clear();
  }

  /** The attempt has ended whole: its reservations hold. */
  close(): void {
    /** Where the first of a rule goes, the others go too. */
    const homes = new Map<string, string | undefined>();
    for (const match of this.#attempt) {
      const { name } = match.rule;
      if (!homes.has(name)) homes.set(name, match.lane.toolCallId);
      const toolCallId = homes.get(name);
      if (toolCallId === undefined) this.#prose.push(match);
      else push(this.#calls, toolCallId, match);
    }
    this.#attempt = [];
  }

  /** @returns why a call is blocked: the text of its error result, and the rules' own sentences */
  blocked(toolCallId: string): { text: string; reason: string } | undefined {
    const matches = this.#blocked.get(toolCallId);
    return (
      matches && {
        text: this.#texts("blocked", matches).join("\n\n"),
        reason: rulesOf(matches)
          .map((rule) => `${rule.name}: ${sentenceOf(rule)}`)
          .join(" "),
      }
    );
  }

  /** Puts waiting reminders in front of the result; from here on they are spent. */
  amend(result: ToolResultMessage): ToolResultMessage {
    const blocked = this.#blocked.get(result.toolCallId) ?? [];
    const reminders = this.#calls.get(result.toolCallId) ?? [];
    if (blocked.length + reminders.length === 0) return result;
    const texts = this.#texts("reminder", reminders).map((text) => ({ type: "text" as const, text: `${text}\n` }));
    const told = this.#told([...blocked, ...reminders]);
    this.#calls.delete(result.toolCallId);
    return {
      ...result,
      ...told,
      content: [...texts, ...result.content],
      rules: [...(result.rules ?? []), ...told.rules],
    };
  }

  /** @returns what goes with the next request; from here on it is spent */
  takeProse(): UserMessage[] {
    if (this.#prose.length === 0) return [];
    const matches = this.#prose;
    this.#prose = [];
    const text = this.#texts("reminder", matches).join("\n\n");
    return [userText(text, { synthetic: "ttsr-reminder", ...this.#told(matches) })];
  }

  /** `/new`, a switch: nothing waits any more. */
  clear(): void {
    this.open();
    this.#prose = [];
  }

  /** From here on these are spent. @returns what the message that carries them says of itself */
  #told(matches: readonly TtsrMatch[]): { rules: string[]; again?: string[] } {
    const rules = rulesOf(matches);
    const names = rules.map((rule) => rule.name);
    const again = names.filter((name) => this.port.visible(name));
    this.port.markInjected(rules);
    return { rules: names, ...(again.length > 0 ? { again } : {}) };
  }

  /** @returns one text a rule */
  #texts(kind: "reminder" | "blocked", matches: readonly TtsrMatch[]): string[] {
    return rulesOf(matches).map((rule) => ruleText(kind, rule, matches, !this.port.visible(rule.name)));
  }
}

/** For people: what the rule is about. */
function sentenceOf({ description, content }: Rule): string {
  const words = (description ?? content.trim().split("\n", 1)[0] ?? "").trim();
  return words === "" || /[.!?…]$/.test(words) ? words : `${words}.`;
}

function push(map: Map<string, TtsrMatch[]>, key: string, match: TtsrMatch): void {
  const list = map.get(key);
  if (list) list.push(match);
  else map.set(key, [match]);
}
