import type { DialogView } from "../store/state.js";
import type { TermInput } from "../term/key-parser.js";

/** A question or panel that takes the keyboard. */
export interface Dialog extends DialogView {
  /** @returns false for a key that it has no use for (it goes no further all the same, but for the global ones) */
  handle(input: TermInput): boolean;
  /** Esc, or the end of the session: answered in the safe way. Called at most once. */
  dismiss(): void;
}
