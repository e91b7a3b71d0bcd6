import { cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { contentWidth, fit } from "./width.js";

/** What waits: for the present tool ("next"), for the present run ("queued"). */
export function queueRows(
  { queue, steering }: { queue: readonly string[]; steering: number },
  maxRows: number,
  { columns, theme }: RowContext,
): string[] {
  if (queue.length === 0) return [];
  const shown = queue.length <= maxRows ? queue : queue.slice(0, maxRows - 1);
  const rows = shown.map((text, i) => {
    const label = i < steering ? "next" : "queued";
    return theme.dim(`  ${label}: ${fit(cleanLine(text), contentWidth(columns) - label.length - 2)}`);
  });
  const more = queue.length - shown.length;
  return more > 0 ? [...rows, theme.dim(`  ${more} ${shown.length > 0 ? "more " : ""}queued`)] : rows;
}
