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
  /** A pattern that would cover this call and its like; undefined where none is taken. */
  pattern?: {
    suggested: string;
    /** @returns why a pattern cannot be taken, one sentence; undefined when it can */
    fault(pattern: string): string | undefined;
  };
}

export type PermissionAnswer =
  | { allow: true; remember?: "session" }
  /** For the rest of the session, whatever the pattern covers. */
  | { allow: true; remember: "pattern"; pattern: string }
  /** `message` is a word to the model; `stop` ends the run as well. */
  | { allow: false; message?: string; stop?: boolean };

export type AskPermission = (question: PermissionQuestion, signal: AbortSignal) => Promise<PermissionAnswer>;
