/**
 * One conversation: the conductor. It owns the queue and the only right to abort, joins the loop, the guard, the interrupt and the log,
 * and tells everybody what happens. What each of them does is theirs.
 */
import { Agent, type AgentPorts } from "../agent/agent.js";
import type { AgentEvent, AgentListener } from "../agent/events.js";
import type { AbortReason, Message, ThinkingLevel, Usage, UserMessage } from "../agent/messages.js";
import { addUsage, NO_USAGE, userText } from "../agent/messages.js";
import type { Clock, ModelStream, Tool, ToolGate } from "../agent/ports.js";
import type { RetryPolicy } from "../agent/retry.js";
import type { Rule } from "../capability/rule.js";
import type { CustomTool } from "../extensibility/custom-tools/custom-tools.js";
import type { Extension } from "../extensibility/extensions/runner.js";
import type { Hooks } from "../extensibility/hooks/hooks.js";
import type { PermissionMode } from "../permissions/types.js";
import { reasonOf } from "../platform/errors.js";
import { TtsrGuard } from "../ttsr/guard.js";
import { TtsrInterrupt } from "../ttsr/interrupt.js";
import { Ledger } from "../ttsr/ledger.js";
import type { TtsrManager } from "../ttsr/manager.js";
import { RulePolicy } from "../ttsr/policy.js";
import type { SettingsOf } from "../ttsr/types.js";
import { Announcer } from "./announcer.js";
import type { RunAudit } from "./exit-audit.js";
import type { Notice } from "./notice.js";
import { isBroken, Recorder } from "./recorder.js";
import type { SessionRules } from "./rule-book.js";
import { RuleDesk } from "./rule-desk.js";
import { type RunSummary, RunTally } from "./run-summary.js";
import type { TtsrInjection } from "./session-entries.js";
import type { SessionManager } from "./session-manager.js";
import type { Surroundings } from "./surroundings.js";
import type { FalseAlarm, RuleStatus, SessionState } from "./ui.js";

export interface SessionLimits {
  maxTurns?: number;
  /** US dollars; needs `costOf`. */
  maxCost?: number;
  timeoutMs?: number;
}

export interface SessionDeps {
  cwd: string;
  /** What is to be told before the first prompt: broken rules, ignored settings, a repaired log. */
  startNotices: readonly Notice[];
  log: SessionManager;
  /** For `/new`. */
  createLog(): SessionManager;
  model: ModelStream;
  thinking: ThinkingLevel;
  tools: readonly Tool[];
  customTools: readonly CustomTool[];
  extensions: readonly Extension[];
  gate: ToolGate;
  permissionMode: { current: PermissionMode };
  system(): string;
  ttsr: TtsrManager;
  ttsrSettings: SettingsOf;
  /** Every rule that was found, whatever its state, and what becomes of its file. */
  rules: SessionRules;
  /** The last look of a run at what it has written. */
  audit: RunAudit;
  /** Writes a text into a rule's own file as an example on which it must stay silent. */
  addSilentExample(path: string, example: FalseAlarm): Promise<void>;
  surroundings: Surroundings;
  retry: RetryPolicy;
  limits: SessionLimits;
  /** US dollars that an answer of this model cost; undefined where its price is not known. */
  costOf(usage: Usage, model: { provider: string; model: string }): number | undefined;
  clock: Clock;
  random(): number;
}

/** One run that somebody waits for. */
interface Waiting {
  tally: RunTally;
  done: Promise<RunSummary>;
  resolve(summary: RunSummary): void;
  stopTimer(): void;
}

export class AgentSession {
  readonly #agent: Agent;
  readonly #guard: TtsrGuard;
  readonly #interrupt: TtsrInterrupt;
  readonly #policy: RulePolicy;
  readonly #ledger = new Ledger();
  readonly #desk: RuleDesk;
  readonly #recorder: Recorder;
  readonly #announcer: Announcer;
  #log: SessionManager;
  #model: ModelStream;
  #thinking: ThinkingLevel;
  #queue: string[] = [];
  #steer: string[] = [];
  #waiting: Waiting | undefined;
  #usage: Usage = { ...NO_USAGE };
  #contextTokens = 0;
  /** Of the run, US dollars, each answer at the price of its model; what has no known price counts nothing. */
  #runCost = 0;
  /** An interrupt that a crash held back; goes before the next words. */
  #heldBack: TtsrInjection | undefined;
  #cancelling: Promise<boolean> | undefined;

  constructor(private readonly deps: SessionDeps) {
    this.#log = deps.log;
    this.#model = deps.model;
    this.#thinking = deps.thinking;
    this.#announcer = new Announcer(deps.extensions, deps.customTools, (rules) => deps.rules.add(rules));
    this.#policy = new RulePolicy(deps.ttsrSettings);
    this.#desk = new RuleDesk({
      statuses: () => deps.rules.statuses(),
      manager: deps.ttsr,
      policy: this.#policy,
      ledger: this.#ledger,
      messages: () => this.#agent.messages,
      addSilentExample: deps.addSilentExample,
    });
    this.#recorder = new Recorder(
      () => this.#log,
      () => this.#agent,
    );
    this.#guard = new TtsrGuard({
      manager: deps.ttsr,
      policy: this.#policy,
      ledger: this.#ledger,
      cwd: deps.cwd,
      rules: () => deps.rules.items,
      tools: (name) => deps.tools.find((tool) => tool.name === name),
      messages: () => this.#agent.messages,
      emit: (event) => this.#emit(event),
      interrupt: (batch) => this.#interrupt.trigger(batch),
    });
    this.#agent = new Agent(this.#agentPorts());
    this.#interrupt = this.#createInterrupt();
    this.#restore();
    this.#announcer.news({ reason: "start" });
    deps.rules.open((notice) => this.#emit(notice));
  }

  get id(): string {
    return this.#log.id;
  }

  get cwd(): string {
    return this.deps.cwd;
  }

  get startNotices(): readonly Notice[] {
    return this.deps.startNotices;
  }

  /** Entries that a failing disk keeps from being saved. */
  get unsaved(): number {
    return this.#log.unsaved;
  }

  /** Tells what came up after the start: the log's faults, say. */
  tell(notice: Notice): void {
    this.#emit(notice);
  }

  /** True from the abort of a rule's interrupt to its retry: an aborted message is then no failure. */
  get isTtsrAbortPending(): boolean {
    return this.#interrupt.isAbortPending;
  }

  get messages(): readonly Message[] {
    return this.#agent.messages;
  }

  get state(): SessionState {
    return {
      id: this.#log.id,
      cwd: this.deps.cwd,
      file: this.#log.file,
      running: this.#waiting !== undefined,
      model: {
        provider: this.#model.provider,
        model: this.#model.model,
        contextWindow: this.#model.contextWindow,
      },
      thinking: this.#thinking,
      permissionMode: this.deps.permissionMode.current,
      queue: [...this.#steer, ...this.#queue],
      steering: this.#steer.length,
      usage: this.#usage,
      contextTokens: this.#contextTokens,
      ttsr: {
        enabled: this.deps.ttsr.getSettings().enabled,
        armed: this.#desk.armed,
        interrupts: this.#ledger.interrupts,
        discardedTokens: this.#ledger.discardedTokens,
      },
    };
  }

  rules(): RuleStatus[] {
    return this.#desk.rules();
  }

  muteRule(name: string, muted: boolean): void {
    this.#policy.mute(name, muted);
  }

  /**
   * "Let it through once" (TTSR-10.3). When the conversation stands at the retry of an interrupt of this rule, the interrupt is taken
   * back and the model is asked again; otherwise the next answer in which the rule holds is let through.
   */
  async allowRuleOnce(name: string): Promise<"asked-again" | "next-match"> {
    this.#policy.allowOnce(name);
    if (!(await this.#cancelInterrupt())) {
      if (!this.#recorder.isRetryOf(name)) return "next-match";
      this.#agent.abort("user");
      await this.#agent.settled;
      // The retry may have come to its end while it was being stopped.
      if (!this.#recorder.isRetryOf(name) || this.#waiting) return "next-match";
      this.#dropBroken();
      this.deps.ttsr.unmarkInjected(this.#recorder.withdraw());
    }
    this.#startWaiting();
    void this.#agent.continue();
    return "asked-again";
  }

  /** Writes into the rule's file that it must stay silent on this text. @throws UserError where the file may not or cannot be changed */
  reportFalseAlarm(name: string, example: FalseAlarm): Promise<void> {
    return this.#desk.reportFalseAlarm(name, example);
  }

  setPermissionMode(mode: PermissionMode): void {
    this.deps.permissionMode.current = mode;
  }

  get surroundings(): Surroundings {
    return this.deps.surroundings;
  }

  /** From the next request on. @returns a remark on the choice @throws UserError for what names no model, or one without a key */
  async chooseModel(spec: string): Promise<string | undefined> {
    const { model, thinking, notice } = await this.deps.surroundings.connect(spec);
    this.setModel(model, thinking ?? this.#thinking);
    return notice;
  }

  setThinking(thinking: ThinkingLevel): void {
    this.setModel(this.#model, thinking);
  }

  /** Gives the conversation a title of the user's. */
  rename(title: string): void {
    this.#log.appendTitle(title);
  }

  setModel(model: ModelStream, thinking: ThinkingLevel): void {
    this.#model = model;
    this.#thinking = thinking;
    this.#log.appendModelChange({ provider: model.provider, model: model.model, thinking });
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: AgentListener): () => void {
    return this.#announcer.subscribe(listener);
  }

  /** Where single listeners are registered by event type. */
  get hooks(): Hooks {
    return this.#announcer.hooks;
  }

  /**
   * Says something to the agent. While a run is on, `queue` waits for its next turn and `steer` goes in after the present tool; in the
   * gap of an interrupt the user wins: the retry is cancelled (TTSR-9.2).
   * @returns the summary of the run that answers; never rejects for what a model or a tool does
   */
  async prompt(text: string, { when = "queue" }: { when?: "queue" | "steer" } = {}): Promise<RunSummary> {
    await this.#cancelInterrupt();
    await this.deps.rules.refresh();
    if (this.#waiting) {
      (when === "steer" ? this.#steer : this.#queue).push(text);
      return this.#waiting.done;
    }
    const waiting = this.#startWaiting();
    void this.#agent.prompt([...this.#leftOver(), userText(text)]);
    return waiting.done;
  }

  /** Asks again after a failed or stopped answer. */
  async retry(): Promise<RunSummary> {
    if (this.#waiting) return this.#waiting.done;
    this.#dropBroken();
    const waiting = this.#startWaiting();
    void this.#agent.continue();
    return waiting.done;
  }

  /** The answer that failed or was stopped leaves the branch. */
  #dropBroken(): void {
    const last = this.#agent.messages.at(-1);
    if (last?.role !== "assistant" || !isBroken(last)) return;
    this.#agent.popMessage();
    this.#log.dropLeaf();
  }

  /** Esc: stops stream, tools, sleeps, and a retry that is about to come. What was queued stays queued for the caller to take back. */
  abort(reason: Exclude<AbortReason, "ttsr"> = "user"): void {
    if (this.#interrupt.isAbortPending) {
      void this.#cancelInterrupt(reason);
      return;
    }
    this.#agent.abort(reason);
  }

  /** @returns what was queued, and empties the queue */
  takeQueue(): string[] {
    const taken = [...this.#steer, ...this.#queue];
    this.#steer = [];
    this.#queue = [];
    return taken;
  }

  /** `/new`: a fresh log and an empty branch; the rules are armed as at the start. */
  async newSession(): Promise<void> {
    await this.#switchTo(this.deps.createLog);
  }

  /**
   * `/resume`: goes on with an earlier conversation; this one is kept.
   * @throws UserError when no session fits the id, or its log cannot be read; then nothing has changed
   */
  async resume(id: string): Promise<void> {
    await this.#switchTo(() => this.deps.surroundings.openLog(id));
  }

  async #switchTo(open: () => SessionManager): Promise<void> {
    await this.#stop();
    const log = open();
    this.#log.close();
    this.#log = log;
    this.#agent.messages = [];
    this.#usage = { ...NO_USAGE };
    this.#contextTokens = 0;
    this.#restore();
  }

  async dispose(): Promise<void> {
    this.deps.rules.close();
    await this.#stop();
    this.#log.sync();
    this.#log.close();
    this.#announcer.news({ reason: "end" });
    this.#announcer.close();
  }

  async #stop(): Promise<void> {
    this.takeQueue();
    await this.#cancelInterrupt();
    this.#agent.abort("user");
    await this.#agent.settled;
  }

  /** The branch as the log has it, and what the rules must know of it. */
  #restore(): void {
    const context = this.#log.buildContext();
    this.#agent.messages = context.messages;
    this.#heldBack = context.pendingInterrupt;
    this.#guard.restore(context.injectedTtsrRules);
    const interrupts = this.#log.interrupts();
    this.#policy.restore(interrupts.length);
    this.#ledger.restore(interrupts);
  }

  /** What goes before the user's next words: an interrupt that a crash held back, reminders that wait. */
  #leftOver(): UserMessage[] {
    const held = this.#heldBack;
    this.#heldBack = undefined;
    const interrupt = held
      ? [this.#recorder.resumed(held, (name) => this.deps.ttsr.rules().find((rule) => rule.name === name))]
      : [];
    return [...interrupt, ...this.#guard.takeReminders()];
  }

  #startWaiting(): Waiting {
    let resolve: (summary: RunSummary) => void = () => undefined;
    const done = new Promise<RunSummary>((settle) => {
      resolve = settle;
    });
    const { timeoutMs } = this.deps.limits;
    const stopTimer =
      timeoutMs === undefined ? () => undefined : this.deps.clock.after(timeoutMs, () => this.#timeUp());
    this.#runCost = 0;
    this.#waiting = { tally: new RunTally(), done, resolve, stopTimer };
    this.#guard.runStarted();
    return this.#waiting;
  }

  #timeUp(): void {
    this.#emit({
      type: "error",
      code: "budget",
      message: "The run took longer than --timeout allows and was stopped.",
    });
    this.abort("timeout");
  }

  #overBudget(turn: number): string | undefined {
    const { maxTurns, maxCost } = this.deps.limits;
    if (maxTurns !== undefined && turn >= maxTurns) return `The run reached --max-turns ${maxTurns} and was stopped.`;
    const cost = this.#runCost;
    if (maxCost !== undefined && cost >= maxCost) {
      return `The run cost $${cost.toFixed(2)}, past --max-cost ${maxCost}, and was stopped.`;
    }
    return undefined;
  }

  #takeSaid(): UserMessage[] {
    return this.takeQueue().map((text) => userText(text));
  }

  #agentPorts(): AgentPorts {
    const { deps } = this;
    return {
      model: () => this.#model,
      tools: () => deps.tools,
      system: deps.system,
      thinking: () => this.#thinking,
      gate: deps.gate,
      guard: this.#guard,
      clock: deps.clock,
      random: deps.random,
      retry: deps.retry,
      cwd: deps.cwd,
      conversationId: deps.log.id,
      record: (message) => this.#recorder.record(message),
      emit: (event) => this.#emit(event),
      pending: (moment) => {
        const said = this.#takeSaid();
        return moment === "run-end" && said.length === 0 ? [] : [...this.#guard.takeReminders(), ...said];
      },
      steering: () => this.#steer.length > 0,
      overBudget: (turn) => this.#overBudget(turn),
    };
  }

  #createInterrupt(): TtsrInterrupt {
    const agent = this.#agent;
    return new TtsrInterrupt({
      clock: this.deps.clock,
      settings: this.deps.ttsrSettings,
      attempt: () => agent.attempt,
      discardedTokens: () => this.#guard.outputTokens,
      markInjected: (rules) => this.deps.ttsr.markInjected(rules),
      unmarkInjected: (names) => this.deps.ttsr.unmarkInjected(names),
      abortRun: () => agent.abort("ttsr"),
      persist: (pending, tokens) => {
        this.#ledger.interrupt(
          pending.rules.map((rule) => rule.name),
          tokens,
        );
        this.#recorder.interrupted(pending, agent.turn, tokens);
      },
      emit: (event, rules) => this.#emit(event, rules),
      runSettled: () => agent.settled,
      detachRun: () => agent.detach(),
      inject: (pending) => this.#recorder.deliver(pending, this.#guard.visible()),
      continueRun: () => agent.continue(),
      failed: (error) => this.#retryFailed(error),
    });
  }

  /** The gap of an interrupt ends because the user wants something else. @returns whether there was one */
  #cancelInterrupt(reason: Exclude<AbortReason, "ttsr"> = "user"): Promise<boolean> {
    if (this.#cancelling) return this.#cancelling;
    if (!this.#interrupt.isAbortPending) return Promise.resolve(false);
    this.#agent.abort(reason);
    this.#interrupt.cancel();
    this.#cancelling = this.#agent.settled.then((end) => {
      this.#cancelling = undefined;
      const cut = this.#recorder.cancelled();
      // A run that the user reached while it was still stopping has told its own end.
      if (end === "cut") this.#agent.closeCut(cut, reason === "user" ? "aborted" : "budget");
      return true;
    });
    return this.#cancelling;
  }

  #retryFailed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#emit({ type: "error", code: "retry-failed", message: `The retry could not start: ${reason}. Use /retry.` });
    this.#agent.closeCut(undefined, "error");
  }

  #emit(event: AgentEvent, rules: readonly Rule[] = []): void {
    this.#count(event);
    this.deps.rules.see(event);
    this.#announcer.emit(event, rules);
    if (event.type === "agent_end") void this.#runEnded();
  }

  #count(event: AgentEvent): void {
    this.#waiting?.tally.see(event);
    if (event.type === "message_end" && event.message.role === "assistant") {
      const { usage } = event.message;
      this.#usage = addUsage(this.#usage, usage);
      this.#runCost += this.deps.costOf(usage, event.message) ?? 0;
      this.#contextTokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
    }
  }

  async #runEnded(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.stopTimer();
    const found = await this.deps.audit.end().catch((error: unknown) => {
      const message = `The last look at what was written failed: ${reasonOf(error)}.`;
      this.#emit({ type: "notice", level: "warning", code: "audit-failed", message });
      return [];
    });
    const hits = found.filter(({ rule }) => !this.#policy.isMuted(rule));
    const event: AgentEvent = { type: "ttsr_audit", hits };
    waiting?.tally.see(event);
    if (hits.length > 0) this.#emit(event);
    waiting?.resolve(waiting.tally.summary);
  }
}
