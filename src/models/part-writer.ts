/** Emits the parts of one answer and keeps the promises that every wire makes about them. */
import type { ModelError } from "../agent/errors.js";
import type { Json, Usage } from "../agent/messages.js";
import type { StreamPart } from "../agent/ports.js";

type Finish = Extract<StreamPart, { type: "finish" }>;
type BlockKind = "text" | "thinking" | "call" | "opaque";

/**
 * What a decoder writes through. Blocks get the indexes 0, 1, 2 … in the order in which they are opened; empty deltas, and anything for
 * a block that is not open or of another kind, are dropped; blocks still open are ended before `finish`; after the one `finish` or
 * `error` nothing more comes.
 */
export class PartWriter {
  #parts: StreamPart[] = [];
  #open = new Map<number, BlockKind>();
  #next = 0;
  readonly #ids = new Set<string>();
  #started = false;
  #done = false;

  /** Whether `finish` or `error` has been written. */
  get done(): boolean {
    return this.#done;
  }

  /** How many blocks were opened so far. */
  get blocks(): number {
    return this.#next;
  }

  /** Whether a block is open that is told whole at its end. */
  get working(): boolean {
    for (const kind of this.#open.values()) if (kind === "opaque") return true;
    return false;
  }

  /** @returns what was written since the last call */
  take(): StreamPart[] {
    const parts = this.#parts;
    if (parts.length > 0) this.#parts = [];
    return parts;
  }

  /** The answer's id and the model's name as the provider tells them. Only the first call counts. */
  start(responseId?: string, model?: string): void {
    if (this.#started) return;
    this.#started = true;
    this.#write({ type: "start", ...(responseId ? { responseId } : {}), ...(model ? { model } : {}) });
  }

  /** @returns the new block's index; the same for the other `open…` */
  openText(): number {
    const index = this.#begin("text");
    this.#write({ type: "text_start", index });
    return index;
  }

  openThinking(redacted = false): number {
    const index = this.#begin("thinking");
    this.#write({ type: "thinking_start", index, ...(redacted ? { redacted } : {}) });
    return index;
  }

  /** @param id as the server has it; one that another call of this answer has already gets something behind it */
  openCall(id: string, name: string): number {
    const index = this.#begin("call");
    this.#write({ type: "call_start", index, id: this.#unused(id), name });
    return index;
  }

  /** Takes the place of a block that is told whole, later, by `opaque`. */
  openOpaque(): number {
    return this.#begin("opaque");
  }

  text(index: number, text: string): void {
    if (text !== "" && this.#open.get(index) === "text") this.#write({ type: "text_delta", index, text });
  }

  thinking(index: number, text: string): void {
    if (text !== "" && this.#open.get(index) === "thinking") this.#write({ type: "thinking_delta", index, text });
  }

  args(index: number, text: string): void {
    if (text !== "" && this.#open.get(index) === "call") this.#write({ type: "args_delta", index, text });
  }

  /** The whole signature (a later one replaces it). */
  signature(index: number, signature: string): void {
    if (signature !== "" && this.#open.get(index) === "thinking") this.#write({ type: "signature", index, signature });
  }

  /** What goes back with a block unaltered (a later one replaces it). Also for blocks that have ended. */
  replay(index: number, data: Json): void {
    this.#write({ type: "replay", index, data });
  }

  /** A block that we do not act on, whole. @param index from `openOpaque`; a new block without */
  opaque(data: Json, index: number = this.#begin("opaque")): void {
    if (this.#open.get(index) !== "opaque") return;
    this.#write({ type: "opaque", index, data });
    this.end(index);
  }

  /** Ends a block; a second time does nothing. */
  end(index: number): void {
    if (this.#open.delete(index)) this.#write({ type: "block_end", index });
  }

  usage(usage: Usage): void {
    this.#write({ type: "usage", usage });
  }

  /** One sentence for the user. */
  warning(message: string): void {
    this.#write({ type: "warning", message });
  }

  finish(reason: Finish["reason"], rawReason: string, usage: Usage, pause = false): void {
    for (const index of [...this.#open.keys()]) this.end(index);
    this.#write({ type: "finish", reason, rawReason, usage, ...(pause ? { pause } : {}) });
    this.#done = true;
  }

  error(error: ModelError): void {
    this.#write({ type: "error", error });
    this.#done = true;
  }

  /** Results are told apart by the id alone. */
  #unused(id: string): string {
    let own = id;
    while (this.#ids.has(own)) own += "_";
    this.#ids.add(own);
    return own;
  }

  #begin(kind: BlockKind): number {
    const index = this.#next++;
    this.#open.set(index, kind);
    return index;
  }

  #write(part: StreamPart): void {
    if (this.#done) return;
    // Mostly the only one: a list that grows would have room for seventeen.
    if (this.#parts.length === 0) this.#parts = [part];
    else this.#parts.push(part);
  }
}
