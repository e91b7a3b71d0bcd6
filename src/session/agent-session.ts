/**
 * One conversation: the conductor. It has the only right to abort, says when each of its parts (the loop, the guard, the interrupt, the run,
 * the log) has its turn, and tells everybody what happens. What each of them does is theirs.
 */
import type { AgentEvent, AgentListener } from "../agent/events.js";
import type { AbortReason, Message, ThinkingLevel } from "../agent/messages.js";
import { userText } from "../agent/messages.js";
import type { ModelStream } from "../agent/ports.js";
import { isOfRepository, type Rule } from "../capability/rule.js";
import type { Hooks } from "../extensibility/hooks/hooks.js";
import type { PermissionMode } from "../permissions/types.js";
import { auditPrompt } from "./audit-prompt.js";
import type { Notice } from "./notice.js";
import type { RunSummary } from "./run-summary.js";
import type { SessionDeps } from "./session-deps.js";
import type { SessionManager } from "./session-manager.js";
import { connectParts, type SessionParts } from "./session-parts.js";
import { Spending } from "./spending.js";
import type { Surroundings } from "./surroundings.js";
import type { FalseAlarm, RuleStatus, SessionState } from "./ui.js";

export interface PromptOptions {
  when?: "queue" | "steer";
  /** Called when the text stands in `state.queue`, while a run is on. */
  onQueued?: () => void;
}

export class AgentSession {
  readonly #parts: SessionParts;
  #log: SessionManager;
  #spending = new Spending();

  constructor(private readonly deps: SessionDeps) {
    this.#log = deps.log;
    this.#parts = connectParts(deps, {
      log: () => this.#log,
      emit: (event, rules) => this.#emit(event, rules),
      timeUp: () => this.abort("timeout"),
    });
    this.#restore();
    this.#parts.announcer.news({ reason: "start" });
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
    return this.#parts.interrupter.isAbortPending;
  }

  get messages(): readonly Message[] {
    return this.#parts.agent.messages;
  }

  get state(): SessionState {
    const { model, thinking } = this.#parts.models;
    return {
      id: this.#log.id,
      cwd: this.deps.cwd,
      file: this.#log.file,
      command: this.#parts.commands.isRunning,
      running: this.#parts.runs.done !== undefined || this.#parts.commands.isRunning,
      model: { provider: model.provider, model: model.model, contextWindow: model.contextWindow },
      thinking,
      permissionMode: this.deps.permissionMode.current,
      queue: this.#parts.said.all,
      steering: this.#parts.said.steering,
      usage: this.#spending.usage,
      contextTokens: this.#spending.contextTokens,
      ttsr: {
        enabled: this.deps.ttsr.getSettings().enabled,
        armed: this.#parts.desk.armed,
        interrupts: this.#parts.ledger.interrupts,
        discardedTokens: this.#parts.ledger.discardedTokens,
      },
    };
  }

  rules(): RuleStatus[] {
    return this.#parts.desk.rules();
  }

  muteRule(name: string, muted: boolean): void {
    this.#parts.policy.mute(name, muted);
  }

  /**
   * "Let it through once" (TTSR-10.3). When the conversation stands at the retry of an interrupt of this rule, the interrupt is taken
   * back and the model is asked again; otherwise the next answer in which the rule holds is let through.
   */
  async allowRuleOnce(name: string): Promise<"asked-again" | "next-match"> {
    this.#parts.policy.allowOnce(name);
    if (!(await this.#parts.interrupter.cancel())) {
      if (!this.#parts.recorder.isRetryOf(name)) return "next-match";
      this.#parts.agent.abort("user");
      await this.#parts.agent.settled;
      // The retry may have come to its end while it was being stopped.
      if (!this.#parts.recorder.isRetryOf(name) || this.#parts.runs.done) return "next-match";
      this.#parts.recorder.dropBroken();
      this.deps.ttsr.unmarkInjected(this.#parts.recorder.withdraw());
    }
    void this.#startRun();
    void this.#parts.agent.continue();
    return "asked-again";
  }

  /** Writes into the rule's file that it must stay silent on this text. @throws UserError where the file may not or cannot be changed */
  reportFalseAlarm(name: string, example: FalseAlarm): Promise<void> {
    return this.#parts.desk.reportFalseAlarm(name, example);
  }

  setPermissionMode(mode: PermissionMode): void {
    this.deps.permissionMode.current = mode;
  }

  get surroundings(): Surroundings {
    return this.deps.surroundings;
  }

  /** From the next request on. @returns a remark on the choice @throws UserError for what names no model, or one without a key */
  chooseModel(spec: string): Promise<string | undefined> {
    return this.#parts.models.choose(spec);
  }

  setThinking(thinking: ThinkingLevel): void {
    this.#parts.models.set(this.#parts.models.model, thinking);
  }

  /** Gives the conversation a title of the user's. */
  rename(title: string): void {
    this.#log.appendTitle(title);
  }

  setModel(model: ModelStream, thinking: ThinkingLevel): void {
    this.#parts.models.set(model, thinking);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: AgentListener): () => void {
    return this.#parts.announcer.subscribe(listener);
  }

  /** Where single listeners are registered by event type. */
  get hooks(): Hooks {
    return this.#parts.announcer.hooks;
  }

  /**
   * Says something to the agent. While a run is on, `queue` waits for its next turn and `steer` goes in after the present tool; in the
   * gap of an interrupt the user wins: the retry is cancelled (TTSR-9.2).
   * @returns the summary of the run that answers; never rejects for what a model or a tool does
   */
  async prompt(text: string, { when = "queue", onQueued }: PromptOptions = {}): Promise<RunSummary> {
    await this.#parts.interrupter.cancel();
    await this.#parts.commands.settled();
    await this.deps.rules.refresh();
    const running = this.#parts.runs.done;
    if (running) {
      this.#parts.said.add(text, when);
      onQueued?.();
      return running;
    }
    const done = this.#startRun();
    const heldBack = this.#parts.recorder.takeHeldBack(
      (name) => this.deps.ttsr.ruleNamed(name),
      this.#parts.guard.visible(),
    );
    const before = [...heldBack, ...this.#parts.guard.takeReminders(), ...this.#parts.commands.take()];
    void this.#parts.agent.prompt([...before, userText(text)]);
    return done;
  }

  /**
   * A command of the user's own (`!command`): it runs without a question, after the present run if there is one, and goes with its output
   * before the user's next words.
   * @throws UserError where the session has no shell
   */
  async runCommand(command: string): Promise<void> {
    while (this.#parts.runs.done) await this.#parts.runs.done;
    await this.#parts.commands.run(command);
  }

  /** @returns a prompt that asks the model to mend what the last run left behind (`ttsr_audit`); once, and undefined where there is nothing */
  takeAuditPrompt(): string | undefined {
    const hits = this.#parts.runs.takeLeftBehind();
    return hits.length === 0 ? undefined : auditPrompt(hits);
  }

  /** Asks again after a failed or stopped answer. */
  async retry(): Promise<RunSummary> {
    const running = this.#parts.runs.done;
    if (running) return running;
    this.#parts.recorder.dropBroken();
    const done = this.#startRun();
    void this.#parts.agent.continue();
    return done;
  }

  /** Esc: stops stream, tools, sleeps, and a retry that is about to come. What was queued stays queued for the caller to take back. */
  abort(reason: Exclude<AbortReason, "ttsr"> = "user"): void {
    this.#parts.commands.abort();
    if (this.#parts.interrupter.isAbortPending) void this.#parts.interrupter.cancel(reason);
    else this.#parts.agent.abort(reason);
  }

  /** @returns what was queued, and empties the queue */
  takeQueue(): string[] {
    return this.#parts.said.take();
  }

  /** @returns the newest of what was queued, and takes it out */
  takeLastQueued(): string | undefined {
    return this.#parts.said.takeLast();
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
    this.#parts.agent.messages = [];
    this.#spending = new Spending();
    this.#parts.runs.takeLeftBehind();
    this.#restore();
  }

  async dispose(): Promise<void> {
    this.deps.rules.close();
    await this.#stop();
    this.#log.sync();
    this.#log.close();
    this.#parts.announcer.news({ reason: "end" });
    this.#parts.announcer.close();
    this.deps.ttsr.dispose();
  }

  async #stop(): Promise<void> {
    this.takeQueue();
    this.#parts.commands.abort();
    await this.#parts.interrupter.cancel();
    this.#parts.agent.abort("user");
    await this.#parts.agent.settled;
    await this.#parts.commands.settled();
    this.#parts.commands.take();
  }

  /** The branch as the log has it, and what the rules must know of it. */
  #restore(): void {
    const context = this.#log.buildContext();
    this.#parts.agent.messages = context.messages;
    this.#parts.recorder.restore(context.pendingInterrupt);
    this.#parts.guard.restore(context.injectedTtsrRules);
    const interrupts = this.#log.interrupts();
    const own = interrupts.filter(({ rules }) => rules.some(({ name }) => this.#isOwn(name)));
    this.#parts.policy.restore({ all: interrupts.length, own: own.length });
    this.#parts.ledger.restore(interrupts);
  }

  /** Whether a rule that is known was not brought by the repository. */
  #isOwn(name: string): boolean {
    const rule = this.deps.ttsr.ruleNamed(name);
    return rule !== undefined && !isOfRepository(rule);
  }

  #startRun(): Promise<RunSummary> {
    const done = this.#parts.runs.start();
    this.#parts.guard.runStarted();
    return done;
  }

  #emit(event: AgentEvent, rules: readonly Rule[] = []): void {
    // Before anybody hears of it: what a rule may still do is asked for then.
    if (event.type === "agent_end") this.#parts.policy.renewRun();
    this.#parts.runs.see(event);
    this.#spending.see(event);
    this.deps.rules.see(event);
    this.#parts.announcer.emit(event, rules);
    if (event.type === "agent_end") void this.#parts.runs.end();
  }
}
