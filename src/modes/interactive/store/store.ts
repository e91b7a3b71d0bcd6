/** The state of the face and the frame made of it. One notification per change; parts that look the same stay the same object. */
import { NO_CARRY } from "../rows/piece.js";
import type { Theme } from "../theme.js";
import { composeFrame, countToPrint, type Frame, liveBudget } from "./frame.js";
import { layOut } from "./layout.js";
import type { Printed, UiState } from "./state.js";
import type { Transcript } from "./transcript.js";

/** Printed texts that are kept. */
const PRINTED_MAX = 500;

export class UiStore {
  #state: UiState;
  #theme: Theme;
  #frame: Frame;
  #nextId = 1;
  /** The list of printed texts that Ink has written last. */
  #drawn: readonly Printed[] = [];
  readonly #listeners = new Set<() => void>();
  #held = false;
  #batching = false;

  constructor(initial: UiState, theme: Theme) {
    this.#state = initial;
    this.#theme = theme;
    this.#frame = composeFrame(initial, theme);
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** From now on everything looks so; what is printed stays. */
  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.update({});
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
    this.#state = { ...this.#state, closed: held };
    if (held) this.#draw();
    this.#held = held;
    if (!held) this.#draw();
  }

  /** Whatever `run` changes is told once. */
  batch(run: () => void): void {
    this.#batching = true;
    try {
      run();
    } finally {
      this.#batching = false;
      this.update({});
    }
  }

  /** Changes the state and tells everybody once. */
  update(change: Partial<UiState>): void {
    this.#state = { ...this.#state, ...change };
    if (!this.#held && !this.#batching) this.#draw();
  }

  #draw(): void {
    this.#frame = keepSame(this.#frame, composeFrame(this.#state, this.theme));
    for (const listener of this.#listeners) listener();
  }

  /** What Ink has printed is the terminal's; the list begins anew before it grows long. */
  #kept(): readonly Printed[] {
    const { printed } = this.#state;
    return printed.length < PRINTED_MAX || this.#drawn !== printed ? printed : [];
  }

  /** The terminal has all of this list. */
  drawn(printed: readonly Printed[]): void {
    this.#drawn = printed;
  }

  /** Takes over what the transcript has: prints what must be printed, shows the rest. */
  follow(transcript: Transcript, change: Partial<UiState> = {}): void {
    transcript.settle();
    if (this.#held) {
      this.update(change);
      return;
    }
    const state = { ...this.#state, ...change };
    const context = { columns: state.columns, theme: this.theme, keys: state.keys };
    const view = transcript.view();
    const laid = layOut(view, context, state.carry);
    const count = countToPrint(view, laid, this.theme.spoken ? 0 : liveBudget(state, this.theme));
    const printed: Printed[] = [];
    for (const { rows } of laid.slice(0, count)) {
      transcript.shift();
      if (rows.length > 0) printed.push({ id: this.#nextId++, text: rows.join("\n") });
    }
    this.update({
      ...change,
      live: view.slice(count),
      ...(count > 0 ? { carry: laid[count - 1]?.carry ?? NO_CARRY } : {}),
      ...(printed.length > 0 ? { printed: [...this.#kept(), ...printed] } : {}),
    });
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
