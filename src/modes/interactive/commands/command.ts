import type { FaceSession } from "../session-port.js";
import type { Bindings } from "../term/bindings.js";

/** One of several things to choose from. */
export interface PickItem<T> {
  label: string;
  about: string;
  value: T;
}

/** What a command may do with the face. */
export interface CommandContext {
  session: FaceSession;
  /** All commands there are. */
  commands: readonly Command[];
  bindings: Bindings;
  /** Puts lines into the transcript. */
  say(text: string): void;
  /** Puts a long text into the transcript, under a title; a diff in its colours. */
  show(title: string, text: string): void;
  /** Asks which one; Esc takes none. */
  pick<T>(title: string, items: readonly PickItem<T>[], onPick: (value: T) => void): void;
  /** Lines to look through. */
  read(title: string, lines: readonly string[]): void;
  /** What is queued goes back into the editor. */
  takeQueueBack(): void;
  /** @param filter shows those that fit; "" for all */
  openRules(filter: string): void;
  /** Shows the conversation of the session anew: it is another one now. */
  showConversation(): void;
  /** Opens the user's editor on a file; resolves when it was closed. */
  editFile(path: string): Promise<void>;
  /** To the clipboard. */
  copy(text: string): void;
  /** Runs a program in the folder of the session. @returns what it printed, undefined where it failed */
  output(file: string, args: readonly string[]): Promise<string | undefined>;
  /** What works here and what does not. */
  diagnose(): Promise<string>;
  quit(): void;
  /** Runs something that ends later; a fault of it is shown. */
  run(work: Promise<unknown>): void;
}

export interface Command {
  /** With the slash. */
  name: string;
  summary: string;
  /** What may stand behind it; without, nothing may. */
  argument?: string;
  /** @param argument what stood behind it, trimmed; "" for nothing */
  run(context: CommandContext, argument: string): void;
}
