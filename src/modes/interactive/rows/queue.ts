import { cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { contentWidth, fit } from "./width.js";

/** Prompts that wait for the present run. */
export function queueRows(queue: readonly string[], maxRows: number, { columns, theme }: RowContext): string[] {
  if (queue.length === 0) return [];
  const shown = queue.length <= maxRows ? queue : queue.slice(0, maxRows - 1);
  const rows = shown.map((text) => theme.dim(`  queued: ${fit(cleanLine(text), contentWidth(columns) - 8)}`));
  const more = queue.length - shown.length;
  return more > 0 ? [...rows, theme.dim(`  ${more} ${shown.length > 0 ? "more " : ""}queued`)] : rows;
}
