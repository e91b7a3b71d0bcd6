/**
 * The output stream that Ink writes to. It stands before the real one so that Ink never takes its frame for as tall as the terminal: it
 * would wipe the screen then and print the whole past again (Ink 6.8 compares its last frame with the rows at every paint, so making a
 * window lower is enough). It is not told of a new size, for it would draw twice and lose the cursor: the frame is made for the new one. And a
 * frame is erased from its top down: Ink goes to its bottom and erases row after row upwards, but a terminal made lower drops the rows under
 * the cursor, and Ink would then erase as many rows of the past.
 */
import { EventEmitter } from "node:events";
import { pushedDown, type Reflow, reflowOf } from "./reflow.js";

/** Taller than any terminal: the height of the frame is held by us. */
const TALL = 1_000_000;

/** How Ink 6.8 erases a frame: down to its last row where it has moved the cursor up, then each row from there. */
const ERASE = /(?:\u001b\[(\d+)B\u001b\[1G)?((?:\u001b\[2K\u001b\[1A)*)\u001b\[2K\u001b\[G/g;
const CONTROL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
const ONE_ROW = "\u001b[2K\u001b[1A".length;

/** Where Ink leaves a cursor that it shows, counted from 1. */
const CURSOR = /\u001b\[(\d+)G\u001b\[\?25h/;

export class FrameOutput extends EventEmitter {
  readonly isTTY = true;
  readonly rows = TALL;
  #open = true;
  /** What was drawn last, without escapes, and how wide the terminal was. */
  #drawn = "";
  #drawnColumns = 0;
  #cursorColumn = 0;
  #reflow: Reflow = "unknown";

  constructor(private readonly stream: Pick<NodeJS.WriteStream, "columns" | "write">) {
    super();
    this.setMaxListeners(0);
  }

  get columns(): number {
    return this.stream.columns;
  }

  /** Whether the frame that was written last shows nothing. */
  get isBlank(): boolean {
    return this.#drawn.trim() === "";
  }

  /** @param sequence what the terminal says of itself, without `ESC` */
  reply(sequence: string): void {
    this.#reflow = reflowOf(sequence) ?? this.#reflow;
  }

  write(text: string): boolean {
    const erased = text.replace(ERASE, (_all, down: string | undefined, rows: string) =>
      this.#eraseDown(rows.length / ONE_ROW - Number(down ?? 0)),
    );
    const drawn = text.replace(CONTROL, "");
    // What moves nothing on (a title, the cursor) is no frame.
    if (drawn !== "") {
      this.#drawn = drawn;
      this.#drawnColumns = this.columns;
    }
    const column = CURSOR.exec(text)?.[1];
    if (column !== undefined) this.#cursorColumn = Number(column) - 1;
    else if (drawn !== "") this.#cursorColumn = 0;
    return this.#open ? this.stream.write(erased) : true;
  }

  /** The terminal is gone: what Ink still has to say is dropped. */
  close(): void {
    this.#open = false;
  }

  /**
   * Never from the upper left corner of the screen: tmux takes that for a wipe, and puts what stood there into its scrollback.
   * @param up rows from the top of the frame, as it was drawn, to the cursor
   */
  #eraseDown(up: number): string {
    const { columns } = this;
    const pushed =
      columns < this.#drawnColumns
        ? pushedDown(
            this.#reflow,
            this.#drawn.split("\n").slice(0, -1),
            { row: up, column: this.#cursorColumn },
            columns,
          )
        : 0;
    const climb = up + pushed;
    return `${climb > 0 ? `\u001b[${climb}A` : ""}\u001b[2G\u001b[1K\u001b[J\u001b[G`;
  }
}
