/** The session as this face sees it; `AgentSession` satisfies it. */
import type { AgentListener, RunStatus } from "../../agent/events.js";
import type { Message, ThinkingLevel } from "../../agent/messages.js";
import type {
  FalseAlarm,
  ModelOffer,
  PermissionMode,
  RuleStatus,
  SessionOffer,
  SessionState,
  SettingLine,
} from "../../sdk.js";

export type {
  PermissionAnswer,
  PermissionMode,
  PermissionQuestion,
  RuleStatus,
  SessionState,
  SessionUi,
  TrustQuestion,
} from "../../sdk.js";

export interface FaceSession {
  readonly id: string;
  /** Absolute. */
  readonly cwd: string;
  /** A rule has cut the stream and the retry has not started. */
  readonly isTtsrAbortPending: boolean;
  readonly state: SessionState;
  readonly messages: readonly Message[];
  /** @returns a function that ends the subscription */
  subscribe(listener: AgentListener): () => void;
  /** Resolves at the end of the run that answers it. While a run is on: `queue` waits for its end, `steer` for its next step. */
  prompt(
    text: string,
    options?: { when?: "queue" | "steer"; onQueued?: () => void },
  ): Promise<{ status: RunStatus; text: string }>;
  abort(): void;
  /** What was queued, taken back. */
  takeQueue(): string[];
  /** The newest of them, taken back. */
  takeLastQueued(): string | undefined;
  /** A command of the user's own: it runs at once, and goes before the user's next words. */
  runCommand(command: string): Promise<void>;
  /** What asks the model to mend what the last run left behind; once, and undefined where there is nothing. */
  takeAuditPrompt(): string | undefined;
  retry(): Promise<unknown>;
  newSession(): Promise<void>;
  /** Goes on with an earlier conversation. */
  resume(id: string): Promise<void>;
  rename(title: string): void;
  /** @returns a remark on the choice */
  chooseModel(spec: string): Promise<string | undefined>;
  setThinking(level: ThinkingLevel): void;
  /** What there is to choose from. */
  readonly surroundings: {
    models(): Promise<readonly ModelOffer[]>;
    sessions(): readonly SessionOffer[];
    settings(): readonly SettingLine[];
    /** Absolute; need not exist. */
    readonly settingsFile: string;
  };
  dispose(): Promise<void>;
  rules(): readonly RuleStatus[];
  muteRule(name: string, muted: boolean): void;
  /** The next answer in which the rule holds passes; an interrupt whose retry is still on is taken back. */
  allowRuleOnce(name: string): Promise<"asked-again" | "next-match">;
  reportFalseAlarm(name: string, example: FalseAlarm): Promise<void>;
  setPermissionMode(mode: PermissionMode): void;
}
