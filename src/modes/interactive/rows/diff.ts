/** A unified diff → rows with line numbers, coloured by side. */
import type { Theme } from "../theme.js";
import { clean } from "./clean.js";
import { fit, wrapExact } from "./width.js";

export interface DiffLine {
  kind: "added" | "removed" | "same" | "gap";
  /** In the new file; in the old one for removed lines. */
  number: number;
  text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** @returns the lines of all hunks, with a `gap` between hunks; headers go */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of diff.split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      if (lines.length > 0) lines.push({ kind: "gap", number: 0, text: "" });
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      inHunk = true;
    } else if (/^(?:diff |index |Index: |=====)/.test(line)) {
      inHunk = false;
    } else if (inHunk && line.startsWith("+")) {
      lines.push({ kind: "added", number: after++, text: line.slice(1) });
    } else if (inHunk && line.startsWith("-")) {
      lines.push({ kind: "removed", number: before++, text: line.slice(1) });
    } else if (inHunk && line.startsWith(" ")) {
      lines.push({ kind: "same", number: after++, text: line.slice(1) });
      before++;
    }
  }
  return lines;
}

export function countDiff(diff: string): { added: number; removed: number } {
  const lines = parseDiff(diff);
  const count = (kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return { added: count("added"), removed: count("removed") };
}

/** How a line that is too long is shown: what the user is asked about must be seen whole. */
export type LongLines = "cut" | "wrap";

/** @returns rows: line number, sign, text */
export function diffRows(
  diff: string,
  width: number,
  theme: Theme,
  long: LongLines = "cut",
  show: (text: string) => string = clean,
): string[] {
  const lines = parseDiff(diff);
  const digits = String(Math.max(0, ...lines.map((line) => line.number))).length;
  const room = Math.max(6, width - digits - 1);
  return lines.flatMap((line) => {
    if (line.kind === "gap") return [theme.dim("⋮")];
    const sign = line.kind === "added" ? "+" : line.kind === "removed" ? "-" : " ";
    const style = line.kind === "added" ? theme.added : line.kind === "removed" ? theme.removed : theme.plain;
    const text = `${sign} ${show(line.text)}`.trimEnd();
    const rows = long === "cut" ? [fit(text, room)] : wrapExact(text, room);
    return rows.map((row, i) => {
      const number = i === 0 ? String(line.number).padStart(digits) : " ".repeat(digits);
      return `${theme.dim(number)} ${style(row)}`.trimEnd();
    });
  });
}
