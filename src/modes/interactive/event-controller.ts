/** Session events → transcript, status and the moment at which the screen follows. */
import type { AgentEvent } from "../../agent/events.js";
import type { FaceSession } from "./session-port.js";
import type { FlushScheduler } from "./store/flush.js";
import type { Activity } from "./store/state.js";
import type { Transcript } from "./store/transcript.js";

export interface EventSink {
  /** What the session is doing. */
  activity(activity: Activity): void;
  /** The session's snapshot may have changed. */
  sessionChanged(): void;
  /** The rules' counts may have changed. */
  rulesChanged(): void;
  runEnded(): void;
}

export class EventController {
  #unsubscribe: (() => void) | undefined;

  constructor(
    private readonly session: Pick<FaceSession, "subscribe" | "isTtsrAbortPending">,
    private readonly transcript: Transcript,
    private readonly flush: FlushScheduler,
    private readonly sink: EventSink,
  ) {}

  start(): void {
    this.#unsubscribe ??= this.session.subscribe((event) => this.handle(event));
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  handle(event: AgentEvent): void {
    // A stop that a rule has caused is no failure, whatever the message says of its end.
    if (event.type === "error" && this.session.isTtsrAbortPending && event.code === "aborted") return;
    this.transcript.apply(event);
    switch (event.type) {
      case "message_update":
      case "tool_execution_update":
        this.flush.soon();
        return;
      case "agent_start":
      case "message_start":
      case "ttsr_retry":
        this.sink.activity("working");
        break;
      case "ttsr_triggered":
        this.sink.activity("rewinding");
        this.sink.rulesChanged();
        break;
      case "ttsr_suppressed":
        this.sink.rulesChanged();
        break;
      case "agent_end":
        this.sink.activity("idle");
        this.sink.rulesChanged();
        break;
      default:
        break;
    }
    this.sink.sessionChanged();
    this.flush.now();
    if (event.type === "agent_end") this.sink.runEnded();
  }
}
