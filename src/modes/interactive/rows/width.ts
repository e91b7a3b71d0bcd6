/** Widths and margins, measured as Ink measures. */
import stringWidth from "string-width";

import { cells, wrapExact } from "./wrap.js";

export { cells, wrapExact, wrapProse } from "./wrap.js";

/** Two cells at the left are for marks; the last column stays free, so that a narrower window cannot make a row run over. */
export const GUTTER = 2;
/** Prose wider than this is tiring to read. Cells. */
const PROSE_MAX = 100;

export function contentWidth(columns: number): number {
  return Math.max(8, columns - GUTTER - 1);
}

export function proseWidth(columns: number): number {
  return Math.min(PROSE_MAX, contentWidth(columns));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** @returns unstyled text cut to `width` cells, with `…` where something is missing; always one row */
export function fit(text: string, width: number): string {
  if (width <= 0) return "";
  const line = text.includes("\n") ? text.replaceAll(/\s*\n\s*/g, " ") : text;
  const head = line.slice(0, width * 8 + 16);
  if (head.length === line.length && cells(line) <= width) return line;
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

/** @returns styled text cut to `width` cells, with `…` where something is missing */
export function cut(text: string, width: number): string {
  if (cells(text) <= width) return text;
  return `${wrapExact(text, Math.max(1, width - 1))[0] ?? ""}…`;
}

/** @returns unstyled text cut at its left side: paths are told by their end */
export function fitEnd(text: string, width: number): string {
  if (width <= 0) return "";
  if (cells(text) <= width) return text;
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

export function indent(rows: readonly string[], by: number, mark?: string): string[] {
  const space = " ".repeat(by);
  return rows.map((row, i) => (i === 0 && mark !== undefined ? mark + row : row === "" ? "" : space + row));
}

/** @returns the last `count` rows */
export function tail(rows: readonly string[], count: number): readonly string[] {
  return rows.length <= count ? rows : rows.slice(rows.length - Math.max(0, count));
}
