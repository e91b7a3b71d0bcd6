/** Errors of the edit tool that teach: what stands in the file, with numbers, and with the characters that cannot be seen. */
import type { Source } from "./edit-source.js";
import { toLf } from "./edit-source.js";
import { withoutHalf } from "./text-window.js";

const MAX_SHOWN = 30;
const MAX_LINE = 300;
const MAX_LISTED = 50;
/** Lines of the file that are compared by likeness; beyond that only equal lines count. */
const MAX_COMPARED = 5000;

/** @param lines 1-based */
export function explainAmbiguous(lines: readonly number[]): string {
  const listed = lines.slice(0, MAX_LISTED).join(", ");
  const more = lines.length > MAX_LISTED ? ` and ${lines.length - MAX_LISTED} more` : "";
  return `old stands ${lines.length} times in the file, at lines ${listed}${more}. Add lines around it so that it fits one place only, or set all to true.`;
}

/** @param changed the file is not what the model saw last */
export function explainMissing(source: Source, old: string, changed: boolean): string {
  const wanted = toLf(old).split("\n");
  if (wanted.length > 1 && wanted.at(-1) === "") wanted.pop();
  const lead = changed
    ? "The file has changed since you read it, and old no longer stands in it."
    : "old does not stand in the file.";
  const first = nearest(source, wanted);
  if (first === undefined) return `${lead} Nothing in it is like it; read the file.`;
  const count = Math.min(wanted.length, MAX_SHOWN);
  const shown = source.lines
    .slice(first, first + count)
    .map((line, i) => `${first + i + 1}|${visible(line.text)}${line.ending === "\r\n" ? "␍" : ""}`);
  const what = changed ? "The lines there are now" : "The nearest lines are";
  return `${lead} ${what} (→ is a tab, · a space at the end, ␍ a CR):\n${shown.join("\n")}`;
}

function visible(text: string): string {
  const end = text.trimEnd().length;
  const tail = text.slice(end).replaceAll(" ", "·");
  const line = (text.slice(0, end) + tail).replaceAll("\t", "→").replaceAll("\r", "␍");
  return line.length > MAX_LINE ? `${withoutHalf(line.slice(0, MAX_LINE))}…` : line;
}

/** @returns the index of the line where the block begins that is most like `wanted` */
function nearest(source: Source, wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [i, line] of wanted.entries()) {
    const key = line.trim();
    if (key !== "") places.set(key, [...(places.get(key) ?? []), i]);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of source.lines.entries()) {
    const key = line.text.trim();
    for (const i of places.get(key)?.slice(0, 20) ?? []) {
      // Long lines tell more than a lone bracket.
      const first = Math.max(0, at - i);
      votes.set(first, (votes.get(first) ?? 0) + 1 + Math.min(key.length, 40));
    }
  }
  const best = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
  return best ? best[0] : mostAlike(source, wanted);
}

function mostAlike(source: Source, wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), "");
  const pairs = pairsOf(longest);
  let best: number | undefined;
  let bestLikeness = 0.4;
  for (const [at, line] of source.lines.slice(0, MAX_COMPARED).entries()) {
    const likeness = diceOf(pairs, pairsOf(line.text));
    if (likeness > bestLikeness) {
      bestLikeness = likeness;
      best = at;
    }
  }
  return best === undefined ? undefined : Math.max(0, best - wanted.indexOf(longest));
}

function pairsOf(text: string): Set<string> {
  const plain = text.trim().slice(0, MAX_LINE);
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < plain.length; i++) pairs.add(plain.slice(i, i + 2));
  return pairs;
}

/** Dice's coefficient: 1 for the same pairs of letters, 0 for none in common. */
function diceOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
