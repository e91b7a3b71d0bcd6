/**
 * Keeps the log and the branch in step: what the agent records, and how an interrupt comes into both (TTSR-6.5, 8.2): its entry, the cut
 * message (a side branch in `discard`), the interrupt.
 */
import type { Agent } from "../agent/agent.js";
import type { AssistantMessage, Message, UserMessage } from "../agent/messages.js";
import { userText } from "../agent/messages.js";
import type { Rule } from "../capability/rule.js";
import type { PendingInterrupt } from "../ttsr/interrupt.js";
import { placesOf, ruleText } from "../ttsr/interrupt-text.js";
import { rewindPoint } from "../ttsr/rewind.js";
import type { LaneInfo, TtsrMatch } from "../ttsr/types.js";
import { viewMatch } from "../ttsr/views.js";
import type { TtsrInjection, TtsrInjectionPlace, TtsrInjectionRule } from "./session-entries.js";
import type { SessionManager } from "./session-manager.js";

/** The interrupt that is under way, as it stands in the log. */
interface OpenInterrupt {
  injection: TtsrInjection;
  batch: readonly TtsrMatch[];
  rules: string[];
  /** Once the aborted run has handed it over. */
  cut?: AssistantMessage;
}

export class Recorder {
  #open: OpenInterrupt | undefined;
  #delivered: (OpenInterrupt & { message: UserMessage }) | undefined;
  /** An interrupt that a crash held back; goes before the next words. */
  #heldBack: TtsrInjection | undefined;
  /** Ids that were promised before the message was recorded. */
  readonly #promised = new WeakMap<Message, string>();

  constructor(
    private readonly log: () => SessionManager,
    private readonly agent: () => Agent,
  ) {}

  /** Another branch. @param heldBack an interrupt of it that never reached the model */
  restore(heldBack: TtsrInjection | undefined): void {
    this.#heldBack = heldBack;
  }

  /** Saves a message of the branch. @returns its id */
  record(message: Message): string {
    const log = this.log();
    const open = this.#open;
    if (open && message.role === "assistant" && message.stopReason === "aborted") {
      message.cutBy = open.rules;
      if (open.injection.contextMode === "rewind") message.rewoundTo = rewindPoint(open.batch, message.content);
      open.cut = message;
      return log.appendMessage(message, { id: open.injection.cutMessageId });
    }
    const promised = this.#promised.get(message);
    const id = log.appendMessage(message, promised === undefined ? {} : { id: promised });
    // The points of row D3: what the user said, and what a tool may have changed.
    if (message.role !== "assistant") log.sync();
    return id;
  }

  /** On disk before anything is sent (TTSR-8.2). */
  interrupted(pending: PendingInterrupt, turn: number, discardedTokens: number): void {
    const log = this.log();
    const injection: TtsrInjection = {
      rules: pending.rules.map((rule) => entryRule(pending.batch, rule)),
      attempt: pending.attempt,
      turn,
      contextMode: pending.contextMode,
      cutMessageId: log.newId(),
      interruptMessageId: log.newId(),
      delivered: true,
      discardedTokens,
      estimated: true,
    };
    log.appendTtsrInjection(injection);
    log.sync();
    this.#open = { injection, batch: pending.batch, rules: pending.rules.map((rule) => rule.name) };
  }

  /**
   * Puts the interrupt into the branch: after history in `discard`, after what stays of the answer in `keep` and `rewind`.
   * @param visible rules whose whole text stands in the branch already (TTSR-5.3)
   */
  deliver(pending: PendingInterrupt, visible: ReadonlySet<string>): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    if (pending.contextMode === "discard") this.#dropCut(open);
    const message = interruptOf(pending.rules, pending.batch, visible);
    this.agent().append(message);
    this.log().appendMessage(message, { id: open.injection.interruptMessageId ?? this.log().newId() });
    this.log().sync();
    this.#delivered = { ...open, message };
  }

  /** Whether the branch ends with an interrupt of this rule, or with what came of its retry before that was stopped. */
  isRetryOf(rule: string): boolean {
    const { messages } = this.agent();
    const last = messages.findLast((message) => message.role !== "assistant" || !isBroken(message));
    return last !== undefined && last === this.#delivered?.message && this.#delivered.rules.includes(rule);
  }

  /** Takes the interrupt with which the branch ends out of it again (TTSR-10.3). @returns its rules */
  withdraw(): readonly string[] {
    const last = this.#delivered;
    const agent = this.agent();
    if (!last || agent.messages.at(-1) !== last.message) return [];
    this.#delivered = undefined;
    agent.popMessage();
    this.#dropCut(last);
    this.log().appendTtsrInjection({ ...last.injection, delivered: false });
    this.log().sync();
    return last.rules;
  }

  /** TTSR-9.2: nothing of the cut attempt is sent, and the log says that the interrupt was not delivered. */
  cancelled(): AssistantMessage | undefined {
    const open = this.#open;
    if (!open) return undefined;
    this.#open = undefined;
    this.#dropCut(open);
    const log = this.log();
    log.appendTtsrInjection({ ...open.injection, delivered: false });
    log.sync();
    return open.cut;
  }

  /**
   * The interrupt that a crash held back (TTSR-8.2), once: made anew from its entry, and recorded under the id that the entry promised.
   * @param ruleNamed the rule as it is now; one that is gone is quoted by name
   * @param visible as for `deliver`
   */
  takeHeldBack(ruleNamed: (name: string) => Rule | undefined, visible: ReadonlySet<string>): UserMessage[] {
    const entry = this.#heldBack;
    this.#heldBack = undefined;
    if (!entry) return [];
    const rules = entry.rules.map((cut) => ruleNamed(cut.name) ?? goneRule(cut.name, cut.path));
    const batch = entry.rules.flatMap((cut, index) => {
      const rule = rules[index];
      return rule ? [cut, ...(cut.others ?? [])].map((place) => matchOf(rule, place)) : [];
    });
    const message = interruptOf(rules, batch, visible);
    if (entry.interruptMessageId !== undefined) this.#promised.set(message, entry.interruptMessageId);
    return [message];
  }

  /** An answer at the end of the branch that failed or was stopped leaves it. */
  dropBroken(): void {
    const last = this.agent().messages.at(-1);
    if (last?.role !== "assistant" || !isBroken(last)) return;
    this.agent().popMessage();
    this.log().dropLeaf();
  }

  #dropCut(open: OpenInterrupt): void {
    const { messages } = this.agent();
    if (open.cut && messages.at(-1) === open.cut) this.agent().popMessage();
  }
}

/** One synthetic user message for all rules of a batch (TTSR-6.2). */
function interruptOf(rules: readonly Rule[], batch: readonly TtsrMatch[], visible: ReadonlySet<string>): UserMessage {
  const texts = rules.map((rule) => {
    const said = visible.has(rule.name);
    return ruleText(said ? "again" : "interrupt", rule, batch, !said);
  });
  const names = rules.map(({ name }) => name);
  const again = names.filter((name) => visible.has(name));
  const told = { rules: names, ...(again.length > 0 ? { again } : {}) };
  return userText(texts.join("\n\n"), { synthetic: "ttsr-interrupt", ...told });
}

/** An answer that ended before its time. */
function isBroken({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted";
}

/** The other way round of `entryPlace`. */
function matchOf(rule: Rule, place: TtsrInjectionPlace): TtsrMatch {
  const { lane, filePath, start, end, excerpt, repeats } = place;
  const [, before] = /^tool:([^.]*)/.exec(lane) ?? [];
  const toolName = place.toolName ?? before;
  const argument = toolName === undefined ? "" : lane.slice(`tool:${toolName}.`.length);
  const info: LaneInfo = {
    source: lane === "text" || lane === "thinking" ? lane : "tool",
    contentIndex: 0,
    ...(toolName === undefined ? {} : { toolName }),
    ...(argument === "" ? {} : { argument }),
    ...(filePath === undefined ? {} : { filePath }),
  };
  return { rule, trigger: 0, lane: info, start, end, excerpt, ...(repeats === undefined ? {} : { repeats }) };
}

function goneRule(name: string, path: string): Rule {
  return { name, path, provider: "gone", content: "", ttsrTrigger: [], scope: [], globs: [], hash: "" };
}

function entryRule(batch: readonly TtsrMatch[], rule: Rule): TtsrInjectionRule {
  const [first, ...others] = placesOf(rule, batch).map(entryPlace);
  if (!first) throw new Error(`No match of rule ${rule.name} in its own batch`);
  const { name, hash, path } = rule;
  return { name, hash, path, ...first, ...(others.length > 0 ? { others } : {}) };
}

function entryPlace(match: TtsrMatch): TtsrInjectionPlace {
  const { source, toolName, argument, filePath, excerpt, start, end } = viewMatch(match);
  const part = argument === undefined ? "" : `.${argument}`;
  return {
    lane: source === "tool" ? `tool:${toolName}${part}` : source,
    ...(toolName?.includes(".") ? { toolName } : {}),
    ...(filePath === undefined ? {} : { filePath }),
    excerpt,
    start,
    end,
    ...(match.repeats === undefined ? {} : { repeats: match.repeats }),
  };
}
