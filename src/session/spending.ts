import type { AgentEvent } from "../agent/events.js";
import { addUsage, NO_USAGE, type Usage } from "../agent/messages.js";

/** What a session has used, in tokens. */
export class Spending {
  /** Sum over the session, cut attempts included. */
  usage: Usage = { ...NO_USAGE };
  /** That the last request filled; 0 before the first answer. */
  contextTokens = 0;

  see(event: AgentEvent): void {
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    const { usage } = event.message;
    this.usage = addUsage(this.usage, usage);
    this.contextTokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  }
}
