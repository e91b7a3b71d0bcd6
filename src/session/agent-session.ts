/**
 * One conversation: the conductor. It has the only right to abort, joins the loop, the guard, the interrupt, the run and the log, and
 * tells everybody what happens. What each of them does is theirs.
 */
import { Agent, type AgentPorts } from "../agent/agent.js";
import type { AgentEvent, AgentListener } from "../agent/events.js";
import type { AbortReason, Message, ThinkingLevel } from "../agent/messages.js";
import { userText } from "../agent/messages.js";
import type { ModelStream } from "../agent/ports.js";
import type { Rule } from "../capability/rule.js";
import type { Hooks } from "../extensibility/hooks/hooks.js";
import type { PermissionMode } from "../permissions/types.js";
import { TtsrGuard } from "../ttsr/guard.js";
import { Ledger } from "../ttsr/ledger.js";
import { RulePolicy } from "../ttsr/policy.js";
import { Announcer } from "./announcer.js";
import { auditPrompt } from "./audit-prompt.js";
import { Interrupter } from "./interrupter.js";
import { ModelDesk } from "./model-desk.js";
import type { Notice } from "./notice.js";
import { Recorder } from "./recorder.js";
import { RuleDesk } from "./rule-desk.js";
import { RunDesk } from "./run-desk.js";
import type { RunSummary } from "./run-summary.js";
import { Said } from "./said.js";
import type { SessionDeps } from "./session-deps.js";
import type { SessionManager } from "./session-manager.js";
import { Spending } from "./spending.js";
import type { Surroundings } from "./surroundings.js";
import type { FalseAlarm, RuleStatus, SessionState } from "./ui.js";
import { UserCommands } from "./user-commands.js";

export class AgentSession {
  readonly #agent: Agent;
  readonly #guard: TtsrGuard;
  readonly #interrupter: Interrupter;
  readonly #runs: RunDesk;
  readonly #said = new Said();
  readonly #policy: RulePolicy;
  readonly #ledger = new Ledger();
  readonly #desk: RuleDesk;
  readonly #recorder: Recorder;
  readonly #announcer: Announcer;
  readonly #models: ModelDesk;
  readonly #commands: UserCommands;
  #log: SessionManager;
  #spending = new Spending();

  constructor(private readonly deps: SessionDeps) {
    this.#log = deps.log;
    this.#models = new ModelDesk(
      deps.model,
      deps.thinking,
      (spec) => deps.surroundings.connect(spec),
      () => this.#log,
    );
    this.#announcer = new Announcer(deps.extensions, deps.customTools, (rules) => deps.rules.add(rules));
    this.#commands = new UserCommands({
      cwd: deps.cwd,
      tools: deps.tools,
      // Not through #emit: what the user does is no work of the agent's.
      emit: (event) => this.#announcer.emit(event, []),
    });
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
      interrupt: (batch) => this.#interrupter.trigger(batch),
    });
    this.#runs = new RunDesk({
      limits: deps.limits,
      clock: deps.clock,
      audit: deps.audit,
      costOf: deps.costOf,
      emit: (event) => this.#emit(event),
      stop: () => this.abort("timeout"),
      isMuted: (rule) => this.#policy.isMuted(rule),
    });
    this.#agent = new Agent(this.#agentPorts());
    this.#interrupter = new Interrupter({
      agent: this.#agent,
      guard: this.#guard,
      recorder: this.#recorder,
      ledger: this.#ledger,
      manager: deps.ttsr,
      settings: deps.ttsrSettings,
      clock: deps.clock,
      emit: (event, rules) => this.#emit(event, rules),
    });
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
    return this.#interrupter.isAbortPending;
  }

  get messages(): readonly Message[] {
    return this.#agent.messages;
  }

  get state(): SessionState {
    const { model, thinking } = this.#models;
    return {
      id: this.#log.id,
      cwd: this.deps.cwd,
      file: this.#log.file,
      command: this.#commands.isRunning,
      running: this.#runs.done !== undefined || this.#commands.isRunning,
      model: { provider: model.provider, model: model.model, contextWindow: model.contextWindow },
      thinking,
      permissionMode: this.deps.permissionMode.current,
      queue: this.#said.all,
      steering: this.#said.steering,
      usage: this.#spending.usage,
      contextTokens: this.#spending.contextTokens,
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
    if (!(await this.#interrupter.cancel())) {
      if (!this.#recorder.isRetryOf(name)) return "next-match";
      this.#agent.abort("user");
      await this.#agent.settled;
      // The retry may have come to its end while it was being stopped.
      if (!this.#recorder.isRetryOf(name) || this.#runs.done) return "next-match";
      this.#recorder.dropBroken();
      this.deps.ttsr.unmarkInjected(this.#recorder.withdraw());
    }
    void this.#startRun();
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
  chooseModel(spec: string): Promise<string | undefined> {
    return this.#models.choose(spec);
  }

  setThinking(thinking: ThinkingLevel): void {
    this.#models.set(this.#models.model, thinking);
  }

  /** Gives the conversation a title of the user's. */
  rename(title: string): void {
    this.#log.appendTitle(title);
  }

  setModel(model: ModelStream, thinking: ThinkingLevel): void {
    this.#models.set(model, thinking);
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
    await this.#interrupter.cancel();
    await this.#commands.settled();
    await this.deps.rules.refresh();
    const running = this.#runs.done;
    if (running) {
      this.#said.add(text, when);
      return running;
    }
    const done = this.#startRun();
    const heldBack = this.#recorder.takeHeldBack((name) => this.deps.ttsr.ruleNamed(name));
    const before = [...heldBack, ...this.#guard.takeReminders(), ...this.#commands.take()];
    void this.#agent.prompt([...before, userText(text)]);
    return done;
  }

  /**
   * A command of the user's own (`!command`): it runs without a question, after the present run if there is one, and goes with its output
   * before the user's next words.
   * @throws UserError where the session has no shell
   */
  async runCommand(command: string): Promise<void> {
    while (this.#runs.done) await this.#runs.done;
    await this.#commands.run(command);
  }

  /** @returns a prompt that asks the model to mend what the last run left behind (`ttsr_audit`); once, and undefined where there is nothing */
  takeAuditPrompt(): string | undefined {
    const hits = this.#runs.takeLeftBehind();
    return hits.length === 0 ? undefined : auditPrompt(hits);
  }

  /** Asks again after a failed or stopped answer. */
  async retry(): Promise<RunSummary> {
    const running = this.#runs.done;
    if (running) return running;
    this.#recorder.dropBroken();
    const done = this.#startRun();
    void this.#agent.continue();
    return done;
  }

  /** Esc: stops stream, tools, sleeps, and a retry that is about to come. What was queued stays queued for the caller to take back. */
  abort(reason: Exclude<AbortReason, "ttsr"> = "user"): void {
    this.#commands.abort();
    if (this.#interrupter.isAbortPending) void this.#interrupter.cancel(reason);
    else this.#agent.abort(reason);
  }

  /** @returns what was queued, and empties the queue */
  takeQueue(): string[] {
    return this.#said.take();
  }

  /** @returns the newest of what was queued, and takes it out */
  takeLastQueued(): string | undefined {
    return this.#said.takeLast();
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
    this.#spending = new Spending();
    this.#runs.takeLeftBehind();
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
    this.#commands.abort();
    await this.#interrupter.cancel();
    this.#agent.abort("user");
    await this.#agent.settled;
    await this.#commands.settled();
    this.#commands.take();
  }

  /** The branch as the log has it, and what the rules must know of it. */
  #restore(): void {
    const context = this.#log.buildContext();
    this.#agent.messages = context.messages;
    this.#recorder.restore(context.pendingInterrupt);
    this.#guard.restore(context.injectedTtsrRules);
    const interrupts = this.#log.interrupts();
    this.#policy.restore(interrupts.length);
    this.#ledger.restore(interrupts);
  }

  #startRun(): Promise<RunSummary> {
    const done = this.#runs.start();
    this.#guard.runStarted();
    return done;
  }

  #agentPorts(): AgentPorts {
    const { deps } = this;
    return {
      model: () => this.#models.model,
      tools: () => deps.tools,
      system: deps.system,
      thinking: () => this.#models.thinking,
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
        const said = this.#said.takeMessages();
        return moment === "run-end" && said.length === 0 ? [] : [...this.#guard.takeReminders(), ...said];
      },
      steering: () => this.#said.steering > 0,
      overBudget: (turn) => this.#runs.overBudget(turn),
    };
  }

  #emit(event: AgentEvent, rules: readonly Rule[] = []): void {
    this.#runs.see(event);
    this.#spending.see(event);
    this.deps.rules.see(event);
    this.#announcer.emit(event, rules);
    if (event.type === "agent_end") void this.#runs.end();
  }
}
