/** The state of the face and the frame made of it. One notification per change; parts that look the same stay the same object. */
import type { Theme } from "../theme.js";
import { composeFrame, countToPrint, type Frame, liveBudget, rowsOfPiece } from "./frame.js";
import type { Printed, UiState } from "./state.js";
import type { Transcript } from "./transcript.js";

export class UiStore {
  #state: UiState;
  #frame: Frame;
  #nextId = 1;
  readonly #listeners = new Set<() => void>();
  #held = false;

  constructor(
    initial: UiState,
    readonly theme: Theme,
  ) {
    this.#state = initial;
    this.#frame = composeFrame(initial, theme);
  }

  get state(): UiState {
    return this.#state;
  }

  get frame(): Frame {
    return this.#frame;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** While another program has the terminal the frame is gone and nothing is printed; all of it comes afterwards. */
  hold(held: boolean): void {
    // Taken away by drawing it empty: Ink would go on counting rows that `clear()` had wiped.
    if (held) this.update({ closed: true });
    this.#held = held;
    if (!held) this.update({ closed: false });
  }

  /** Changes the state and tells everybody once. */
  update(change: Partial<UiState>): void {
    this.#state = { ...this.#state, ...change };
    if (this.#held) return;
    this.#frame = keepSame(this.#frame, composeFrame(this.#state, this.theme));
    for (const listener of this.#listeners) listener();
  }

  /** Takes over what the transcript has: prints what must be printed, shows the rest. */
  follow(transcript: Transcript, change: Partial<UiState> = {}): void {
    transcript.settle();
    if (this.#held) {
      this.update(change);
      return;
    }
    const state = { ...this.#state, ...change };
    const context = { columns: state.columns, theme: this.theme };
    const view = transcript.view();
    const count = countToPrint(view, liveBudget(state, this.theme), context);
    const printed: Printed[] = [];
    for (const { piece } of view.slice(0, count)) {
      const rows = rowsOfPiece(piece, context);
      transcript.shift();
      if (rows.length > 0) printed.push({ id: this.#nextId++, text: rows.join("\n") });
    }
    const live = view.slice(count);
    this.update({ ...change, live, ...(printed.length > 0 ? { printed: [...this.#state.printed, ...printed] } : {}) });
  }
}

function keepSame(before: Frame, after: Frame): Frame {
  const part = (a: readonly string[], b: readonly string[]): readonly string[] =>
    a.length === b.length && a.every((row, i) => row === b[i]) ? a : b;
  return {
    ttsr: part(before.ttsr, after.ttsr),
    live: part(before.live, after.live),
    queue: part(before.queue, after.queue),
    dialog: part(before.dialog, after.dialog),
    editor: part(before.editor, after.editor),
    completion: part(before.completion, after.completion),
    status: part(before.status, after.status),
    cursor: after.cursor,
  };
}
