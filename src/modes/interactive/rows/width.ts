/** Text → rows of cells, measured as Ink measures. Rows may carry SGR; they never carry a line end. */
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** Two cells at the left are for marks; the last column stays free, so that a narrower window cannot make a row run over. */
export const GUTTER = 2;
/** Prose wider than this is tiring to read. Cells. */
const PROSE_MAX = 100;

/** One cell a character, for certain: needs no measuring. */
const PLAIN = /^[ -~]*$/;

export function contentWidth(columns: number): number {
  return Math.max(8, columns - GUTTER - 1);
}

export function proseWidth(columns: number): number {
  return Math.min(PROSE_MAX, contentWidth(columns));
}

/** @returns rows broken between words; leading and trailing spaces of rows go */
export function wrapProse(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true, trim: true }).split("\n");
}

/** @returns rows broken anywhere; every space stays */
export function wrapExact(text: string, width: number): string[] {
  if (text.length <= width && PLAIN.test(text)) return [text];
  return wrapAnsi(text, width, { hard: true, trim: false, wordWrap: false }).split("\n");
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** @returns unstyled text cut to `width` cells, with `…` where something is missing; always one row */
export function fit(text: string, width: number): string {
  if (width <= 0) return "";
  const line = text.includes("\n") ? text.replaceAll(/\s*\n\s*/g, " ") : text;
  const head = line.slice(0, width * 8 + 16);
  if (head.length === line.length && stringWidth(line) <= width) return line;
  let out = "";
  let used = 0;
  for (const { segment } of graphemes.segment(head)) {
    const size = stringWidth(segment);
    if (used + size > width - 1) break;
    out += segment;
    used += size;
  }
  return `${out}…`;
}

/** @returns unstyled text cut at its left side: paths are told by their end */
export function fitEnd(text: string, width: number): string {
  if (width <= 0) return "";
  if (stringWidth(text) <= width) return text;
  const segments = [...graphemes.segment(text.slice(-width * 8))].map(({ segment }) => segment).reverse();
  let out = "";
  let used = 0;
  for (const segment of segments) {
    const size = stringWidth(segment);
    if (used + size > width - 1) break;
    out = segment + out;
    used += size;
  }
  return `…${out}`;
}

export function cells(text: string): number {
  return stringWidth(text);
}

export function indent(rows: readonly string[], by: number, mark?: string): string[] {
  const space = " ".repeat(by);
  return rows.map((row, i) => (i === 0 && mark !== undefined ? mark + row : row === "" ? "" : space + row));
}

/** @returns the last `count` rows */
export function tail(rows: readonly string[], count: number): readonly string[] {
  return rows.length <= count ? rows : rows.slice(rows.length - Math.max(0, count));
}
