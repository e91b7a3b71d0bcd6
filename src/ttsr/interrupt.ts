/**
 * The interrupt (TTSR-6), a state machine:
 *
 *     idle –batch→ aborting –run settled→ waiting –delay over→ injecting –continue()→ idle
 *
 * The abort is immediate, the retry is deferred, notification is not awaited. The user wins: `cancel()` in `aborting` or `waiting` leads
 * back to `idle` with nothing sent.
 */
import type { AgentEvent } from "../agent/events.js";
import type { Clock } from "../agent/ports.js";
import type { Rule } from "../capability/rule.js";
import type { ContextMode, SettingsOf, TtsrMatch } from "./types.js";
import { rulesOf, viewMatch, viewRule } from "./views.js";

export type InterruptState = "idle" | "aborting" | "waiting" | "injecting";

/** Milliseconds that an aborted run may take to settle; after that it is given up. */
const SETTLE_LIMIT_MS = 2_000;

export interface PendingInterrupt {
  readonly batch: readonly TtsrMatch[];
  readonly rules: readonly Rule[];
  /** Number of the attempt that was cut, within its turn. */
  readonly attempt: number;
  /** As the settings and the rules say at the moment of the cut (`discard` beats `rewind` beats `keep`). */
  readonly contextMode: ContextMode;
}

export interface InterruptPort {
  clock: Clock;
  settings: SettingsOf;
  attempt(): number;
  /** Output tokens of the cut attempt, estimated. */
  discardedTokens(): number;
  markInjected(rules: readonly Rule[]): void;
  unmarkInjected(names: readonly string[]): void;
  abortRun(): void;
  /** Puts the entry on disk; from here on a crash resumes with exactly this interrupt. */
  persist(pending: PendingInterrupt, discardedTokens: number): void;
  emit(event: AgentEvent, rules: readonly Rule[]): void;
  /** Resolves when the aborted run has ended. */
  runSettled(): Promise<unknown>;
  detachRun(): void;
  /** Drops or keeps the cut message and appends the interrupt as one synthetic user message. */
  inject(pending: PendingInterrupt): void;
  /** Goes on with the turn; resolves when that run ends. */
  continueRun(): Promise<unknown>;
  failed(error: unknown): void;
}

export class TtsrInterrupt {
  #state: InterruptState = "idle";
  #pending: PendingInterrupt | undefined;
  /** Invalidates timers and promises of an interrupt that is over. */
  #token = 0;
  #cancelTimers: (() => void)[] = [];

  constructor(private readonly port: InterruptPort) {}

  get state(): InterruptState {
    return this.#state;
  }

  get isAbortPending(): boolean {
    return this.#state === "aborting" || this.#state === "waiting";
  }

  /** TTSR-6.1, in one synchronous step. Ignored outside `idle`: an attempt is cut once. */
  trigger(batch: readonly TtsrMatch[]): void {
    if (this.#state !== "idle" || batch.length === 0) return;
    const { port } = this;
    const rules = rulesOf(batch);
    const pending = { batch, rules, attempt: port.attempt(), contextMode: contextModeOf(rules, port.settings) };
    const token = ++this.#token;
    port.markInjected(rules);
    this.#pending = pending;
    this.#state = "aborting";
    const tokens = port.discardedTokens();
    port.abortRun();
    port.persist(pending, tokens);
    const views = { rules: rules.map(viewRule), matches: batch.map(viewMatch) };
    port.emit({ type: "ttsr_triggered", ...views, attempt: pending.attempt, discardedTokens: tokens }, rules);
    this.#schedule(token, retryDelayOf(rules, port.settings));
  }

  /**
   * TTSR-9.2: the user (Esc, a prompt, `/new`, a switch, `dispose()`) is faster than the retry; the rules are armed again.
   * @returns whether there was one to cancel
   */
  cancel(): boolean {
    const pending = this.#pending;
    if (!pending || !this.isAbortPending) return false;
    this.#reset();
    this.port.unmarkInjected(pending.rules.map((rule) => rule.name));
    return true;
  }

  #schedule(token: number, delayMs: number): void {
    const { clock } = this.port;
    let settled = false;
    let delayOver = false;
    const step = (): void => {
      if (token !== this.#token) return;
      if (settled) this.#state = "waiting";
      if (settled && delayOver) this.#inject();
    };
    const settle = (): void => {
      if (settled) return;
      settled = true;
      step();
    };
    this.#cancelTimers = [
      clock.after(delayMs, () => {
        delayOver = true;
        step();
      }),
      clock.after(SETTLE_LIMIT_MS, () => {
        if (settled || token !== this.#token) return;
        this.port.detachRun();
        settle();
      }),
    ];
    // A run that fails while it is aborted has settled as well.
    this.port.runSettled().then(settle, settle);
  }

  /** TTSR-6.2. */
  #inject(): void {
    const pending = this.#pending;
    if (!pending) return;
    const { port } = this;
    this.#reset();
    this.#state = "injecting";
    try {
      port.inject(pending);
      const retry = { rules: pending.rules.map((rule) => rule.name), contextMode: pending.contextMode };
      port.emit({ type: "ttsr_retry", ...retry, attempt: pending.attempt + 1 }, pending.rules);
      const run = port.continueRun();
      this.#state = "idle";
      // TTSR-9.3: a failing retry is shown and does not crash the session.
      run.catch((error: unknown) => port.failed(error));
    } catch (error) {
      this.#state = "idle";
      port.failed(error);
    }
  }

  #reset(): void {
    this.#token++;
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers = [];
    this.#pending = undefined;
    this.#state = "idle";
  }
}

/** TTSR-5.4: a rule's own mode beats the setting; in a batch `discard` beats `rewind` beats `keep`. */
export function contextModeOf(rules: readonly Rule[], settings: SettingsOf): ContextMode {
  const modes = rules.map((rule) => rule.contextMode ?? settings(rule).contextMode);
  if (modes.includes("discard")) return "discard";
  return modes.includes("rewind") ? "rewind" : "keep";
}

/** Milliseconds: nobody's rule waits longer because of somebody else's. */
function retryDelayOf(rules: readonly Rule[], settings: SettingsOf): number {
  return Math.min(...rules.map((rule) => settings(rule).retryDelayMs));
}
