/** What a run came to: for `--output-format json`, the SDK, and the exit code. */
import type { AgentEvent, AuditHit, RunStatus } from "../agent/events.js";
import type { Usage } from "../agent/messages.js";
import { NO_USAGE, textOf } from "../agent/messages.js";

export interface RunSummary {
  status: RunStatus;
  /** The text of the final answer; that of a failed or stopped one as far as it came. None of what was asked for again. */
  text: string;
  usage: Usage;
  /** Calls that were not run because somebody or something denied them; those of stream rules are under `ttsr`. */
  denials: { tool: string; reason: string }[];
  ttsr: {
    interrupts: number;
    discardedTokens: number;
    rules: Record<string, number>;
    /** Lines that the run left in the working tree although they break a rule. */
    audit: AuditHit[];
    /** Rules that the model went on breaking when their interrupts were used up. */
    unheeded: string[];
  };
  /** With `status` other than "ok": why, in one sentence. */
  error?: { code: string; message: string; requestId?: string };
}

/** Watches the events of one run. */
export class RunTally {
  readonly #summary: RunSummary = {
    status: "ok",
    text: "",
    usage: { ...NO_USAGE },
    denials: [],
    ttsr: { interrupts: 0, discardedTokens: 0, rules: {}, audit: [], unheeded: [] },
  };

  #textBefore = "";

  see(event: AgentEvent): void {
    const summary = this.#summary;
    switch (event.type) {
      case "message_end":
        if (event.message.role === "assistant" && event.message.abortReason !== "ttsr") {
          this.#textBefore = summary.text;
          summary.text = textOf(event.message) || summary.text;
        }
        return;
      case "retry":
        summary.text = this.#textBefore;
        return;
      case "ttsr_triggered":
        summary.ttsr.interrupts++;
        summary.ttsr.discardedTokens += event.discardedTokens;
        for (const { name } of event.rules) summary.ttsr.rules[name] = (summary.ttsr.rules[name] ?? 0) + 1;
        return;
      case "tool_execution_end":
        if (event.denied && event.denied.by !== "rule") {
          summary.denials.push({ tool: event.toolName, reason: event.denied.reason });
        }
        return;
      case "ttsr_suppressed":
        if (event.reason === "budget" && !summary.ttsr.unheeded.includes(event.rule)) {
          summary.ttsr.unheeded.push(event.rule);
        }
        return;
      case "ttsr_audit":
        summary.ttsr.audit = event.hits;
        return;
      case "error":
        summary.error = {
          code: event.code,
          message: event.message,
          ...(event.requestId === undefined ? {} : { requestId: event.requestId }),
        };
        return;
      case "agent_end":
        summary.status = event.status;
        summary.usage = event.usage;
        return;
      default:
        return;
    }
  }

  get summary(): RunSummary {
    return this.#summary;
  }
}
