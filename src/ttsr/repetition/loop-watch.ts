/**
 * Says when prose goes round in circles (C72, C73). Three signs: the same paragraph for the third time, with nothing new since it was last
 * there; eight of the last twelve paragraphs that are like an earlier one; or a long run of sentences, none of which is new (`run-watch.ts`).
 *
 * What brings something new is progress, not a loop: a heading, or a line of a list, table, quote or code, that was not there before, and a
 * number, path, identifier or name that was not. Each of these starts the counting of the last twelve anew. A paragraph in words that were not
 * there is new as well, but only one of the twelve.
 */
import { type Block, BlockReader, type Said } from "./blocks.js";
import { RUN_SENTENCES, RunWatch } from "./run-watch.js";
import { type Sentence, SentenceReader } from "./sentences.js";
import { lineHash, MOST_WORDS, type Words, wordsOf } from "./words.js";

/**
 * A shorter paragraph ("Done.", "Let me look.") is said again in the best of answers. UTF-16 units, white space in a row counted as one, and
 * letters or digits among them. The figures of public detectors at work (code-yeongyu/senpi, pull request 1326).
 */
const LEAST_LENGTH = 64;
const LEAST_LETTERS = 24;
/** Times that the same paragraph stands there (the same source: 9 times in the case that it reports). */
const SAME = 3;
/** Of the shorter ones, a question and a title in plain letters: what follows is said of something else. "Hmm, once more." is none. */
const LABEL = /[?\p{L}\p{N}]["”»')*_\s]*$/u;
/**
 * Two paragraphs are alike when they share half of all their words (Jaccard); and so many of the last so many must be (code-yeongyu/senpi,
 * pull request 1763, where they fired on 2 of 12,499 texts, both of them loops).
 */
const ALIKE = 0.5;
const LIKE_EARLIER = 8;
const LAST = 12;
/** Paragraphs that are remembered: two rounds of a cycle of 114, which was seen in the wild (the same source), and some. */
const REMEMBERED = 256;
/** Tokens and lines that are known to have been there: so many of the newest, and up to as many older ones: more than such a cycle has. */
const KNOWN = 4_096;
/** UTF-16 units of a paragraph that are shown. */
const SHOWN = 120;

/** For people: clauses, each of them enough. */
export const WHEN_REPEATED = [
  `when the same paragraph ends a ${SAME}rd time, with nothing new between,`,
  `when ${LIKE_EARLIER} of the last ${LAST} paragraphs are like an earlier one,`,
  `or when ${RUN_SENTENCES} sentences or lines in a row were there before`,
];

/** At most so many steps does a paragraph cost, each of which compares two words; see `LoopWatch.steps`. */
export const MOST_STEPS = REMEMBERED * 2 * MOST_WORDS;

export interface Loop {
  /** Offsets in the lane: where the repetition begins, and what had to be read to know it. */
  start: number;
  end: number;
  /** The paragraph that repeats, on one line; at most 120 units. */
  excerpt: string;
  /** As in "the same paragraph 3 times". */
  what: string;
}

/** A paragraph that was there. */
interface Remembered extends Pick<Words, "key" | "set"> {
  /** How often. */
  times: number;
  /** Block number of the last time. */
  at: number;
  /** Where it stood the second time. */
  again?: Place;
}

interface Place {
  start: number;
  /** As it is shown. */
  text: string;
}

/** Watches one lane of prose. Memory is bounded: 256 paragraphs of at most 128 words, and 8,320 hashes. */
export class LoopWatch {
  readonly #reader = new BlockReader(
    (block, end) => this.#judge(block, end),
    (said) => this.#hear(said),
  );
  readonly #sentences = new SentenceReader((sentence) => this.#count(sentence));
  readonly #runs = new RunWatch();
  /** What the sentences are read from. */
  #said: Said | undefined;
  #recent: Remembered[] = [];
  /** Of the last paragraphs since something new: where those stood that were like an earlier one. */
  #last: (Place | undefined)[] = [];
  #known = new Set<number>();
  #knownBefore = new Set<number>();
  #blocks = 0;
  /** Block number of the last that was not there before. */
  #newest = 0;
  #loop: Loop | undefined;
  #over = false;
  #steps = 0;

  /** @returns the loop, once, when it is known */
  push(delta: string): Loop | undefined {
    if (this.#over) return undefined;
    this.#reader.push(delta);
    return this.#take();
  }

  /** The lane is complete. */
  close(): Loop | undefined {
    if (this.#over) return undefined;
    this.#reader.close();
    return this.#take();
  }

  /** Comparisons of words so far; a paragraph adds at most `MOST_STEPS`. */
  get steps(): number {
    return this.#steps;
  }

  #take(): Loop | undefined {
    if (this.#loop) {
      this.#over = true;
      this.#recent = [];
      this.#known.clear();
      this.#knownBefore.clear();
      this.#runs.clear();
    }
    return this.#loop;
  }

  #hear(said: Said): void {
    this.#said = said;
    this.#sentences.push(said.text, said.start);
    if (said.endsLine) this.#sentences.endLine(said.start + said.text.length);
  }

  #count(sentence: Sentence): void {
    if (this.#loop) return;
    const { known = 0, far = false } = this.#said ?? {};
    const run = this.#runs.take(sentence, far);
    if (!run) return;
    const what = `${run.sentences} sentences or lines in a row that were there before`;
    this.#loop = found({ start: run.start, text: shown(run.text) }, Math.max(known, run.end), what);
  }

  #judge(block: Block, end: number): void {
    // The first one counts, however much came in the same delta.
    if (this.#loop) return;
    this.#blocks++;
    if (block.kind === "line") {
      const hash = lineHash(block.text);
      if (hash !== undefined && this.#learn(hash)) {
        this.#progress();
        this.#runs.progress();
      }
      return;
    }
    const words = block.whole ? wordsOf(block.text) : undefined;
    const brought = words ? this.#broughtBy(words) : "names";
    if (brought === "names") this.#progress();
    if (!words) return;
    if (words.length >= LEAST_LENGTH && words.letters >= LEAST_LETTERS) this.#loop = this.#compare(words, block, end);
    else if (brought === "words" && LABEL.test(block.text)) this.#add(undefined);
  }

  /** @returns the loop that is complete with this paragraph */
  #compare(words: Words, place: Place, end: number): Loop | undefined {
    const isNew = this.#newest === this.#blocks;
    const same = this.#recent.findIndex(({ key }) => key === words.key);
    const earlier = same < 0 ? undefined : this.#recent[same];
    const like = earlier !== undefined || (!isNew && this.#recent.some((each) => this.#alike(each, words)));
    const here = { start: place.start, text: shown(place.text) };
    this.#add(like ? here : undefined);
    const nothingNew = earlier !== undefined && this.#newest <= earlier.at;
    const now: Remembered = earlier ?? { key: words.key, set: words.set, times: 0, at: 0 };
    if (earlier) this.#recent.splice(same, 1);
    else if (this.#recent.length === REMEMBERED) this.#recent.shift();
    this.#recent.push(now);
    now.times++;
    now.at = this.#blocks;
    if (now.times === 2) now.again = here;

    if (nothingNew && now.times >= SAME) return found(now.again ?? here, end, `the same paragraph ${now.times} times`);
    const echoes = this.#last.filter((each) => each !== undefined);
    const [first] = echoes;
    if (!first || echoes.length < LIKE_EARLIER) return undefined;
    return found(first, end, `${echoes.length} of the last ${this.#last.length} paragraphs are like earlier ones`);
  }

  #alike({ set: one }: Remembered, { set: other }: Words): boolean {
    // |A ∩ B| / |A ∪ B| ≥ s, where |A ∪ B| = |A| + |B| - |A ∩ B|.
    const least = ((one.length + other.length) * ALIKE) / (1 + ALIKE);
    // So many of each may be missing in the other.
    let mayLack = one.length - least;
    let otherMayLack = other.length - least;
    let at = 0;
    let otherAt = 0;
    while (mayLack >= 0 && otherMayLack >= 0 && at < one.length && otherAt < other.length) {
      const difference = (one[at] ?? 0) - (other[otherAt] ?? 0);
      if (difference < 0) mayLack--;
      else if (difference > 0) otherMayLack--;
      if (difference <= 0) at++;
      if (difference >= 0) otherAt++;
      this.#steps++;
    }
    return mayLack - (one.length - at) >= 0 && otherMayLack - (other.length - otherAt) >= 0;
  }

  /** @param like where the newest paragraph stands, if it is like an earlier one */
  #add(like: Place | undefined): void {
    if (!like) this.#newest = this.#blocks;
    this.#last.push(like);
    if (this.#last.length > LAST) this.#last.shift();
  }

  /** @returns what the paragraph has that was not there before: a number or something with a name, or only words */
  #broughtBy({ tokens }: Words): "names" | "words" | "nothing" {
    let brought: "names" | "words" | "nothing" = "nothing";
    for (const { hash, names } of tokens) {
      if (!this.#learn(hash)) continue;
      if (names) brought = "names";
      else if (brought === "nothing") brought = "words";
    }
    return brought;
  }

  /** @returns whether it was not known. What was seen lately stays known. */
  #learn(hash: number): boolean {
    if (this.#known.has(hash)) return false;
    const isNew = !this.#knownBefore.has(hash);
    if (this.#known.size === KNOWN) {
      this.#knownBefore = this.#known;
      this.#known = new Set();
    }
    this.#known.add(hash);
    return isNew;
  }

  #progress(): void {
    this.#newest = this.#blocks;
    this.#last = [];
  }
}

function found({ start, text }: Place, end: number, what: string): Loop {
  return { start, end, excerpt: text, what };
}

function shown(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .trim()
    .replaceAll(/\s+/g, " ");
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
