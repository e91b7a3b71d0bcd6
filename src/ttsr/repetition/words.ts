/** What a paragraph says, in numbers that are quickly compared. */

/** Distinct words of a paragraph that are compared: about as many as 200 words of running text have. */
export const MOST_WORDS = 128;

/** Scripts that put no spaces between words: there, two characters in a row count as one. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
/** Marks of their own, and full-width forms. */
const UNSPACED_MARKS = "\\u3000-\\u303F\\uFF00-\\uFF65";
const TOKEN = new RegExp(`[${UNSPACED}]+|[^\\s${UNSPACED}${UNSPACED_MARKS}]+`, "gu");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PLAIN = /^[a-z]+$/;
/** What a token may begin and end with. */
const INNER = /[\p{L}\p{M}\p{N}_$/\\]/u;
/** A digit, what only names of files and things in code have, emphasis, quotes, a flag, capitals within a word or two in a row. */
const NAMES_SOMETHING =
  /[\p{N}_/\\`"“”„«»=<>{}|@#$%^&~]|\*\*|[\p{L}\p{N}][.:][\p{L}\p{N}]|::|\(\)|^--?\p{L}|\p{Ll}\p{Lu}|^\P{L}*\p{Lu}{2}/u;
const CAPITAL = /^[^\p{L}\p{N}]*\p{Lu}/u;
const FIRST_PERSON = /^[^\p{L}]*I(?:$|[^\p{L}])/u;
/** A capital behind it says nothing. */
const SENTENCE_END = /[.!?:;…—–-]["”»')*_]*$/u;

export interface Words {
  /** The same for texts that differ in case and white space alone. 53 bits. */
  key: number;
  /** UTF-16 units, white space in a row counted as one. */
  length: number;
  letters: number;
  /** Hashes of the first distinct words, sorted. */
  set: Int32Array;
  /** Hashes of everything that stands between white space, and whether it is a number, a path, an identifier or a name. */
  tokens: { hash: number; names: boolean }[];
}

export function wordsOf(text: string): Words {
  const plain = text.trim().replace(/\s+/g, " ").toLowerCase();
  const set = new Set<number>();
  const tokens: Words["tokens"] = [];
  let letters = 0;
  let behindEnd = true;
  const add = (word: string): void => {
    if (set.size < MOST_WORDS) set.add(hash(word));
  };
  for (const [token] of text.matchAll(TOKEN)) {
    if (IS_UNSPACED.test(token)) {
      const characters = [...token.toLowerCase()];
      letters += characters.length;
      for (const [index, character] of characters.entries()) {
        if (index > 0 || characters.length === 1) add((characters[index - 1] ?? "") + character);
      }
      behindEnd = true;
      continue;
    }
    const inner = withoutEdges(token.toLowerCase());
    const innerHash = hash(inner);
    if (PLAIN.test(inner)) {
      letters += inner.length;
      if (set.size < MOST_WORDS) set.add(innerHash);
    } else {
      for (const [word] of inner.matchAll(WORD)) {
        letters += word.length;
        add(word);
      }
    }
    const names = NAMES_SOMETHING.test(token) || (!behindEnd && CAPITAL.test(token) && !FIRST_PERSON.test(token));
    tokens.push({ hash: innerHash, names });
    behindEnd = SENTENCE_END.test(token);
  }
  return {
    key: (hash(plain) >>> 0) * 2 ** 21 + (hash(plain, 0x9e3779b9) >>> 11),
    length: plain.length,
    letters,
    set: Int32Array.from(set).sort(),
    tokens,
  };
}

function withoutEdges(token: string): string {
  if (PLAIN.test(token)) return token;
  let from = token.search(INNER);
  if (from < 0) return "";
  let to = token.length;
  while (!INNER.test(token[to - 1] ?? "_")) to--;
  // The last one may be written in two units.
  if (to <= from) [from, to] = [0, token.length];
  return token.slice(from, to);
}

/** @returns the hash of a line, whatever its case and white space; undefined where it has neither letter nor digit */
export function lineHash(line: string): number | undefined {
  return /[\p{L}\p{N}]/u.test(line) ? textHash(line) : undefined;
}

/** @returns the hash of a text, whatever its case and white space */
export function textHash(text: string): number {
  return hash(text.trim().replace(/\s+/g, " ").toLowerCase());
}

/** FNV-1a over UTF-16 units, with an avalanche at the end. 32 bits, signed. */
function hash(text: string, seed = 0x811c9dc5): number {
  let h = seed | 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}
