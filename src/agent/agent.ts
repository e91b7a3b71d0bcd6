/**
 * The loop: context → model stream → checks → tools → next turn, until the model stops, the user stops it, or a budget ends it. It owns
 * the messages of the branch and one run at a time, and knows no rule, no provider and no tool by name.
 */
import { type AttemptResult, runAttempt } from "./attempt.js";
import { leakFact, type ModelError } from "./errors.js";
import type { AgentEvent, RunStatus } from "./events.js";
import { prepareHistory } from "./history.js";
import type { AbortReason, AssistantMessage, Message, ThinkingLevel, Usage, UserMessage } from "./messages.js";
import { addUsage, NO_USAGE, textOf } from "./messages.js";
import type { Clock, Leak, ModelStream, StreamGuard, Tool, ToolGate, ToolSpec } from "./ports.js";
import { LONGEST_WAIT_MS, type RetryPolicy, retryDelay, sleep } from "./retry.js";
import { runTools } from "./run-tools.js";

export interface AgentPorts {
  model(): ModelStream;
  tools(): readonly Tool[];
  system(): string;
  thinking(): ThinkingLevel;
  gate: ToolGate;
  guard: StreamGuard;
  clock: Clock;
  random(): number;
  retry: RetryPolicy;
  cwd: string;
  conversationId: string;
  /** A message has become part of the branch; saved before anything that follows from it. @returns its id in the log */
  record(message: Message): string | undefined;
  emit(event: AgentEvent): void;
  /** What goes with the next request: what the user said meanwhile, reminders that wait. At the run's end only what the user said asks for one. */
  pending(moment: "next-turn" | "run-end"): UserMessage[];
  /** The user said something that is not to wait for the tools that have not started. */
  steering(): boolean;
  /** Asked after every turn. @returns why the run must end, in one sentence */
  overBudget(turn: number, usage: Usage): string | undefined;
}

/**
 * Requests made again in one turn because the chat template leaked; and in a run until an answer is clean, for a server that always leaks
 * is not to be asked three times each turn.
 */
const MOST_RESAMPLES = 2;

/** "cut": a rule interrupted; the turn stays open and `continue()` goes on with it. */
export type RunEnd = RunStatus | "cut";

interface Run {
  readonly controller: AbortController;
  reason: AbortReason | undefined;
  /** False once it has been given up: what it still does is ignored. */
  live: boolean;
}

export class Agent {
  messages: Message[] = [];
  #run: Run | undefined;
  #running: Promise<RunEnd> = Promise.resolve("ok");
  /** Of the run; 0 between runs. */
  #turn = 0;
  /** Of the turn. */
  #attempt = 0;
  /** Since the run's start or its last clean answer. */
  #resamples = 0;
  #usage: Usage = { ...NO_USAGE };

  constructor(private readonly ports: AgentPorts) {}

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Number of the present request within its turn, from 1. */
  get attempt(): number {
    return this.#attempt;
  }

  get turn(): number {
    return this.#turn;
  }

  /** Resolves when the present run, if any, has ended or was cut. */
  get settled(): Promise<RunEnd> {
    return this.#running;
  }

  /** Starts a run with what the user said. */
  prompt(messages: readonly UserMessage[]): Promise<RunEnd> {
    return this.#start(async (run) => {
      this.#turn = 0;
      this.#startRun(run, messages);
      return await this.#turns(run);
    });
  }

  /** Goes on with an open turn: after an interrupt, or `/retry`. */
  continue(): Promise<RunEnd> {
    return this.#start(async (run) => {
      if (this.#turn === 0) this.#startRun(run, []);
      return await this.#turns(run);
    });
  }

  /** Stops everything of the run: stream, tools, sleeps. The first reason holds, but the user's wins over all. */
  abort(reason: AbortReason): void {
    const run = this.#run;
    if (!run) return;
    if (run.reason === undefined || reason === "user") run.reason = reason;
    run.controller.abort();
  }

  /** Gives up a run that does not end: its late effects are ignored. */
  detach(): void {
    if (this.#run) this.#run.live = false;
    this.#run = undefined;
  }

  /** Takes the last message out of the branch. */
  popMessage(): Message | undefined {
    return this.messages.pop();
  }

  /** Appends to the branch what no run has made. */
  append(message: Message): void {
    this.messages.push(message);
  }

  /** Ends a turn that was cut and will not go on. */
  closeCut(message: AssistantMessage | undefined, status: RunStatus): void {
    if (message) this.ports.emit({ type: "turn_end", turn: this.#turn, message });
    this.#finish(undefined, status);
  }

  #start(body: (run: Run) => Promise<RunEnd>): Promise<RunEnd> {
    if (this.#run) return Promise.reject(new Error("A run is already on; wait for it or abort it."));
    const run: Run = { controller: new AbortController(), reason: undefined, live: true };
    this.#run = run;
    const running = body(run)
      .catch((error: unknown) => this.#fail(run, error))
      .finally(() => {
        if (this.#run === run) this.#run = undefined;
      });
    this.#running = running;
    return running;
  }

  /** A fault of ours: told, and the session goes on. */
  #fail(run: Run, error: unknown): RunEnd {
    const message = error instanceof Error ? error.message : String(error);
    this.#emit(run, { type: "error", code: "internal", message: `Something went wrong in the program: ${message}` });
    this.#finish(run, "error");
    return "error";
  }

  #emit(run: Run | undefined, event: AgentEvent): void {
    if (run === undefined || run.live) this.ports.emit(event);
  }

  #record(message: Message): string | undefined {
    this.messages.push(message);
    return this.ports.record(message);
  }

  #startRun(run: Run, said: readonly UserMessage[]): void {
    this.#usage = { ...NO_USAGE };
    this.#resamples = 0;
    this.#emit(run, { type: "agent_start" });
    this.#openTurn(run, said);
  }

  #openTurn(run: Run, said: readonly UserMessage[]): void {
    this.#turn++;
    this.#attempt = 0;
    for (const message of said) this.#record(message);
    const prompts = said.filter((message) => !message.synthetic).map((message) => textOf(message));
    this.#emit(run, { type: "turn_start", turn: this.#turn, ...(prompts.length > 0 ? { prompts } : {}) });
  }

  async #turns(run: Run): Promise<RunEnd> {
    for (;;) {
      const { message, error, pause } = await this.#answer(run);
      if (!run.live) return "cut";
      if (message.stopReason === "aborted") return this.#aborted(run, message);
      if (error) return this.#failed(run, message, error);

      const calls = message.content.some((block) => block.type === "toolCall");
      const runnable = calls && message.stopReason !== "refusal";
      const silent = !calls && textOf(message).trim() === "";
      const denied = runnable ? await this.#runTools(run, message) : false;
      if (!run.live) return "cut";
      this.#endTurn(run, message);
      if (run.controller.signal.aborted) return this.#finish(run, statusOf(run));
      if (denied) return this.#finish(run, "denied");
      if (message.stopReason === "refusal") {
        this.#emit(run, {
          type: "error",
          code: "refused",
          message: "The model refused to answer; rephrase the prompt.",
        });
        return this.#finish(run, "error");
      }

      const goesOn = runnable || pause;
      const said = this.ports.pending(goesOn ? "next-turn" : "run-end");
      if (!goesOn && said.length === 0) {
        if (message.stopReason === "length") {
          const text = "The answer stopped at the model's output limit; ask it to go on.";
          this.#emit(run, { type: "notice", level: "warning", code: "output-limit", message: text });
        }
        // Nothing was said after a denial: it is what the run came to.
        return this.#finish(run, silent && this.#lastCallDenied() ? "denied" : "ok");
      }
      const budget = this.ports.overBudget(this.#turn, this.#usage);
      if (budget !== undefined) {
        this.#emit(run, { type: "error", code: "budget", message: budget });
        return this.#finish(run, "budget");
      }
      this.#openTurn(run, said);
    }
  }

  /** One answer of the model, with retries where the fault may heal. Its message is recorded and its end told. */
  async #answer(run: Run): Promise<AttemptResult> {
    const { ports } = this;
    const { signal } = run.controller;
    for (let retry = 0; ; retry++) {
      this.#attempt++;
      const model = ports.model();
      const request = {
        system: ports.system(),
        messages: prepareHistory(this.messages),
        tools: ports.tools().map(toSpec),
        thinking: ports.thinking(),
        conversationId: ports.conversationId,
      };
      const result = await runAttempt(request, {
        model,
        guard: ports.guard,
        signal,
        attempt: this.#attempt,
        leakEnds: this.#resamples < MOST_RESAMPLES && retry < ports.retry.maxAttempts,
        emit: (event) => this.#emit(run, event),
      });
      if (!run.live) return result;
      const { message, error, leak } = result;
      this.#usage = addUsage(this.#usage, message.usage);
      if (message.stopReason === "aborted") message.abortReason = run.reason ?? "user";
      if (!error?.retryable || retry >= ports.retry.maxAttempts || tooLong(error)) {
        const id = message.content.length > 0 ? this.#record(message) : undefined;
        this.#emit(run, { type: "message_end", message, ...(id === undefined ? {} : { id }) });
        if (leak) this.#taken(run, message, leak);
        else if (!error && message.stopReason !== "aborted") this.#resamples = 0;
        return result;
      }
      this.#emit(run, { type: "message_end", message });
      const delayMs = retryDelay(ports.retry, retry + 1, error, ports.random);
      const count =
        error.code === "leaked"
          ? { attempt: ++this.#resamples, maxAttempts: MOST_RESAMPLES }
          : { attempt: retry + 1, maxAttempts: ports.retry.maxAttempts };
      const told = { ...count, delayMs };
      this.#emit(run, { type: "retry", ...told, code: error.code, message: error.fact });
      await sleep(delayMs, ports.clock, signal);
      if (signal.aborted) {
        message.stopReason = "aborted";
        message.abortReason = run.reason ?? "user";
        return { message, pause: false, shown: result.shown };
      }
    }
  }

  /** The chat template leaked again and again: the answer is as good as any other that would come. */
  #taken(run: Run, message: AssistantMessage, { token }: Leak): void {
    const fact = leakFact(message, token);
    const text = `${fact}; it is taken as it is. If that goes on, check the server's chat template or choose another model.`;
    this.#emit(run, { type: "notice", level: "warning", code: "leaked", message: text });
  }

  async #runTools(run: Run, message: AssistantMessage): Promise<boolean> {
    const { ports } = this;
    const { denied } = await runTools(message, {
      tools: ports.tools(),
      gate: ports.gate,
      guard: ports.guard,
      cwd: ports.cwd,
      signal: run.controller.signal,
      emit: (event) => this.#emit(run, event),
      record: (result) => {
        if (run.live) this.#record(result);
      },
      interrupted: () => ports.steering(),
    });
    return denied;
  }

  /** Of this run, and with nothing but the present answer after it. */
  #lastCallDenied(): boolean {
    const last = this.messages.findLast((message) => message.role !== "assistant");
    return last?.role === "toolResult" && last.denied !== undefined && last.denied.by !== "rule";
  }

  #aborted(run: Run, message: AssistantMessage): RunEnd {
    if (run.reason === "ttsr") return "cut";
    this.#endTurn(run, message);
    return this.#finish(run, statusOf(run));
  }

  #failed(run: Run, message: AssistantMessage, error: ModelError): RunEnd {
    const requestId = error.requestId === undefined ? {} : { requestId: error.requestId };
    this.#emit(run, { type: "error", code: error.code, message: error.message, ...requestId });
    this.#endTurn(run, message);
    return this.#finish(run, "error");
  }

  /** An answer of which nothing stands in the log is no turn for the rules' gaps either. */
  #endTurn(run: Run, message: AssistantMessage): void {
    if (message.content.length > 0) this.ports.guard.turnEnded();
    this.#emit(run, { type: "turn_end", turn: this.#turn, message });
  }

  #finish(run: Run | undefined, status: RunStatus): RunStatus {
    this.#turn = 0;
    if (run && this.#run === run) this.#run = undefined;
    this.#emit(run, { type: "agent_end", status, usage: this.#usage });
    return status;
  }
}

function statusOf(run: Run): RunStatus {
  return run.reason === "timeout" || run.reason === "budget" ? "budget" : "aborted";
}

function tooLong(error: ModelError): boolean {
  return (error.retryAfterMs ?? 0) > LONGEST_WAIT_MS;
}

function toSpec(tool: Tool): ToolSpec {
  return { name: tool.name, description: tool.description, parameters: tool.parameters };
}
