/** The modes that the face switches on in a terminal, and their way back: at the end, on a signal, on a crash, around Ctrl+Z. */

const ESC = "\u001b";
/** Bracketed paste. */
const PASTE_ON = `${ESC}[?2004h`;
const PASTE_OFF = `${ESC}[?2004l`;
/** "Do you know kitty's keys?", then a question that every terminal answers. */
const KEYS_QUERY = `${ESC}[?u${ESC}[c`;
const KITTY_ON = `${ESC}[>1u`;
const KITTY_OFF = `${ESC}[<u`;
const OTHER_KEYS_ON = `${ESC}[>4;2m`;
const OTHER_KEYS_OFF = `${ESC}[>4m`;
const CURSOR_ON = `${ESC}[?25h`;
const STYLE_OFF = `${ESC}[0m`;

export class TerminalModes {
  #on = false;
  #keys: "unknown" | "kitty" | "other" = "unknown";
  #keysOn = false;

  constructor(private readonly write: (text: string) => void) {}

  enter(): void {
    if (this.#on) return;
    this.#on = true;
    this.write(PASTE_ON + (this.#keys === "unknown" ? KEYS_QUERY : ""));
    this.#keysIn();
  }

  /** Puts everything back. Safe to call at any time, any number of times. */
  leave(): void {
    if (!this.#on) return;
    this.#on = false;
    const keys = !this.#keysOn ? "" : this.#keys === "kitty" ? KITTY_OFF : OTHER_KEYS_OFF;
    this.#keysOn = false;
    this.write(keys + PASTE_OFF + STYLE_OFF + CURSOR_ON);
  }

  /** @param sequence what the terminal answered, without `ESC` */
  reply(sequence: string): void {
    if (this.#keys !== "unknown") return;
    if (/^\[\?\d+u$/.test(sequence)) this.#keys = "kitty";
    else if (/^\[\?[\d;]*c$/.test(sequence)) this.#keys = "other";
    else return;
    this.#keysIn();
  }

  #keysIn(): void {
    if (!this.#on || this.#keysOn || this.#keys === "unknown") return;
    this.#keysOn = true;
    this.write(this.#keys === "kitty" ? KITTY_ON : OTHER_KEYS_ON);
  }
}
