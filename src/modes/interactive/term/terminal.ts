/** The modes of the terminal: put on at the start, taken off whatever ends us. */

/** What of an output stream is used. */
export interface OutputStream {
  write(text: string): boolean;
  columns?: number;
  rows?: number;
  isTTY?: boolean;
  writableNeedDrain?: boolean;
  on(event: "resize", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** Keeps the window's title and gives it back; where nothing is kept, an empty one brings the terminal's own. */
const TITLE_KEEP = "\u001b[22;2t";
const TITLE_BACK = "\u001b]2;\u0007\u001b[23;2t";
/** Reports of the window coming to the front and leaving it. */
const FOCUS_ON = "\u001b[?1004h";
const FOCUS_OFF = "\u001b[?1004l";
/** Asks for the background's colour. */
const BACKGROUND = "\u001b]11;?\u0007";
const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";
/** Asks for kitty's keyboard protocol, then for the device attributes, which every terminal answers. */
const PROBE = "\u001b[?u\u001b[c";
const KITTY_ON = "\u001b[>1u";
const KITTY_OFF = "\u001b[<u";
const MODIFY_ON = "\u001b[>4;2m";
const MODIFY_OFF = "\u001b[>4;0m";
const CURSOR_ON = "\u001b[?25h";

export class Terminal {
  #on = false;
  #keys: "plain" | "kitty" | "modified" = "plain";

  /** @param askBackground whether the theme depends on it */
  constructor(
    private readonly stdout: OutputStream,
    private readonly askBackground = false,
  ) {}

  enter(): void {
    if (this.#on) return;
    this.#on = true;
    this.#keys = "plain";
    this.stdout.write(TITLE_KEEP + FOCUS_ON + PASTE_ON + (this.askBackground ? BACKGROUND : "") + PROBE);
  }

  leave(): void {
    if (!this.#on) return;
    this.#on = false;
    const keys = this.#keys === "kitty" ? KITTY_OFF : this.#keys === "modified" ? MODIFY_OFF : "";
    this.stdout.write(keys + PASTE_OFF + FOCUS_OFF + TITLE_BACK + CURSOR_ON);
  }

  /** @param sequence an answer to the probe, without `ESC` */
  reply(sequence: string): void {
    if (!this.#on || this.#keys !== "plain") return;
    if (/^\[\?\d+u$/.test(sequence)) {
      this.#keys = "kitty";
      this.stdout.write(KITTY_ON);
    } else if (/^\[\?[\d;]*c$/.test(sequence)) {
      this.#keys = "modified";
      this.stdout.write(MODIFY_ON);
    }
  }
}
