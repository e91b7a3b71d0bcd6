/** The editor on the screen: a prompt mark, the text, and a window on it when it is long. */
import { placeOf, visualLines } from "../editor/visual-lines.js";
import type { EditorView } from "../store/state.js";
import { cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { cells, contentWidth, fit, fitEnd, GUTTER } from "./width.js";

const PLACEHOLDER = "Ask for something, or / for commands";

export interface EditorRows {
  rows: string[];
  /** Of the cursor, within `rows`. */
  row: number;
  /** Cells. */
  column: number;
}

export function editorRows(view: EditorView, maxRows: number, { columns, theme }: RowContext): EditorRows {
  const { text, cursor, label } = view;
  const mark = theme.accent(theme.spoken ? "> " : "› ");
  if (label !== undefined) {
    const before = fitEnd(text.slice(0, cursor), Math.max(1, contentWidth(columns) - cells(label)));
    const after = fit(text.slice(cursor), contentWidth(columns) - cells(label) - cells(before));
    return { rows: [mark + theme.dim(label) + before + after], row: 0, column: GUTTER + cells(label) + cells(before) };
  }
  if (text === "") return { rows: [mark + theme.dim(fit(PLACEHOLDER, contentWidth(columns)))], row: 0, column: GUTTER };
  const lines = visualLines(text, contentWidth(columns));
  const place = placeOf(lines, cursor);
  const from = Math.max(0, Math.min(place.row - maxRows + 1, lines.length - maxRows));
  const top = Math.min(from, place.row);
  const shown = lines.slice(top, top + maxRows);
  const rows = shown.map((line, i) => {
    const isFirst = top + i === 0;
    const above = i === 0 && top > 0;
    return (isFirst ? mark : above ? theme.dim("↑ ") : "  ") + line.text;
  });
  const below = lines.length - top - shown.length;
  if (below > 0 && rows.length > 1) rows[rows.length - 1] = theme.dim("↓ ") + (shown.at(-1)?.text ?? "");
  return { rows, row: place.row - top, column: GUTTER + place.column };
}

/** While a dialog has the keyboard: the end of what was being written. */
export function draftRow({ text }: EditorView, { columns, theme }: RowContext): string[] {
  if (text.trim() === "") return [];
  const label = "draft  ";
  return [`  ${theme.dim(label + fitEnd(cleanLine(text), Math.max(1, contentWidth(columns) - label.length)))}`];
}
