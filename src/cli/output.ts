/** How subcommands print data. */
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";

/** What JSON may hold as it is and a terminal obeys. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function printJson(value: unknown): void {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  process.stdout.write(`${JSON.stringify(value, null, 2).replaceAll(OBEYED, escaped)}\n`);
}

/** @param line foreign text in it is cleaned of control sequences */
export function printLine(line = ""): void {
  process.stdout.write(`${sanitizeTerminal(line)}\n`);
}

/** @returns foreign text, such as the name of a file, on one line */
export function onOneLine(text: string): string {
  return sanitizeTerminal(text).replaceAll(/\s+/g, " ");
}

/**
 * Prints rows with their columns aligned; the last column is not padded.
 * @param rows of equal length; foreign text in them is cleaned of control sequences
 */
export function printTable(rows: readonly (readonly string[])[]): void {
  const clean = rows.map((row) => row.map(onOneLine));
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
