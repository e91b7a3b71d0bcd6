/**
 * The output stream that Ink writes to. It stands before the real one so that Ink never believes its frame to be as tall as the terminal
 * (it would wipe the scrollback then), learns of a new size only after the state has, and writes nothing into a terminal that is gone.
 */
import { EventEmitter } from "node:events";

/** The part of a terminal's output stream that is used. */
export interface OutputStream {
  columns?: number | undefined;
  rows?: number | undefined;
  isTTY?: boolean;
  writableNeedDrain?: boolean;
  write(text: string): boolean;
  on(event: "resize" | "error" | "close", listener: (error?: Error) => void): unknown;
  off(event: "resize" | "error" | "close", listener: (error?: Error) => void): unknown;
}

/** Taller than any terminal: the frame is bounded by us, not by Ink. */
const TALL = 1_000_000;

export class FrameOutput extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  #open = true;

  constructor(private readonly stream: OutputStream) {
    super();
    this.setMaxListeners(0);
  }

  get columns(): number {
    return sizeOf(this.stream).columns;
  }

  get rows(): number {
    return TALL;
  }

  get writableNeedDrain(): boolean {
    return this.#open && this.stream.writableNeedDrain === true;
  }

  write(text: string): boolean {
    return this.#open ? this.stream.write(text) : true;
  }

  /** The terminal is gone: nothing is written from now on. */
  close(): void {
    this.#open = false;
  }
}

/** 80x24 where the stream does not say. */
export function sizeOf(stream: Pick<OutputStream, "columns" | "rows">): { columns: number; rows: number } {
  return { columns: stream.columns || 80, rows: stream.rows || 24 };
}
