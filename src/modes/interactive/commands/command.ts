/** What a slash command may do. One file a command; all of the same shape. */
import type { Dialog } from "../dialogs/dialog.js";
import type { FaceSession } from "../session-port.js";

export interface CommandContext {
  session: FaceSession;
  commands: readonly Command[];
  /** Prints lines into the transcript. */
  say(text: string, level?: "quiet" | "info" | "warning"): void;
  open(dialog: Dialog): void;
  close(dialog: Dialog): void;
  quit(): void;
}

export interface Command {
  /** Without the slash. */
  name: string;
  /** One line for completion and help. */
  summary: string;
  /** @throws what went wrong; it is shown */
  run(context: CommandContext, argument: string): void | Promise<void>;
}
