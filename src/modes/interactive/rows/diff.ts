/** A unified diff → rows with line numbers, coloured by side, with the words marked that differ between a line and its new form. */
import { diffWordsWithSpace } from "diff";
import type { Style, Theme } from "../theme.js";
import { clean } from "./clean.js";
import { cut, wrapExact } from "./width.js";

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
  const lines = parseDiff(diff).map((line) => ({ ...line, text: show(line.text) }));
  const digits = String(Math.max(0, ...lines.map((line) => line.number))).length;
  const room = Math.max(6, width - digits - 1);
  const words = changedWords(lines, theme);
  return lines.flatMap((line) => {
    if (line.kind === "gap") return [theme.dim(theme.spoken ? "Further down:" : "⋮")];
    const style = styleOf(line, theme);
    const sign = theme.spoken ? SPOKEN[line.kind] : SIGNS[line.kind];
    const text = words.get(line) ?? (line.text.trimEnd() === "" ? "" : style(line.text.trimEnd()));
    const whole = text === "" ? style(sign) : `${style(sign)} ${text}`;
    const rows = long === "cut" ? [cut(whole, room)] : wrapExact(whole, room);
    return rows.map((row, i) => {
      const number = i === 0 ? String(line.number).padStart(digits) : " ".repeat(digits);
      return `${theme.dim(number)} ${row}`.trimEnd();
    });
  });
}

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { added: "+", removed: "-", same: " ", gap: "" };
const SPOKEN: Readonly<Record<DiffLine["kind"], string>> = { added: "added", removed: "removed", same: " ", gap: "" };

function styleOf({ kind }: DiffLine, theme: Theme): Style {
  return kind === "added" ? theme.added : kind === "removed" ? theme.removed : theme.plain;
}

/** A longer line is not compared word by word. Characters. */
const LONGEST = 500;
/** Comparing words stops after this time; the lines are shown without marks then. Milliseconds. */
const TIMEOUT_MS = 20;

/** @returns the styled text of each line that replaces, or is replaced by, one much like it */
function changedWords(lines: readonly DiffLine[], theme: Theme): ReadonlyMap<DiffLine, string> {
  const marked = new Map<DiffLine, string>();
  if (!theme.colors) return marked;
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    if (removed.length === added.length) {
      removed.forEach((before, i) => {
        const after = added[i];
        if (after) markPair(before, after, theme, marked);
      });
    }
    at += Math.max(1, removed.length + added.length);
  }
  return marked;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}

function markPair(before: DiffLine, after: DiffLine, theme: Theme, marked: Map<DiffLine, string>): void {
  if (before.text.length > LONGEST || after.text.length > LONGEST) return;
  const parts = diffWordsWithSpace(before.text, after.text, { timeout: TIMEOUT_MS });
  if (!parts) return;
  const common = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  // Two lines that share little are two lines: marking nearly everything would say nothing.
  if (common * 2 < Math.min(before.text.trim().length, after.text.trim().length)) return;
  const side = (drop: "added" | "removed", plain: Style, word: Style): string =>
    parts
      .filter((part) => !part[drop])
      .map(({ value, added, removed }) => (added || removed ? word(value) : plain(value)))
      .join("");
  marked.set(before, side("added", theme.removed, theme.removedWord));
  marked.set(after, side("removed", theme.added, theme.addedWord));
}
