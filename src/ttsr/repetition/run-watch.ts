/**
 * Says when sentences go on and on and none of them is new. What degenerates is often no paragraph: two short lines in turn, a handful of
 * remarks in any order, one phrase without end.
 */
import type { Sentence } from "./sentences.js";
import { textHash } from "./words.js";

/**
 * So many sentences and so many UTF-16 units on end. google-gemini/gemini-cli stops at the same 50 characters for the 10th time (its
 * loopDetectionService.ts), which is 500; its fork vybestack/llxprt-code at the 50th. In 5,249 texts of 17 million units (documents of packages
 * and of a system, transcripts of agents) the longest run had 28: a licence that stands there twice.
 */
export const RUN_SENTENCES = 48;
const RUN_LENGTH = 500;
/** Different sentences that are remembered: more than a cycle of 114, which was seen in the wild (code-yeongyu/senpi, pull request 1763). */
const REMEMBERED = 128;
/** UTF-16 units that are shown. */
const SHOWN = 160;
const LETTER = /\p{L}/u;

export interface Run {
  /** Where its first sentence begins, and what had to be read to know it. */
  start: number;
  end: number;
  /** The sentences that it begins with. */
  text: string;
  sentences: number;
  /** White space came with the last of them. */
  spaced: boolean;
}

/** Memory is bounded: 128 hashes. */
export class RunWatch {
  readonly #recent = new Set<number>();
  #run: Run | undefined;

  /**
   * @param wordless whether a sentence without a letter counts: a line of a drawing or of figures has none
   * @returns the run that is long enough with this sentence
   */
  take({ text, start, end }: Sentence, wordless: boolean): Run | undefined {
    if (this.#learn(textHash(text))) {
      this.#run = undefined;
      return undefined;
    }
    if (!wordless && !LETTER.test(text)) return undefined;
    const run = this.#run ?? { start, end, text, sentences: 0, spaced: false };
    if (run.sentences > 0 && run.text.length < SHOWN) run.text += run.spaced || start > run.end ? ` ${text}` : text;
    run.end = end;
    run.spaced = end - start > text.length;
    run.sentences++;
    this.#run = run;
    return run.sentences >= RUN_SENTENCES && end - run.start >= RUN_LENGTH ? run : undefined;
  }

  /** Something else came that was not there before. */
  progress(): void {
    this.#run = undefined;
  }

  clear(): void {
    this.#recent.clear();
    this.#run = undefined;
  }

  /** @returns whether it was not among the last */
  #learn(hash: number): boolean {
    const isNew = !this.#recent.delete(hash);
    this.#recent.add(hash);
    const [oldest] = this.#recent;
    if (this.#recent.size > REMEMBERED && oldest !== undefined) this.#recent.delete(oldest);
    return isNew;
  }
}
