/**
 * The output stream that Ink writes to. It stands before the real one so that Ink never takes its frame for as tall as the terminal: it
 * would wipe the screen then and print the whole past again (Ink 6.8 compares its last frame with the rows at every paint, so making a
 * window lower is enough). It is not told of a new size, for it would draw twice and lose the cursor: the frame is made for the new one. And a
 * frame is erased from its top down: Ink goes to its bottom and erases row after row upwards, but a terminal made lower drops the rows under
 * the cursor, and Ink would then erase as many rows of the past.
 */
import { EventEmitter } from "node:events";
import { cells } from "../rows/wrap.js";
import { pushedDown, type Reflow, reflowOf } from "./reflow.js";

/** Taller than any terminal: the height of the frame is held by us. */
const TALL = 1_000_000;

/** How Ink 6.8 erases a frame: down to its last row where it has moved the cursor up, then each row from there. */
const ERASE = /(?:\u001b\[(\d+)B\u001b\[1G)?((?:\u001b\[2K\u001b\[1A)*)\u001b\[2K\u001b\[G/g;
const CONTROL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
const ONE_ROW = "\u001b[2K\u001b[1A".length;

/** Where Ink leaves a cursor that it shows: so many rows above the one behind the frame, in this column, from 1. */
const CURSOR = /(?:\u001b\[(\d+)A)?\u001b\[(\d+)G\u001b\[\?25h$/;
/** And one that it hides, behind the frame. */
const CURSOR_OFF = /\u001b\[1G$/;
const SYNC_BEGINS = "\u001b[?2026h\u001b[?25l";
const SYNC_ENDS = "\u001b[?2026l";

export class FrameOutput extends EventEmitter {
  readonly isTTY = true;
  readonly rows = TALL;
  #open = true;
  /** As Ink wrote it, without what erases the one before and moves the cursor. */
  #frame = "";
  /** The rows of the frame, without escapes. */
  #drawn: readonly string[] = [];
  /** Of the terminal, when it was drawn. */
  #size = { columns: 0, rows: 0 };
  /** In the frame, from 0. */
  #cursor = { row: 0, column: 0 };
  #reflow: Reflow = "unknown";

  constructor(private readonly stream: Pick<NodeJS.WriteStream, "columns" | "rows" | "write">) {
    super();
    this.setMaxListeners(0);
  }

  get columns(): number {
    return this.stream.columns;
  }

  /** Whether the frame that was written last shows nothing. */
  get isBlank(): boolean {
    return this.#drawn.every((row) => row.trim() === "");
  }

  /** @param sequence what the terminal says of itself, without `ESC` */
  reply(sequence: string): void {
    this.#reflow = reflowOf(sequence) ?? this.#reflow;
  }

  write(text: string): boolean {
    if (!this.#open) return true;
    const written = text.replace(ERASE, (_all, down: string | undefined, rows: string) =>
      this.#erase(rows.length / ONE_ROW - Number(down ?? 0)),
    );
    const drawn = text.replace(CONTROL, "");
    // What moves nothing on (a title, the cursor, the bell) is no frame.
    if (drawn.includes("\n")) {
      this.#frame = text.replace(ERASE, "").replace(CURSOR, "");
      this.#drawn = drawn.split("\n").slice(0, -1);
      this.#size = { columns: this.columns, rows: this.stream.rows };
    }
    const cursor = CURSOR.exec(text);
    const height = this.#drawn.length;
    if (cursor) this.#cursor = { row: height - Number(cursor[1] ?? 0), column: Number(cursor[2]) - 1 };
    else if (drawn.includes("\n") || CURSOR_OFF.test(text)) this.#cursor = { row: height, column: 0 };
    return this.stream.write(written);
  }

  /**
   * The terminal has a new size, and Ink has drawn for it if there was something to draw. One that was made lower has dropped the rows under
   * the cursor, and Ink does not draw anew what is the same.
   */
  resized(): void {
    const { columns, rows } = this.stream;
    if (rows > this.#size.rows) this.#size.rows = rows;
    if (!this.#open || this.isBlank || rows === this.#size.rows) return;
    // A frame that does not fit any more is on its way.
    if (this.#drawn.some((row) => cells(row) > columns)) return;
    const { row, column } = this.#cursor;
    const up = this.#drawn.length - row;
    const cursor = up > 0 ? `\u001b[${up}A\u001b[${column + 1}G\u001b[?25h` : "";
    this.stream.write(SYNC_BEGINS + this.#erase(row) + this.#frame + cursor + SYNC_ENDS);
    this.#size = { columns, rows };
  }

  /** The terminal is gone: what Ink still has to say is dropped. */
  close(): void {
    this.#open = false;
  }

  /**
   * Never from the upper left corner of the screen: tmux takes that for a wipe, and puts what stood there into its scrollback.
   * @param up rows from the top of the frame, as it was drawn, to the cursor
   */
  #erase(up: number): string {
    const { columns } = this;
    const lower = Math.max(0, this.#size.rows - this.stream.rows);
    const pushed =
      columns < this.#size.columns
        ? pushedDown(this.#reflow, this.#drawn, { row: up, column: this.#cursor.column }, { columns, lower })
        : 0;
    const climb = up + pushed;
    return `${climb > 0 ? `\u001b[${climb}A` : ""}\u001b[2G\u001b[1K\u001b[J\u001b[G`;
  }
}
