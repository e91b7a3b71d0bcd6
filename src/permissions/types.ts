import type { PermissionSubject } from "../agent/ports.js";

/** `plan`: reads only. `ask`: edits and commands ask. `auto-edit`: edits in the workspace run. `yolo`: asks for nothing but protected paths. */
export type PermissionMode = "plan" | "ask" | "auto-edit" | "yolo";

export const PERMISSION_MODES: readonly PermissionMode[] = ["plan", "ask", "auto-edit", "yolo"];

export interface PermissionQuestion {
  toolCallId: string;
  toolName: string;
  subject: PermissionSubject;
  /** Why it asks although the mode would allow it (a protected path), one sentence. */
  because?: string;
  /** What "allow for this session" would cover, in words; undefined where it is not offered. */
  sessionScope?: string;
}

export type PermissionAnswer =
  | { allow: true; remember?: "session" }
  /** `message` is a word to the model; `stop` ends the run as well. */
  | { allow: false; message?: string; stop?: boolean };

export type AskPermission = (question: PermissionQuestion, signal: AbortSignal) => Promise<PermissionAnswer>;
