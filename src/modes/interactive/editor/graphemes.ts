/** Steps in a text as people see them: by grapheme and by word. Offsets are UTF-16 units. */
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** No grapheme worth the name is longer; looking further would make a step cost the length of the text. */
const REACH = 256;

export function nextGrapheme(text: string, at: number): number {
  if (at >= text.length) return text.length;
  for (const { segment } of graphemes.segment(text.slice(at, at + REACH))) return at + segment.length;
  return at + 1;
}

export function previousGrapheme(text: string, at: number): number {
  if (at <= 0) return 0;
  const from = Math.max(0, at - REACH);
  let last = from;
  for (const { index } of graphemes.segment(text.slice(from, at))) last = from + index;
  return last;
}

/** @returns the end of the word that begins at or after `at` */
export function nextWord(text: string, at: number): number {
  for (const { segment, index, isWordLike } of words.segment(text.slice(at))) {
    if (isWordLike) return at + index + segment.length;
  }
  return text.length;
}

/** @returns the start of the word that ends at or before `at` */
export function previousWord(text: string, at: number): number {
  let start = 0;
  for (const { index, isWordLike } of words.segment(text.slice(0, at))) if (isWordLike) start = index;
  return start;
}
