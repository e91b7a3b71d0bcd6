import type { ThinkingLevel, Usage } from "../agent/messages.js";
import type { Clock, ModelStream, Tool, ToolGate } from "../agent/ports.js";
import type { RetryPolicy } from "../agent/retry.js";
import type { CustomTool } from "../extensibility/custom-tools/custom-tools.js";
import type { Extension } from "../extensibility/extensions/runner.js";
import type { PermissionMode } from "../permissions/types.js";
import type { TtsrManager } from "../ttsr/manager.js";
import type { SettingsOf } from "../ttsr/types.js";
import type { RunAudit } from "./exit-audit.js";
import type { Notice } from "./notice.js";
import type { SessionRules } from "./rule-book.js";
import type { SessionManager } from "./session-manager.js";
import type { Surroundings } from "./surroundings.js";
import type { FalseAlarm } from "./ui.js";

export interface SessionLimits {
  maxTurns?: number;
  /** US dollars; needs `costOf`. */
  maxCost?: number;
  timeoutMs?: number;
}

/** What a session is made of. */
export interface SessionDeps {
  cwd: string;
  /** What is to be told before the first prompt: broken rules, ignored settings, a repaired log. */
  startNotices: readonly Notice[];
  log: SessionManager;
  /** For `/new`. */
  createLog(): SessionManager;
  model: ModelStream;
  thinking: ThinkingLevel;
  tools: readonly Tool[];
  customTools: readonly CustomTool[];
  extensions: readonly Extension[];
  gate: ToolGate;
  permissionMode: { current: PermissionMode };
  system(): string;
  ttsr: TtsrManager;
  ttsrSettings: SettingsOf;
  /** Every rule that was found, whatever its state, and what becomes of its file. */
  rules: SessionRules;
  /** The last look of a run at what it has written. */
  audit: RunAudit;
  /** Writes a text into a rule's own file as an example on which it must stay silent. */
  addSilentExample(path: string, example: FalseAlarm): Promise<void>;
  surroundings: Surroundings;
  retry: RetryPolicy;
  limits: SessionLimits;
  /** US dollars that an answer of this model cost; undefined where its price is not known. */
  costOf(usage: Usage, model: { provider: string; model: string }): number | undefined;
  clock: Clock;
  random(): number;
}
