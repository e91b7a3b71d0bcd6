/** The run that somebody waits for: its summary, its limits, and the last look at what it wrote. */
import type { AgentEvent, AuditHit } from "../agent/events.js";
import { reasonOf } from "../platform/errors.js";
import { type RunSummary, RunTally } from "./run-summary.js";
import type { SessionDeps } from "./session-deps.js";

export interface RunDeskDeps extends Pick<SessionDeps, "limits" | "clock" | "audit" | "costOf"> {
  emit(event: AgentEvent): void;
  /** The time is over. */
  stop(): void;
  /** Whether what the rule finds in files is not told. */
  isSilent(rule: string): boolean;
}

interface Run {
  tally: RunTally;
  done: Promise<RunSummary>;
  resolve(summary: RunSummary): void;
  stopTimer(): void;
}

export class RunDesk {
  #run: Run | undefined;
  /** US dollars, each answer at the price of its model; what has no known price counts nothing. */
  #cost = 0;
  /** By the last run, and not yet given to the model. */
  #leftBehind: readonly AuditHit[] = [];

  constructor(private readonly deps: RunDeskDeps) {}

  /** The summary of the run that is on; undefined: none is. */
  get done(): Promise<RunSummary> | undefined {
    return this.#run?.done;
  }

  /** @returns the summary, when the run has ended; never rejects */
  start(): Promise<RunSummary> {
    let resolve: (summary: RunSummary) => void = () => undefined;
    const done = new Promise<RunSummary>((settle) => {
      resolve = settle;
    });
    const { timeoutMs } = this.deps.limits;
    const stopTimer =
      timeoutMs === undefined ? () => undefined : this.deps.clock.after(timeoutMs, () => this.#timeUp());
    this.#cost = 0;
    this.#leftBehind = [];
    this.#run = { tally: new RunTally(), done, resolve, stopTimer };
    return done;
  }

  see(event: AgentEvent): void {
    this.#run?.tally.see(event);
    if (event.type === "message_end" && event.message.role === "assistant") {
      this.#cost += this.deps.costOf(event.message.usage, event.message) ?? 0;
    }
  }

  /** @returns why the run must end after this turn, in one sentence */
  overBudget(turn: number): string | undefined {
    const { maxTurns, maxCost } = this.deps.limits;
    if (maxTurns !== undefined && turn >= maxTurns) return `The run reached --max-turns ${maxTurns} and was stopped.`;
    if (maxCost !== undefined && this.#cost >= maxCost) {
      return `The run cost $${this.#cost.toFixed(2)}, past --max-cost ${maxCost}, and was stopped.`;
    }
    return undefined;
  }

  /** The run has told its end. Who waits is answered after the last look. */
  async end(): Promise<void> {
    const { audit, emit, isSilent } = this.deps;
    const run = this.#run;
    this.#run = undefined;
    run?.stopTimer();
    const found = await audit.end().catch((error: unknown) => {
      const message = `The last look at what was written failed: ${reasonOf(error)}.`;
      emit({ type: "notice", level: "warning", code: "audit-failed", message });
      return [];
    });
    const hits = found.filter(({ rule }) => !isSilent(rule));
    const event: AgentEvent = { type: "ttsr_audit", hits };
    run?.tally.see(event);
    // The user may have gone on while the lines were looked at: then another run will look.
    if (this.#run === undefined) this.#leftBehind = hits;
    if (hits.length > 0) emit(event);
    run?.resolve(run.tally.summary);
  }

  /** @returns what the last run left behind that breaks a rule; once */
  takeLeftBehind(): readonly AuditHit[] {
    const hits = this.#leftBehind;
    this.#leftBehind = [];
    return hits;
  }

  #timeUp(): void {
    const message = "The run took longer than --timeout allows and was stopped.";
    this.deps.emit({ type: "error", code: "budget", message });
    this.deps.stop();
  }
}
