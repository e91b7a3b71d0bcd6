import fuzzysort from "fuzzysort";

/** More than anybody looks through. */
const LIMIT = 50;

/** @returns the best of `items` for what was typed, best first; the first ones as they are where nothing was typed */
export function fuzzy<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
  if (query === "") return items.slice(0, LIMIT);
  return fuzzysort.go(query, items, { key: textOf, limit: LIMIT, threshold: 0 }).map(({ obj }) => obj);
}

/**
 * For lists of which one reads more than the name: letters that are strewn over a sentence are no find.
 * @returns those of `items` whose text holds every word that was typed, those whose name does first; where there is none, those whose name
 * is like it; all of them where nothing was typed
 */
export function narrow<T>(
  query: string,
  items: readonly T[],
  textsOf: (item: T) => { name: string; about: string },
): readonly T[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return items;
  const texts = items.map((item) => {
    const { name, about } = textsOf(item);
    return { item, name: name.toLowerCase(), all: `${name}\n${about}`.toLowerCase() };
  });
  const holds = (text: string): boolean => words.every((word) => text.includes(word));
  const found = texts.filter(({ all }) => holds(all));
  if (found.length === 0) return fuzzy(words.join(" "), items, (item) => textsOf(item).name);
  return [...found.filter(({ name }) => holds(name)), ...found.filter(({ name }) => !holds(name))].map(
    ({ item }) => item,
  );
}
