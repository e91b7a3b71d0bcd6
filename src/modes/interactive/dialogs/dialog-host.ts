/** Questions wait in a queue; one is on the screen. */
import type { TermInput } from "../term/key-parser.js";
import type { Dialog } from "./dialog.js";

export class DialogHost {
  readonly #dialogs: Dialog[] = [];
  #version = 0;

  /** @param onChange the screen must follow */
  constructor(private readonly onChange: (dialog: Dialog | undefined, version: number) => void) {}

  get present(): Dialog | undefined {
    return this.#dialogs[0];
  }

  /**
   * Shows a dialog when its turn comes.
   * @param make gets the function that takes the dialog away again, to be called when it is answered
   */
  open(make: (close: () => void) => Dialog): Dialog {
    const dialog = make(() => this.#close(dialog));
    this.#dialogs.push(dialog);
    this.#changed();
    return dialog;
  }

  /** @returns false for a key that the dialog on the screen has no use for */
  handle(input: TermInput): boolean {
    const used = this.present?.handle(input) ?? false;
    this.#changed();
    return used;
  }

  /** The end of the session: every question is answered in the safe way. */
  dismissAll(): void {
    for (const dialog of [...this.#dialogs]) dialog.dismiss();
  }

  #close(dialog: Dialog): void {
    const at = this.#dialogs.indexOf(dialog);
    if (at === -1) return;
    this.#dialogs.splice(at, 1);
    this.#changed();
  }

  #changed(): void {
    this.#version++;
    this.onChange(this.present, this.#version);
  }
}
