import type { CompletionView } from "../store/state.js";
import type { RowContext } from "./context.js";
import { contentWidth, fit } from "./width.js";

/** Candidates below the editor, the selected one marked; scrolls around the selection. */
export function completionRows(
  { items, selected }: CompletionView,
  maxRows: number,
  { columns, theme }: RowContext,
): string[] {
  const from = Math.max(0, Math.min(selected - Math.floor(maxRows / 2), items.length - maxRows));
  const longest = Math.max(...items.map(({ name }) => name.length));
  return items.slice(from, from + maxRows).map(({ name, summary }, i) => {
    const chosen = from + i === selected;
    const label = name.padEnd(longest);
    const about = fit(summary, contentWidth(columns) - longest - 2);
    return chosen ? `${theme.accent("›")} ${theme.accent(label)}  ${about}` : `  ${label}  ${theme.dim(about)}`;
  });
}
