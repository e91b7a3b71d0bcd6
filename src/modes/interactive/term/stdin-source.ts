/** The keyboard: bytes → characters → keys, with the two timers that a terminal makes necessary. */
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../../agent/ports.js";
import { cleanPaste, KeyParser, type TermInput } from "./key-parser.js";

/** A sequence that a slow line tears apart is waited for this long; then Escape is Escape. Milliseconds. */
const ESCAPE_MS = 50;
/** What no hand types is waited for longer: its end alone would be taken for typed. Milliseconds. */
const TORN_MS = 1_000;
/** A paste without an end mark is given out after this long without input. Milliseconds. */
const PASTE_MS = 30_000;

/** The part of a terminal's input stream that is used. */
export interface InputStream {
  on(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  on(event: "end" | "close" | "error", listener: (error?: Error) => void): unknown;
  off(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  off(event: "end" | "close" | "error", listener: (error?: Error) => void): unknown;
  resume(): unknown;
  pause(): unknown;
  setRawMode?(on: boolean): unknown;
  isTTY?: boolean;
  ref?(): unknown;
  unref?(): unknown;
}

export class StdinSource {
  readonly #parser = new KeyParser();
  readonly #decoder = new StringDecoder("utf8");
  #cancel: (() => void) | undefined;
  #listening = false;

  constructor(
    private readonly stream: InputStream,
    private readonly clock: Clock,
    /** Keys that came in one piece come together: they are drawn once. */
    private readonly onInput: (inputs: readonly TermInput[]) => void,
    private readonly onClosed: () => void,
  ) {}

  /** Takes the keyboard over (raw mode). */
  start(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.stream.setRawMode?.(true);
    this.stream.on("data", this.#onData);
    this.stream.on("end", this.#onEnd);
    this.stream.on("close", this.#onEnd);
    this.stream.on("error", this.#onEnd);
    this.stream.ref?.();
    this.stream.resume();
  }

  /** Gives it back. */
  stop(): void {
    if (!this.#listening) return;
    this.#listening = false;
    this.#cancel?.();
    this.#cancel = undefined;
    this.stream.off("data", this.#onData);
    this.stream.off("end", this.#onEnd);
    this.stream.off("close", this.#onEnd);
    this.stream.off("error", this.#onEnd);
    this.stream.setRawMode?.(false);
    this.stream.pause();
    this.stream.unref?.();
  }

  readonly #onEnd = (): void => this.onClosed();

  readonly #onData = (chunk: Buffer | string): void => {
    this.#cancel?.();
    this.#cancel = undefined;
    const text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
    if (this.#isBareMultiline(text)) {
      this.onInput([{ type: "paste", text: cleanPaste(text) }]);
      return;
    }
    this.#tell(this.#parser.push(text));
    this.#schedule();
  };

  /** Terminals without bracketed paste hand over a paste as one piece of typed lines: none of its line ends may send anything. */
  #isBareMultiline(text: string): boolean {
    if (this.#parser.pasting || this.#parser.waiting || text.length < 8 || text.includes("\u001b")) return false;
    return /[^\r\n][\r\n]+[^\r\n\u0000-\u001f]/.test(text);
  }

  #schedule(): void {
    if (this.#parser.waiting) {
      this.#cancel = this.clock.after(this.#parser.torn ? TORN_MS : ESCAPE_MS, () => this.#give(this.#parser.flush()));
    } else if (this.#parser.pasting) {
      this.#cancel = this.clock.after(PASTE_MS, () => this.#give(this.#parser.flushPaste()));
    }
  }

  #give(inputs: readonly TermInput[]): void {
    this.#cancel = undefined;
    this.#tell(inputs);
  }

  #tell(inputs: readonly TermInput[]): void {
    if (inputs.length > 0) this.onInput(inputs);
  }
}
