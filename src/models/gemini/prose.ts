/** Text and thoughts. The wire sends them as parts without beginning or end: parts of one kind that follow each other are one block. */
import { type JsonObject, text } from "../json.js";
import type { PartWriter } from "../part-writer.js";

type Kind = "text" | "thinking";

export class Prose {
  #open: { kind: Kind; index: number; signed: boolean } | undefined;

  constructor(private readonly writer: PartWriter) {}

  /** @param part one with `text` */
  take(part: JsonObject): void {
    const words = text(part["text"]) ?? "";
    const signature = text(part["thoughtSignature"]) ?? "";
    const kind: Kind = part["thought"] === true ? "thinking" : "text";
    if (words === "" && signature === "") return;
    // A block has one signature, and none may be lost: a second one begins a new block.
    if (this.#open && (this.#open.kind !== kind || (this.#open.signed && signature !== ""))) this.end();
    if (!this.#open && words === "" && kind === "text") {
      this.writer.opaque(part);
      return;
    }
    this.#open ??= {
      kind,
      index: kind === "text" ? this.writer.openText() : this.writer.openThinking(),
      signed: false,
    };
    const { index } = this.#open;
    if (kind === "text") this.writer.text(index, words);
    else this.writer.thinking(index, words);
    if (signature === "") return;
    this.#open.signed = true;
    if (kind === "thinking") this.writer.signature(index, signature);
    else this.writer.replay(index, { thoughtSignature: signature, ...(words === "" ? { after: true } : {}) });
  }

  /** Something else begins. */
  end(): void {
    if (this.#open) this.writer.end(this.#open.index);
    this.#open = undefined;
  }
}
