/**
 * The output stream that Ink writes to. It stands before the real one so that Ink never takes its frame for as tall as the terminal: it
 * would wipe the screen then and print the whole past again (Ink 6.8 compares its last frame with the rows at every paint, so making a
 * window lower is enough). It also learns of a new size only when the frame has been made for it.
 */
import { EventEmitter } from "node:events";

/** Taller than any terminal: the height of the frame is held by us. */
const TALL = 1_000_000;

export class FrameOutput extends EventEmitter {
  readonly isTTY = true;
  readonly rows = TALL;
  #open = true;

  constructor(private readonly stream: Pick<NodeJS.WriteStream, "columns" | "write">) {
    super();
    this.setMaxListeners(0);
  }

  get columns(): number {
    return this.stream.columns;
  }

  write(text: string): boolean {
    return this.#open ? this.stream.write(text) : true;
  }

  /** The terminal is gone: what Ink still has to say is dropped. */
  close(): void {
    this.#open = false;
  }
}
