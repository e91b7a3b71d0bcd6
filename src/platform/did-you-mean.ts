/** Letters from which on the beginning of a name may stand for it: `warn` for `warning`. */
const BEGINNING = 4;

/** How a name is compared: case and separators are the commonest slips (`interrupt_mode`, `InterruptMode`). */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, "");
}

/**
 * Edit distance where swapping two neighbours counts as one slip (optimal string alignment).
 * @returns the distance, or `limit + 1` as soon as it is known to be above `limit`
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}

/**
 * The candidate that was probably meant. One of several parts is found by its last one (`contextMode` for `ttsr.contextMode`, `uv` for
 * `python/uv`); else the nearest, with slips for at most a third of the word's length, at least one; else one that the word begins.
 * @param word what was written; longer than 64 characters is nobody's slip
 */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(word);
  if (wanted === "" || wanted.length > 64) return undefined;
  let limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let byLastPart: string | undefined;
  let begun: string | undefined;
  for (const candidate of candidates) {
    const name = plain(candidate);
    if (name === wanted) return candidate;
    const d = distance(wanted, name, limit);
    if (d <= limit && (best === undefined || d < limit)) {
      best = candidate;
      limit = d;
    }
    if (name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1) === wanted) byLastPart ??= candidate;
    if (wanted.length >= BEGINNING && name.startsWith(wanted)) begun ??= candidate;
  }
  return byLastPart ?? best ?? begun;
}
