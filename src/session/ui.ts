/** What a session may ask of the face in front of it, and what a face reads of a session. */
import type { ThinkingLevel, Usage } from "../agent/messages.js";
import type { RuleState } from "../capability/rule.js";
import type { AskPermission, PermissionMode } from "../permissions/types.js";

/** Asked once per folder, before anything of the repository is obeyed. */
export interface TrustQuestion {
  folder: string;
  /** The rule files that would become active. */
  rules: { name: string; path: string; description: string }[];
  /** Settings and context files that would be obeyed as well; with `changes` they stand there. */
  others: string[];
  /** "new": the folder was never trusted. "changed": these files changed since. "written": one of the agent's own tools wrote them just now. */
  kind: "new" | "changed" | "written";
  /** For "changed" and "written": what is different, per file, as a unified diff or a note. */
  changes?: { path: string; diff: string }[];
}

export interface SessionUi {
  askPermission: AskPermission;
  askTrust(question: TrustQuestion): Promise<boolean>;
}

export interface RuleStatus {
  name: string;
  path: string;
  provider: string;
  state: RuleState;
  /** Why it is broken, shadowed by what … */
  reason?: string;
  triggers: string[];
  scope: string[];
  globs: string[];
  description: string;
  hits: number;
  interrupts: number;
  discardedTokens: number;
  muted: boolean;
}

/** A snapshot for status lines and panels; made anew at each call. */
export interface SessionState {
  id: string;
  cwd: string;
  /** Absolute path of the log; undefined with `--no-session`. */
  file: string | undefined;
  running: boolean;
  model: { provider: string; model: string; contextWindow: number | undefined };
  thinking: ThinkingLevel;
  permissionMode: PermissionMode;
  /** Prompts that wait for the present run. */
  queue: readonly string[];
  /** Sum over the session. */
  usage: Usage;
  /** Tokens that the last request filled; 0 before the first answer. */
  contextTokens: number;
  ttsr: { enabled: boolean; armed: number; interrupts: number; discardedTokens: number };
}
