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
 * @returns how many rows further below the first row of the frame the cursor stands now
 */
export function pushedDown(
  reflow: Reflow,
  rows: readonly string[],
  cursor: { row: number; column: number },
  columns: number,
): number {
  if (reflow === "unknown" || columns < 1) return 0;
  // The row of the cursor itself is cut by xterm.js, or broken without the cursor being moved, or with it where its scrollback is not full yet.
  const broken = rows.map((row, i) => (i === cursor.row ? 0 : wrapExact(row, columns).length - 1));
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  return reflow === "xterm.js" ? sum(broken) : sum(broken.slice(0, cursor.row)) + Math.floor(cursor.column / columns);
}
