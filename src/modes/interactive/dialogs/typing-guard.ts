/** Who is writing must not answer a question that comes up meanwhile: what is typed goes on into the draft. */
import type { Clock } from "../../../agent/ports.js";
import type { TermInput } from "../term/key-parser.js";
import type { Dialog } from "./dialog.js";

/** A draft that was touched within this time before a dialog came up is still being written. Milliseconds. */
const WRITING_MS = 5_000;
/** So long without a key, with the question in sight, and the next key is an answer. Milliseconds. */
const QUIET_MS = 1_000;
/** Keys that nobody types into a sentence: whoever presses one has seen the question. */
const DELIBERATE: ReadonlySet<string> = new Set(["up", "down", "tab", "pageup", "pagedown", "escape"]);

export class TypingGuard {
  #typedAt = Number.NEGATIVE_INFINITY;
  #shownAt = Number.NEGATIVE_INFINITY;
  #dialog: Dialog | undefined;
  #held = false;

  constructor(private readonly clock: Clock) {}

  /** A key went into the draft. */
  typed(): void {
    this.#typedAt = this.clock.now();
  }

  /** What is on the screen now. @param mayBeMidSentence there is a draft, and the dialog was not opened by its writer's own key */
  shown(dialog: Dialog | undefined, mayBeMidSentence: boolean): void {
    if (dialog === this.#dialog) return;
    this.#dialog = dialog;
    this.#shownAt = this.clock.now();
    this.#held = dialog !== undefined && mayBeMidSentence && this.#shownAt - this.#typedAt < WRITING_MS;
  }

  /** @returns whether a key goes into the draft before the dialog sees it */
  keeps(input: TermInput): boolean {
    if (!this.#held) return false;
    const quiet = this.clock.now() - Math.max(this.#typedAt, this.#shownAt);
    if (quiet >= QUIET_MS || (input.type === "key" && DELIBERATE.has(input.name))) this.#held = false;
    return this.#held;
  }

  /** The dialog had no use for it. @returns whether it goes into the draft; until the writer pauses, so does everything else */
  keepsUnused(input: TermInput): boolean {
    if (this.#dialog?.kind !== "question") return false;
    const isText = input.type === "paste" || (input.type === "key" && input.text !== undefined);
    // A digit that is not offered was meant as an answer.
    if (!isText || (input.type === "key" && /^\d$/.test(input.text ?? ""))) return false;
    this.#held = true;
    return true;
  }
}
