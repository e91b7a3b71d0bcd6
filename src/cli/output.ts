/** How subcommands print data. */
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Prints rows with their columns aligned; the last column is not padded.
 * @param rows of equal length; foreign text in them is cleaned of control sequences
 */
export function printTable(rows: readonly (readonly string[])[]): void {
  const clean = rows.map((row) => row.map((cell) => sanitizeTerminal(cell).replaceAll(/\s+/g, " ")));
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...clean.map((row) => row[i]?.length ?? 0)));
  for (const row of clean) {
    printLine(
      row
        .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** @returns as in "1 rule", "2 rules" */
export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
