/** Whole lines of a fence or file → rows. */
import type { Style, Theme } from "../theme.js";
import { clean } from "./clean.js";
import { highlight } from "./highlight.js";
import { wrapExact } from "./width.js";

export interface CodeLook {
  /** As written after the fence; "" or unknown: one colour for all. */
  lang?: string;
  /** What the lines before have left open. */
  open?: string;
  /** In place of all colours. */
  over?: Style;
}

/** @returns rows, and the beginning of what is still open behind them */
export function codeRows(
  lines: readonly string[],
  width: number,
  theme: Theme,
  { lang = "", open = "", over }: CodeLook = {},
): { rows: string[]; open: string } {
  // Without colour, code is told from prose by its indent.
  const shift = theme.colors || theme.spoken ? 0 : 2;
  const room = Math.max(4, width - shift);
  const cleaned = lines.map(clean);
  const coloured = over ? undefined : highlight(cleaned, lang, theme, open);
  const style = over ?? theme.code;
  const rows = (coloured?.lines ?? cleaned)
    .flatMap((line) => (line.trim() === "" ? [""] : wrapExact(line, room)))
    .map((row) => (row === "" ? "" : " ".repeat(shift) + (coloured ? row : style(row))));
  return { rows, open: coloured?.open ?? "" };
}
