import type { CompletionView } from "../store/state.js";
import type { RowContext } from "./context.js";
import { cells, contentWidth, fit } from "./width.js";

/** Candidates below the editor, the selected one marked; scrolls around the selection. */
export function completionRows(
  { items, selected }: CompletionView,
  maxRows: number,
  { columns, theme }: RowContext,
): string[] {
  const from = Math.max(0, Math.min(selected - Math.floor(maxRows / 2), items.length - maxRows));
  const width = contentWidth(columns);
  const longest = Math.min(width, Math.max(...items.map(({ name }) => cells(name))));
  return items.slice(from, from + maxRows).map(({ name, summary }, i) => {
    const chosen = from + i === selected;
    const fitted = fit(name, longest);
    const label = fitted + " ".repeat(Math.max(0, longest - cells(fitted)));
    const about = fit(summary, width - longest - 2);
    const row = chosen ? `${theme.accent("›")} ${theme.accent(label)}  ${about}` : `  ${label}  ${theme.dim(about)}`;
    return about === "" ? (chosen ? `${theme.accent("›")} ${theme.accent(fitted)}` : `  ${fitted}`) : row;
  });
}
