/** Finds the text that an edit wants to replace: a ladder of ever less literal readings, each of which keeps the number of lines. */
import { type Source, toLf } from "./edit-source.js";

export type Level = "exact" | "line endings" | "trailing space" | "indentation" | "punctuation";

/** A stretch of `Source.lf`. */
export interface Hit {
  start: number;
  end: number;
  /** With level "indentation": what each line of the replacement gets or loses in front. */
  shift?: { add: string } | { remove: string };
}

export interface Found {
  level: Level;
  hits: Hit[];
}

type Finder = (source: Source, old: string, step: Step) => Hit[];

/** Where the search goes on: right after a hit, or one character after its start, so that hits that overlap are seen too. */
type Step = "after" | "overlapping";

const LADDER: readonly [Level, Finder][] = [
  ["exact", exactHits],
  ["line endings", (source, old, step) => substringHits(source.lf, toLf(old), step)],
  ["trailing space", (source, old) => wholeLineHits(source, old, sameButTrailing)],
  ["indentation", (source, old) => wholeLineHits(source, old, shifted)],
  ["punctuation", (source, old, step) => substringHits(foldPunctuation(source.lf), foldPunctuation(toLf(old)), step)],
];

/**
 * @param literal only the first two levels, for a file that the model does not know as it is now
 * @returns the hits of the first level that has any, in order, possibly overlapping; undefined without one
 */
export function findOld(source: Source, old: string, literal: boolean, step: Step): Found | undefined {
  for (const [level, find] of literal ? LADDER.slice(0, 2) : LADDER) {
    const hits = find(source, old, step);
    if (hits.length > 0) return { level, hits };
  }
  return undefined;
}

function exactHits(source: Source, old: string, step: Step): Hit[] {
  return substringHits(source.raw, old, step).map(({ start, end }) => ({
    start: source.toLf(start),
    end: source.toLf(end),
  }));
}

function substringHits(text: string, wanted: string, step: Step): Hit[] {
  const hits: Hit[] = [];
  if (wanted === "") return hits;
  const onwards = step === "after" ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + onwards)) {
    hits.push({ start: at, end: at + wanted.length });
  }
  return hits;
}

/** @returns the shift, or `true` for none; false where the lines differ */
type Compare = (lines: readonly string[], wanted: readonly string[]) => Hit["shift"] | boolean;

function wholeLineHits(source: Source, old: string, compare: Compare): Hit[] {
  const wanted = toLf(old).split("\n");
  const withNewline = wanted.length > 1 && wanted.at(-1) === "";
  if (withNewline) wanted.pop();
  const anchor = wanted.findIndex((line) => line.trim() !== "");
  if (anchor < 0) return [];
  const key = wanted[anchor]?.trim();
  const hits: Hit[] = [];
  for (let first = 0; first + wanted.length <= source.lines.length; first++) {
    if (source.lines[first + anchor]?.text.trim() !== key) continue;
    const window = source.lines.slice(first, first + wanted.length);
    const same = compare(
      window.map((line) => line.text),
      wanted,
    );
    const from = window[0];
    const last = window.at(-1);
    if (same === false || !from || !last) continue;
    const next = source.lines[first + wanted.length];
    const end = withNewline && next ? next.lfStart : last.lfStart + last.text.length;
    hits.push({ start: from.lfStart, end, ...(typeof same === "object" ? { shift: same } : {}) });
  }
  return hits;
}

const sameButTrailing: Compare = (lines, wanted) => lines.every((line, i) => line.trimEnd() === wanted[i]?.trimEnd());

const shifted: Compare = (lines, wanted) => {
  let shift: { add: string } | { remove: string } | undefined;
  for (const [i, line] of lines.entries()) {
    const have = line.trimEnd();
    const want = (wanted[i] ?? "").trimEnd();
    if (have === "" || want === "") {
      if (have !== want) return false;
      continue;
    }
    shift ??= shiftBetween(have, want);
    if (!shift) return false;
    if ("add" in shift ? have !== shift.add + want : want !== shift.remove + have) return false;
  }
  return shift ?? false;
};

function shiftBetween(have: string, want: string): { add: string } | { remove: string } | undefined {
  const extra = Math.abs(have.length - want.length);
  if (extra > 0 && have.endsWith(want) && isBlank(have.slice(0, extra))) return { add: have.slice(0, extra) };
  if (extra > 0 && want.endsWith(have) && isBlank(want.slice(0, extra))) return { remove: want.slice(0, extra) };
  return undefined;
}

function isBlank(text: string): boolean {
  return /^[ \t]+$/.test(text);
}

/** One character for one character, so that offsets stay. */
function foldPunctuation(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ");
}
