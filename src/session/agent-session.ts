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
import type { TtsrSettings } from "../ttsr/types.js";
import { Announcer } from "./announcer.js";
import type { RunAudit } from "./exit-audit.js";
import type { Notice } from "./notice.js";
import { Recorder } from "./recorder.js";
import type { SessionRules } from "./rule-book.js";
import { type RunSummary, RunTally } from "./run-summary.js";
import type { TtsrInjection } from "./session-entries.js";
import type { SessionManager } from "./session-manager.js";
import type { RuleStatus, SessionState } from "./ui.js";

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
  ttsrSettings(): TtsrSettings;
  /** Every rule that was found, whatever its state, and what becomes of its file. */
  rules: SessionRules;
  /** The last look of a run at what it has written. */
  audit: RunAudit;
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
    this.#announcer = new Announcer(deps.extensions, deps.customTools);
    this.#policy = new RulePolicy(deps.ttsrSettings);
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
    const { ttsr } = this.deps;
    const rules = this.rules();
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
      usage: this.#usage,
      contextTokens: this.#contextTokens,
      ttsr: {
        enabled: ttsr.getSettings().enabled,
        armed: rules.filter((rule) => rule.state === "armed" && !rule.muted).length,
        interrupts: this.#ledger.interrupts,
        discardedTokens: this.#ledger.discardedTokens,
      },
    };
  }

  rules(): RuleStatus[] {
    return this.deps.rules
      .statuses()
      .map((rule) => ({ ...rule, ...this.#ledger.of(rule.name), muted: this.#policy.isMuted(rule.name) }));
  }

  muteRule(name: string, muted: boolean): void {
    this.#policy.mute(name, muted);
  }

  setPermissionMode(mode: PermissionMode): void {
    this.deps.permissionMode.current = mode;
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
    const last = this.#agent.messages.at(-1);
    if (last?.role === "assistant" && (last.stopReason === "error" || last.stopReason === "aborted")) {
      this.#agent.popMessage();
      this.#log.dropLeaf();
    }
    const waiting = this.#startWaiting();
    void this.#agent.continue();
    return waiting.done;
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
    await this.#stop();
    this.#log.close();
    this.#log = this.deps.createLog();
    this.#agent.messages = [];
    this.#guard.reset();
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
    this.deps.ttsr.restoreInjected(context.injectedTtsrRules);
    this.#policy.restore(this.#log.interruptCount());
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
