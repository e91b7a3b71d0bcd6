/**
 * Everything that happens, as plain data: the same for the TUI, JSON output, extensions and tests. The order of an interrupted run is
 * TTSR-7.3. The published schema (`ttsr-agent config schema --events`) is made from `event-schema.ts`, and a test holds both together.
 */
import type { AssistantMessage, DeniedView, Message, ToolResultMessage, Usage } from "./messages.js";

export type Delta =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string }
  | { kind: "tool_args"; toolCallId: string; toolName?: string; text: string };

/** A rule as it leaves the process. */
export interface RuleView {
  name: string;
  path: string;
  description: string;
}

/** A match as it leaves the process. Offsets are UTF-16 code units in the lane's text. */
export interface MatchView {
  rule: string;
  source: "text" | "thinking" | "tool";
  toolName?: string;
  argument?: string;
  filePath?: string;
  excerpt: string;
  start: number;
  end: number;
}

/** A line that a run left in the working tree although it breaks a rule. */
export interface AuditHit {
  rule: string;
  /** Relative to the repository's root, posix separators. */
  path: string;
  /** 1-based. */
  line: number;
  excerpt: string;
  severity: "info" | "warning" | "error";
}

/** `user`: let through once. `warm-up`: it was counted, and the rule acts from a later occurrence on. */
export type SuppressedReason = "budget" | "muted" | "mode" | "quiet" | "user" | "warm-up";

export type AgentEvent =
  | { type: "agent_start" }
  /** `prompts`: what the user said that this turn is the first to see. */
  | { type: "turn_start"; turn: number; prompts?: string[] }
  | { type: "message_start"; role: Message["role"]; attempt?: number }
  | { type: "message_update"; contentIndex: number; delta: Delta }
  | { type: "message_end"; message: Message; id?: string }
  | { type: "tool_execution_start"; toolCallId: string; toolName: string; arguments: Record<string, unknown> }
  | { type: "tool_execution_update"; toolCallId: string; toolName: string; text: string }
  | {
      type: "tool_execution_end";
      toolCallId: string;
      toolName: string;
      result: { content: ToolResultMessage["content"]; isError: boolean };
      details?: { diff?: string; path?: string; exitCode?: number };
      denied?: DeniedView;
    }
  | { type: "turn_end"; turn: number; message: AssistantMessage }
  | { type: "ttsr_triggered"; rules: RuleView[]; matches: MatchView[]; attempt: number; discardedTokens: number }
  | { type: "ttsr_retry"; rules: string[]; attempt: number; contextMode: "discard" | "keep" | "rewind" }
  | {
      type: "ttsr_suppressed";
      rule: string;
      reason: SuppressedReason;
      match: MatchView;
      action: "reminder" | "blocked" | "none";
    }
  /** After `agent_end`, and only where there is something to tell. */
  | { type: "ttsr_audit"; hits: AuditHit[] }
  | { type: "retry"; attempt: number; maxAttempts: number; delayMs: number; code: string; message: string }
  | { type: "notice"; level: "info" | "warning"; code: string; message: string }
  | { type: "error"; code: string; message: string; requestId?: string }
  | { type: "agent_end"; status: RunStatus; usage: Usage };

export type RunStatus = "ok" | "error" | "budget" | "denied" | "aborted";

export type AgentListener = (event: AgentEvent) => void;
