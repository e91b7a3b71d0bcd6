/**
 * Sets of UTF-16 code units. Without the flag `u` a pattern sees code units, not code points: half a surrogate pair is a unit like any other,
 * so a pair that is split over two deltas needs no special case.
 */

/** Inclusive ranges `[low, high, low, high, …]`, ascending, neither overlapping nor touching. */
export type CharSet = readonly number[];

const LAST = 0xffff;

export const ALL: CharSet = [0, LAST];
export const DIGITS: CharSet = [0x30, 0x39];
/** `[A-Za-z0-9_]`: what `\w` matches and `\b` asks for. */
export const WORD_UNITS: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
/** LineTerminator of ECMAScript: what `.` leaves out and `^`, `$` with `m` ask for. */
export const LINE_ENDS: CharSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
/** WhiteSpace and LineTerminator of ECMAScript: what `\s` matches. */
export const SPACES: CharSet = union([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

/** The ranges of each set may come in any order, and overlap. */
export function union(sets: readonly CharSet[]): CharSet {
  const ranges = new Float64Array(sets.reduce((sum, { length }) => sum + (length >> 1), 0));
  let at = 0;
  for (const set of sets) for (const [low, high] of rangesOf(set)) ranges[at++] = low * 0x10000 + high;
  const merged: number[] = [];
  let end = -2;
  for (const range of ranges.sort()) {
    const low = Math.floor(range / 0x10000);
    const high = range % 0x10000;
    if (low > end + 1) {
      merged.push(low, high);
      end = high;
    } else if (high > end) {
      merged[merged.length - 1] = high;
      end = high;
    }
  }
  return merged;
}

export function complement(set: CharSet): CharSet {
  const rest: number[] = [];
  let from = 0;
  for (const [low, high] of rangesOf(set)) {
    if (low > from) rest.push(from, low - 1);
    from = high + 1;
  }
  if (from <= LAST) rest.push(from, LAST);
  return rest;
}

export function includes(set: CharSet, unit: number): boolean {
  let below = 0;
  let above = set.length >> 1;
  while (below < above) {
    const middle = (below + above) >> 1;
    if (unit > (set[2 * middle + 1] ?? 0)) below = middle + 1;
    else above = middle;
  }
  return 2 * below < set.length && unit >= (set[2 * below] ?? 0);
}

export function intersects(a: CharSet, b: CharSet): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if ((a[i + 1] ?? 0) < (b[j] ?? 0)) i += 2;
    else if ((b[j + 1] ?? 0) < (a[i] ?? 0)) j += 2;
    else return true;
  }
  return false;
}

export function sizeOf(set: CharSet): number {
  let size = 0;
  for (const [low, high] of rangesOf(set)) size += high - low + 1;
  return size;
}

export function* rangesOf(set: CharSet): Generator<[low: number, high: number]> {
  for (let i = 0; i + 1 < set.length; i += 2) yield [set[i] ?? 0, set[i + 1] ?? 0];
}
