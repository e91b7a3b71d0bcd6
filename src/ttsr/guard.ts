/** The guard that the loop drives: monitor → policy → interrupt, reminder, blocked call. */
import type { AgentEvent } from "../agent/events.js";
import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage, UserMessage } from "../agent/messages.js";
import type { GuardVerdict, Leak, StreamGuard, StreamPart, Tool } from "../agent/ports.js";
import type { Rule } from "../capability/rule.js";
import { AttachedRules } from "./attached-rules.js";
import { diskBaseline } from "./baseline.js";
import { LeakWatch, type PlacedLeak } from "./leaks/leak-watch.js";
import type { Ledger } from "./ledger.js";
import type { TtsrManager } from "./manager.js";
import { createMonitor, type TtsrMonitor } from "./monitor.js";
import type { RulePolicy, Verdict } from "./policy.js";
import { projectPaths } from "./project-path.js";
import { Reminders } from "./reminders.js";
import type { InjectedRule, TtsrMatch } from "./types.js";
import { rulesOf, viewMatch } from "./views.js";
import { visibleRules } from "./visible.js";
import { countsIn, WarmUps } from "./warm-up.js";

export interface GuardDeps {
  manager: TtsrManager;
  policy: RulePolicy;
  ledger: Ledger;
  cwd: string;
  /** All rules that hold, those without a trigger included. */
  rules(): readonly Rule[];
  tools(name: string): Tool | undefined;
  /** The branch that will be sent. */
  messages(): readonly Message[];
  emit(event: AgentEvent): void;
  /** Cuts the attempt off, in the same synchronous step. */
  interrupt(batch: readonly TtsrMatch[]): void;
}

export class TtsrGuard implements StreamGuard {
  readonly #monitor: TtsrMonitor;
  readonly #reminders: Reminders;
  readonly #attached: AttachedRules;
  readonly #leaks = new LeakWatch();
  #leakEnds = false;
  /** One that is settled by the part at hand and ends the attempt. */
  #ending: PlacedLeak | undefined;
  readonly #warmUps: WarmUps;
  /** Whether the present attempt does. */
  #goesOn: () => boolean = () => false;
  /** Rules whose spent budget was already told in this run. */
  readonly #told = new Set<string>();
  /** Characters that the present attempt has written, and the output tokens that the provider told of it. */
  #written = 0;
  #toldOutput = 0;

  constructor(private readonly deps: GuardDeps) {
    const { manager, tools, cwd } = deps;
    this.#monitor = createMonitor({ manager, tools, cwd, onBatch: (matches) => this.#onBatch(matches) });
    this.#attached = new AttachedRules({
      rules: deps.rules,
      tools,
      toProjectPath: projectPaths(cwd),
      fileText: diskBaseline(cwd),
      visible: (name) => this.visible().has(name),
    });
    this.#warmUps = new WarmUps(() => countsIn(deps.messages()));
    this.#reminders = new Reminders({
      visible: (name) => this.visible().has(name),
      markInjected: (rules) => manager.markInjected(rules),
    });
  }

  /** Rules whose whole text stands in the branch that will be sent (TTSR-5.1). */
  visible(): Set<string> {
    return visibleRules(this.deps.messages());
  }

  runStarted(): void {
    this.deps.policy.renewRun();
    this.#told.clear();
  }

  /**
   * Another branch: the start, `/new`, a resumed session.
   * @param injected what its log knows of the rules that were put before the model in it
   */
  restore(injected: readonly InjectedRule[]): void {
    const { manager } = this.deps;
    this.#reminders.clear();
    manager.resetBuffer();
    manager.restoreInjected(injected);
    manager.setVisible(this.visible());
  }

  open(goesOn: () => boolean, leakEnds: boolean): void {
    this.#leaks.open();
    this.#leakEnds = leakEnds;
    this.#reminders.open();
    this.#attached.open();
    this.#warmUps.open();
    this.#goesOn = goesOn;
    this.deps.manager.setVisible(this.visible());
    this.#monitor.open(goesOn);
    this.#written = 0;
    this.#toldOutput = 0;
  }

  /** Output tokens of the present attempt; estimated, about four characters each, until the provider tells (TTSR-6.8). */
  get outputTokens(): number {
    return Math.max(this.#toldOutput, Math.ceil(this.#written / 4));
  }

  inspect(part: StreamPart): GuardVerdict | Leak {
    if (part.type === "text_delta" || part.type === "thinking_delta" || part.type === "args_delta") {
      this.#written += part.text.length;
    } else if (part.type === "usage" || part.type === "finish") {
      this.#toldOutput = part.usage.output;
    } else if (part.type === "start") {
      this.#warmUps.open();
    }
    const leak = this.#leaks.inspect(part);
    if (!leak) return this.#monitor.inspect(part);
    this.#ending = this.#leakEnds ? leak : undefined;
    const verdict = this.#monitor.inspect(part);
    this.#ending = undefined;
    return verdict === "cut" ? "cut" : leak;
  }

  async close(message: AssistantMessage, signal?: AbortSignal): Promise<GuardVerdict> {
    const goesOn = this.#goesOn;
    const verdict = await this.#monitor.close(message, signal);
    if (verdict === "pass") {
      // Esc may have come while verdicts were awaited.
      const occurrences = goesOn() ? this.#warmUps.close() : [];
      if (occurrences.length > 0) message.occurrences = occurrences;
      this.#reminders.close();
      this.#attached.close(message);
      this.deps.policy.messageEnded();
    }
    for (const { rule, severity, message: text } of this.deps.manager.takeNews()) {
      if (severity === "info") continue;
      this.deps.emit({ type: "notice", level: "warning", code: "rule-slow", message: `Rule ${rule}: ${text}` });
    }
    return verdict;
  }

  blocked(call: ToolCallBlock): { text: string; reason: string } | undefined {
    return this.#reminders.blocked(call.id);
  }

  amend(result: ToolResultMessage): ToolResultMessage {
    return this.#reminders.amend(this.#attached.amend(result));
  }

  turnEnded(): void {
    this.deps.manager.turnEnded();
  }

  /** Reminders that go with the next request. */
  takeReminders(): UserMessage[] {
    return this.#reminders.takeProse();
  }

  /** Rules that hold in the same step (TTSR-4.1). Each keeps its own mode. */
  #onBatch(found: readonly TtsrMatch[]): GuardVerdict {
    const { policy, ledger } = this.deps;
    // However the stream is cut: what settles first has the word.
    const limit = this.#ending?.end ?? Number.POSITIVE_INFINITY;
    const matches = found.filter(({ end }) => end < limit);
    const noted = matches.map((match) => ({ match, warmth: this.#warmUps.note(match) }));
    const heard = noted.filter(({ warmth }) => warmth !== "known");
    for (const rule of rulesOf(heard.map(({ match }) => match))) ledger.hit(rule.name);
    const batch: TtsrMatch[] = [];
    for (const { match, warmth } of heard) {
      const verdict = policy.decide(match, warmth === "waits");
      if (verdict.action === "interrupt") batch.push(match);
      // Each of them: a rule past its budget may match several calls, and none of them is to run.
      else this.#hold(match, verdict);
    }
    if (batch.length === 0) return "pass";
    policy.count(rulesOf(batch));
    this.deps.interrupt(batch);
    return "cut";
  }

  #hold(match: TtsrMatch, { action, reason }: Exclude<Verdict, { action: "interrupt" }>): void {
    if (action === "reminder" && !this.#reminders.reserve(match)) return;
    if (action === "blocked" && match.lane.toolCallId !== undefined) {
      this.#reminders.block(match.lane.toolCallId, match);
    }
    this.deps.emit({ type: "ttsr_suppressed", rule: match.rule.name, reason, match: viewMatch(match), action });
    if (reason === "budget" && !this.#told.has(match.rule.name)) {
      this.#told.add(match.rule.name);
      const then = action === "blocked" ? "such calls are not run" : "the answer is delivered with a reminder";
      const message = `Rule ${match.rule.name} has used up its interrupts; from here on ${then}.`;
      this.deps.emit({ type: "notice", level: "warning", code: "ttsr-budget", message });
    }
  }
}
