import type { FaceSession } from "../session-port.js";

/** What a command may do with the face. */
export interface CommandContext {
  session: FaceSession;
  /** All commands there are. */
  commands: readonly Command[];
  /** Puts lines into the transcript. */
  say(text: string): void;
  openRules(): void;
  quit(): void;
  /** Runs something that ends later; a fault of it is shown. */
  run(work: Promise<unknown>): void;
}

export interface Command {
  /** With the slash. */
  name: string;
  summary: string;
  run(context: CommandContext): void;
}
