/** Running text cut into what may be said again: a sentence, a line, or a part of a longer one. */

/** Words of a part, and its UTF-16 units where no white space comes: a phrase that goes on without a full stop comes back to the same parts. */
const MOST_WORDS = 8;
const LONGEST = 128;

const STOPS = ".!?…";
/** What may follow a stop and still belong to the sentence. */
const CLOSERS = "\"'”’»)]*_`";
/** They need no white space behind them. */
const WIDE_STOPS = "。！？";

export interface Sentence {
  text: string;
  /** Offsets in the lane; `end` is behind what had to be read to know that it ends here. */
  start: number;
  end: number;
}

/** Reads unit by unit, so the cuts depend on the text alone. Keeps one sentence. */
export class SentenceReader {
  #text = "";
  #start = 0;
  #words = 0;
  #inWord = false;
  #stopped = false;

  constructor(private readonly found: (sentence: Sentence) => void) {}

  /** @param at where the text stands in the lane */
  push(text: string, at: number): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code <= 0x20 || code === 0xa0 || code === 0x3000) this.#space(at + i + 1);
      else this.#add(text.charAt(i), at + i);
    }
  }

  /** @param at where the line ends in the lane */
  endLine(at: number): void {
    if (this.#text !== "") this.#tell(at);
  }

  #space(end: number): void {
    if (this.#text === "") return;
    if (this.#inWord) this.#words++;
    this.#inWord = false;
    if (this.#stopped || this.#words === MOST_WORDS) this.#tell(end);
    else if (!this.#text.endsWith(" ")) this.#text += " ";
  }

  #add(unit: string, at: number): void {
    if (this.#text === "") this.#start = at;
    this.#inWord = true;
    this.#stopped = STOPS.includes(unit) || (this.#stopped && CLOSERS.includes(unit));
    this.#text += unit;
    if (WIDE_STOPS.includes(unit) || this.#text.length >= LONGEST) this.#tell(at + 1);
  }

  #tell(end: number): void {
    const sentence = { text: this.#text.trimEnd(), start: this.#start, end };
    this.#text = "";
    this.#words = 0;
    this.#inWord = false;
    this.#stopped = false;
    this.found(sentence);
  }
}
