/**
 * The output stream that Ink writes to. It stands before the real one so that Ink never takes its frame for as tall as the terminal: it
 * would wipe the screen then and print the whole past again (Ink 6.8 compares its last frame with the rows at every paint, so making a
 * window lower is enough). It also learns of a new size only when the frame has been made for it. And a frame is erased from its top down:
 * Ink goes to its bottom and erases row after row upwards, but a terminal made lower drops the rows under the cursor, and Ink would then
 * erase as many rows of the past.
 */
import { EventEmitter } from "node:events";

/** Taller than any terminal: the height of the frame is held by us. */
const TALL = 1_000_000;

/** How Ink 6.8 erases a frame: down to its last row where it has moved the cursor up, then each row from there. */
const ERASE = /(?:\u001b\[(\d+)B\u001b\[1G)?((?:\u001b\[2K\u001b\[1A)*)\u001b\[2K\u001b\[G/g;
const CONTROL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
const ONE_ROW = "\u001b[2K\u001b[1A".length;

/** Never from the upper left corner of the screen: tmux takes that for a wipe, and puts what stood there into its scrollback. */
function eraseDown(_all: string, down: string | undefined, rows: string): string {
  const up = rows.length / ONE_ROW - Number(down ?? 0);
  return `${up > 0 ? `\u001b[${up}A` : ""}\u001b[2G\u001b[1K\u001b[J\u001b[G`;
}

export class FrameOutput extends EventEmitter {
  readonly isTTY = true;
  readonly rows = TALL;
  #open = true;
  #isBlank = true;

  constructor(private readonly stream: Pick<NodeJS.WriteStream, "columns" | "write">) {
    super();
    this.setMaxListeners(0);
  }

  get columns(): number {
    return this.stream.columns;
  }

  /** Whether the frame that was written last shows nothing. */
  get isBlank(): boolean {
    return this.#isBlank;
  }

  write(text: string): boolean {
    const drawn = text.replace(CONTROL, "");
    // What moves nothing on (a title, the cursor) is no frame.
    if (drawn !== "") this.#isBlank = drawn.trim() === "";
    return this.#open ? this.stream.write(text.replace(ERASE, eraseDown)) : true;
  }

  /** The terminal is gone: what Ink still has to say is dropped. */
  close(): void {
    this.#open = false;
  }
}
