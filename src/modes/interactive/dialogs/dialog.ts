import type { DialogView } from "../store/state.js";
import type { TermInput } from "../term/key-parser.js";

/** A question or panel that takes the keyboard. */
export interface Dialog extends DialogView {
  /** A question comes up by itself, whatever the user is doing; a panel was asked for. */
  readonly kind: "question" | "panel";
  /** @returns false for a key that it has no use for: from a question, text goes back into the draft */
  handle(input: TermInput): boolean;
  /** Esc, or the end of the session: answered in the safe way. Called at most once. */
  dismiss(): void;
  /** What it has room for only a part of, whole. @returns undefined where all of it is to be seen */
  whole?(): { title: string; text: string } | undefined;
}
