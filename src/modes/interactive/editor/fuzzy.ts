import fuzzysort from "fuzzysort";

/** More than anybody looks through. */
const LIMIT = 50;

/** @returns the best of `items` for what was typed, best first; the first ones as they are where nothing was typed */
export function fuzzy<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
  if (query === "") return items.slice(0, LIMIT);
  return fuzzysort.go(query, items, { key: textOf, limit: LIMIT, threshold: 0 }).map(({ obj }) => obj);
}
