/** Where front matter begins and ends in a file as people write it. */
const FENCE = /^---[ \t]*$/;
/** A key at the start of a line. */
export const KEY_LINE = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+([^ \t](?:.*[^ \t])?))?[ \t]*$/;
/** What may stand between keys: a list entry, an indented line, a comment. */
const CONTINUED = /^(?:[ \t]+\S|-(?:[ \t]|$)|#)/;
/** Other engines, other formats, blanks after the fence: always refused. */
const NOT_OURS = /^(?:---[^-]|\+\+\+|;;;)/;
/** A ruler, or the dash that a word processor makes of the fence: refused where keys follow. */
const SLIP = /^(?:-{4,}|[\u2013\u2014]-?)[ \t]*$/;

/** Keys that only a rule of ours has: where they stand, front matter was meant. */
const OUR_KEY = /^(?:ttsr_trigger|ttsrTrigger|condition|astCondition)[ \t]*:/;
/** Lines in which front matter that came too late is looked for. */
const NEAR_TOP = 50;

export type Fences =
  | { kind: "none" }
  | { kind: "refused"; line: number; message: string }
  /** Indexes of lines: keys stand in [1, `end`), the body starts at `body`. `closed`: the second fence was there. */
  | { kind: "found"; end: number; body: number; closed: boolean };

export function findFences(lines: readonly string[]): Fences {
  const first = lines[0] ?? "";
  if (first !== "---") return withoutFence(lines);
  const close = lines.findIndex((line, i) => i > 0 && FENCE.test(line));
  const natural = naturalEnd(lines);
  if (close >= 0) {
    // A ruler further down in the text is no fence: the keys have ended before it, at a blank line.
    const endsEarlier =
      natural < close &&
      natural > 1 &&
      !lines.slice(natural, close).every((line) => line.trim() === "" || isKeyLike(line));
    if (!endsEarlier || !isBlank(lines[natural])) return { kind: "found", end: close, body: close + 1, closed: true };
  }
  if (natural === 1) return { kind: "none" };
  return { kind: "found", end: natural, body: natural, closed: false };
}

function withoutFence(lines: readonly string[]): Fences {
  const first = lines[0] ?? "";
  const refused = (line: number, message: string): Fences => ({ kind: "refused", line, message });
  if (NOT_OURS.test(first) || (SLIP.test(first) && KEY_LINE.test(lines[1] ?? ""))) {
    return refused(
      1,
      `Front matter must start with exactly "---" on line 1, not with "${shortened(first)}": it is YAML and nothing else.`,
    );
  }
  const start = lines.findIndex((line) => line.trim() !== "");
  if (start > 0 && FENCE.test(lines[start] ?? "") && KEY_LINE.test(lines[start + 1] ?? "")) {
    return refused(start + 1, LATE);
  }
  const key = start < 0 ? start : /^(?:```|~~~)/.test(lines[start] ?? "") ? start + 1 : start;
  if (OUR_KEY.test(lines[key] ?? "")) {
    return refused(
      key + 1,
      'The keys are not read without a line "---" in front of them, on line 1, and one behind them.',
    );
  }
  const late = lateBlock(lines);
  return late === undefined ? { kind: "none" } : refused(late + 1, LATE);
}

const LATE = 'Front matter must start with exactly "---" on line 1; remove what stands before it.';

/** @returns the index of the fence of a block with a trigger that stands below other text; what stands in a code fence is an example */
function lateBlock(lines: readonly string[]): number | undefined {
  let isCode = false;
  for (const [index, line] of lines.slice(0, NEAR_TOP).entries()) {
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || !FENCE.test(line)) continue;
    const close = lines.findIndex((each, i) => i > index && FENCE.test(each));
    const block = lines.slice(index + 1, close < 0 ? index + 1 : close);
    if (block.some((each) => OUR_KEY.test(each)) && block.every((each) => isBlank(each) || isKeyLike(each)))
      return index;
  }
  return undefined;
}

/** @returns the index of the first line that can no longer belong to front matter opened on line 1 and never closed */
function naturalEnd(lines: readonly string[]): number {
  let i = 1;
  for (; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (i === 1 ? KEY_LINE.test(line) || line.startsWith("#") : isKeyLike(line)) continue;
    // A blank line ends it unless the keys go on right after.
    if (isBlank(line) && i > 1 && KEY_LINE.test(lines[i + 1] ?? "")) continue;
    break;
  }
  return i;
}

function isKeyLike(line: string): boolean {
  return KEY_LINE.test(line) || CONTINUED.test(line);
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function shortened(line: string): string {
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

/**
 * A second block right after the first, as generators leave it behind. A ruler in the text is none: between its fences stand only keys.
 * @param from index of the first line after the first block
 */
export function findSecondBlock(lines: readonly string[], from: number): { start: number; end: number } | undefined {
  let start = from;
  while (start < lines.length && isBlank(lines[start])) start++;
  if (!FENCE.test(lines[start] ?? "")) return undefined;
  let keys = 0;
  for (let i = start + 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (FENCE.test(line)) return keys > 0 ? { start: start + 1, end: i } : undefined;
    if (KEY_LINE.test(line)) keys++;
    else if (!isBlank(line) && !(keys > 0 && CONTINUED.test(line))) return undefined;
  }
  return undefined;
}
