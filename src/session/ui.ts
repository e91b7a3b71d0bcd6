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
  falseAlarms: number;
  muted: boolean;
  /** Why an armed rule would not cut the next match. `sinceTurn`: of the conversation, from 1. `seen`: occurrences, of which it acts on number `of`. */
  pause?:
    | { kind: "quiet"; sinceTurn: number }
    | { kind: "warming-up"; seen: number; of: number }
    | { kind: "spent" }
    | { kind: "allowed-once" };
}

/** A text on which a rule fired and should not have. */
export interface FalseAlarm {
  text: string;
  /** Relative to the project. */
  path?: string;
  tool?: string;
}

/** A model that could be named. */
export interface ModelOffer {
  /** As behind `--model`. */
  spec: string;
  name: string;
  ready: boolean;
  /** What to set, where it is not ready. */
  missing?: string;
  /** Tokens. */
  contextWindow?: number;
}

/** An earlier conversation of this folder. */
export interface SessionOffer {
  id: string;
  title: string;
  /** ISO 8601. */
  updatedAt: string;
  messages: number;
}

export interface SettingLine {
  key: string;
  /** As it would be written. */
  value: string;
  /** "default", "user ~/…/settings.yml:3" … */
  origin: string;
}

/** A snapshot for status lines and panels; made anew at each call. */
export interface SessionState {
  id: string;
  cwd: string;
  /** Absolute path of the log; undefined with `--no-session`. */
  file: string | undefined;
  running: boolean;
  /** It is a command of the user's own that runs. */
  command: boolean;
  model: { provider: string; model: string; contextWindow: number | undefined };
  thinking: ThinkingLevel;
  permissionMode: PermissionMode;
  /** Prompts that wait for the present run. */
  queue: readonly string[];
  /** How many of them, from the front, go in after the present tool instead of after the run. */
  steering: number;
  /** Sum over the session. */
  usage: Usage;
  /** Tokens that the last request filled; 0 before the first answer. */
  contextTokens: number;
  ttsr: { enabled: boolean; armed: number; interrupts: number; discardedTokens: number };
}
