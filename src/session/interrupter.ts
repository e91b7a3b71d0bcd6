/** The interrupt in its place: between the agent that it stops, the rules that it marks, and the log and branch that it changes. */
import type { Agent } from "../agent/agent.js";
import type { AgentEvent } from "../agent/events.js";
import type { AbortReason } from "../agent/messages.js";
import type { Clock } from "../agent/ports.js";
import type { Rule } from "../capability/rule.js";
import { reasonOf } from "../platform/errors.js";
import type { TtsrGuard } from "../ttsr/guard.js";
import { TtsrInterrupt } from "../ttsr/interrupt.js";
import type { Ledger } from "../ttsr/ledger.js";
import type { TtsrManager } from "../ttsr/manager.js";
import type { SettingsOf, TtsrMatch } from "../ttsr/types.js";
import type { Recorder } from "./recorder.js";

export interface InterrupterDeps {
  agent: Agent;
  guard: TtsrGuard;
  recorder: Recorder;
  ledger: Ledger;
  manager: TtsrManager;
  settings: SettingsOf;
  clock: Clock;
  emit(event: AgentEvent, rules: readonly Rule[]): void;
}

export class Interrupter {
  readonly #interrupt: TtsrInterrupt;
  #cancelling: Promise<boolean> | undefined;

  constructor(private readonly deps: InterrupterDeps) {
    const { agent, guard, recorder, ledger, manager } = deps;
    this.#interrupt = new TtsrInterrupt({
      clock: deps.clock,
      settings: deps.settings,
      attempt: () => agent.attempt,
      discardedTokens: () => guard.outputTokens,
      markInjected: (rules) => manager.markInjected(rules),
      unmarkInjected: (names) => manager.unmarkInjected(names),
      abortRun: () => agent.abort("ttsr"),
      persist: (pending, tokens) => {
        const names = pending.rules.map((rule) => rule.name);
        ledger.interrupt(names, tokens);
        recorder.interrupted(pending, agent.turn, tokens);
      },
      emit: deps.emit,
      runSettled: () => agent.settled,
      detachRun: () => agent.detach(),
      inject: (pending) => recorder.deliver(pending, guard.visible()),
      continueRun: () => agent.continue(),
      failed: (error) => this.#retryFailed(error),
    });
  }

  /** True from the abort to the retry. */
  get isAbortPending(): boolean {
    return this.#interrupt.isAbortPending;
  }

  trigger(batch: readonly TtsrMatch[]): void {
    this.#interrupt.trigger(batch);
  }

  /** The gap of an interrupt ends because the user wants something else (TTSR-9.2). @returns whether there was one */
  cancel(reason: Exclude<AbortReason, "ttsr"> = "user"): Promise<boolean> {
    if (this.#cancelling) return this.#cancelling;
    if (!this.#interrupt.isAbortPending) return Promise.resolve(false);
    const { agent, recorder } = this.deps;
    agent.abort(reason);
    this.#interrupt.cancel();
    this.#cancelling = agent.settled.then((end) => {
      this.#cancelling = undefined;
      const cut = recorder.cancelled();
      // A run that the user reached while it was still stopping has told its own end.
      if (end === "cut") agent.closeCut(cut, reason === "user" ? "aborted" : "budget");
      return true;
    });
    return this.#cancelling;
  }

  #retryFailed(error: unknown): void {
    const message = `The retry could not start: ${reasonOf(error)}. Use /retry.`;
    this.deps.emit({ type: "error", code: "retry-failed", message }, []);
    this.deps.agent.closeCut(undefined, "error");
  }
}
