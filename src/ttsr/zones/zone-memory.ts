import type { LaneInfo, TextBefore } from "../types.js";
import type { Tokenizer } from "./tokenizer.js";
import { tokenizerOf } from "./zone-filter.js";

/** Reads a text of which only some lines are watched, so that each run of them begins in the zone in which the lines before it end. */
export class ZoneMemory implements TextBefore {
  /** What nobody has asked about yet. */
  #text = "";
  #tokenizer: Tokenizer | undefined;

  note(text: string): void {
    this.#text += text;
  }

  at(info: LaneInfo): Tokenizer {
    this.#tokenizer ??= tokenizerOf(info);
    let at = 0;
    while (at < this.#text.length) {
      const piece = this.#tokenizer.next(this.#text, at, false);
      if (!piece) break;
      at += piece.length;
    }
    this.#text = this.#text.slice(at);
    return this.#tokenizer.clone();
  }
}
