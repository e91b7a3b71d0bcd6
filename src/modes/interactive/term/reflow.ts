/**
 * What a terminal that was made narrower has done to a frame: rows that no longer fit are broken, and the cursor may stand further below the
 * first of them. How far differs, so only terminals for which it is known are taken into account: with the others a few rows of the old frame
 * may stay, but nothing of the past is erased.
 */
import { wrapExact } from "../rows/wrap.js";

/** What is known of the terminal: tmux keeps the cursor on its character; xterm.js (VS Code and many more) moves it down for each row that came to be, also below it. */
export type Reflow = "unknown" | "tmux" | "xterm.js";

/** Asks for the secondary device attributes. */
export const WHO = "\u001b[>c";

/** @param reply an answer to `WHO`, without `ESC`; what tmux 2.2–3.5 and xterm.js up to 6.0 say of themselves */
export function reflowOf(reply: string): Reflow | undefined {
  if (reply === "[>84;0;0c") return "tmux";
  return reply === "[>0;276;0c" ? "xterm.js" : undefined;
}

/**
 * @param rows of the frame as it was drawn, without escapes
 * @param cursor its row in the frame (behind the last one: below it) and its column, from 0
 * @param size how wide the terminal is now, and by how many rows it was made lower in the same step
 * @returns how many rows further below the first row of the frame the cursor stands now, at least
 */
export function pushedDown(
  reflow: Reflow,
  rows: readonly string[],
  cursor: { row: number; column: number },
  { columns, lower }: { columns: number; lower: number },
): number {
  if (reflow === "unknown" || columns < 1) return 0;
  const broken = rows.map((row) => wrapExact(row, columns).length - 1);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const above = sum(broken.slice(0, cursor.row));
  if (reflow === "tmux") return above + Math.floor(cursor.column / columns);
  // The row of the cursor itself is cut, or broken without the cursor being moved, or with it where the scrollback is not full yet. And what
  // stands at the bottom is dropped, not broken, where the terminal was made lower: the row behind the frame first.
  return above + sum(broken.slice(cursor.row + 1, Math.max(cursor.row + 1, rows.length + 1 - lower)));
}
