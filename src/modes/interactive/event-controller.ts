/** Brings the session's events to the store: deltas wait for the next frame, everything else is seen at once. */
import type { AgentEvent } from "../../agent/events.js";
import type { Clock } from "../../agent/ports.js";
import type { FaceSession } from "./session-port.js";
import { FlushScheduler } from "./store/flush.js";
import type { Activity, UiState } from "./store/state.js";
import type { UiStore } from "./store/store.js";
import type { Transcript } from "./store/transcript.js";

/** Eight glyphs a second, and none when nothing goes on. */
const TICK_MS = 125;

export interface EventControllerDeps {
  store: UiStore;
  transcript: Transcript;
  clock: Clock;
  /** True while the terminal has not taken what was written. */
  blocked(): boolean;
  /** Whether a question stands on the screen. */
  asking(): boolean;
  /** Milliseconds between two frames. */
  flushMs: number;
}

export class EventController {
  readonly #flush: FlushScheduler;
  #session: FaceSession | undefined;
  #running = false;
  #startedAt = 0;
  #stopClock: (() => void) | undefined;

  constructor(private readonly deps: EventControllerDeps) {
    this.#flush = new FlushScheduler(deps.clock, deps.flushMs, () => this.#show(), deps.blocked);
  }

  attach(session: FaceSession): void {
    this.#session = session;
    session.subscribe((event) => this.handle(event));
  }

  handle(event: AgentEvent): void {
    if (event.type === "agent_start") this.#begin();
    if (event.type === "agent_end") this.#end();
    this.deps.transcript.apply(event);
    if (event.type === "message_update" || event.type === "tool_execution_update") this.#flush.soon();
    else this.#flush.now();
  }

  /** Something other than an event changed what is to be seen. */
  refresh(): void {
    this.#flush.now();
  }

  stop(): void {
    this.#flush.stop();
    this.#stopClock?.();
    this.#stopClock = undefined;
  }

  #begin(): void {
    this.#running = true;
    this.#startedAt = this.deps.clock.now();
    if (this.deps.store.theme.motion) this.#tick();
  }

  #end(): void {
    this.#running = false;
    this.#stopClock?.();
    this.#stopClock = undefined;
  }

  #tick(): void {
    this.#stopClock = this.deps.clock.after(TICK_MS, () => {
      const { store } = this.deps;
      store.update({ status: { ...store.state.status, ...this.#time(), tick: store.state.status.tick + 1 } });
      this.#tick();
    });
  }

  #time(): { seconds: number } {
    return { seconds: this.#running ? Math.floor((this.deps.clock.now() - this.#startedAt) / 1000) : 0 };
  }

  #show(): void {
    const { store, transcript } = this.deps;
    const state = this.#session?.state;
    const change: Partial<UiState> = {
      queue: state?.queue ?? [],
      steering: state?.steering ?? 0,
      status: {
        ...store.state.status,
        ...this.#time(),
        activity: this.#activity(),
        session: state,
        mode: state?.permissionMode,
      },
    };
    store.follow(transcript, change);
  }

  #activity(): Activity {
    const session = this.#session;
    if (this.deps.asking()) return "asking";
    if (!session) return "starting";
    if (!this.#running) return session.state.command ? "working" : "idle";
    return session.isTtsrAbortPending ? "rewinding" : "working";
  }
}
