/** Paragraphs of plain words, each unlike all others: no number and no name in them. */
const WORDS =
  "river stone meadow lantern copper window harvest thunder velvet garden orchard silver bridge canyon feather marble pepper saddle timber willow anchor basket candle dagger engine fabric goblet hammer island jacket kettle ladder mirror needle oyster pillow quarry ribbon shovel temple urchin violin walnut yonder zephyr branch cradle drawer ember fossil glacier hollow ingot jungle kernel lagoon mantle nectar onyx parcel".split(
    " ",
  );

/** @returns so many, the same each time */
export function paragraphs(count: number): string[] {
  let seed = 11;
  const word = (): string => {
    seed = (seed * 16807) % 2147483647;
    return WORDS[seed % WORDS.length] ?? "";
  };
  return Array.from({ length: count }, (_, i) => {
    // Nine words of its own, so that no two of them are half the same.
    const own = Array.from({ length: 9 }, (_, k) => ownWord(i * 9 + k));
    return `The ${word()} and the ${word()} were ${own.join(" ")} beside a ${word()}, long before the ${word()} came.`;
  });
}

/** @returns a cycle of so many paragraphs, so many times */
export function cycle(length: number, times: number): string {
  return rounds(paragraphs(length), times);
}

export function rounds(all: readonly string[], times: number): string {
  return Array.from({ length: times }, () => all.join("\n\n")).join("\n\n");
}

function ownWord(n: number): string {
  const syllables = ["ba", "ce", "di", "fo", "gu", "ha", "le", "mi", "no", "ru"];
  return String(n + 1000)
    .split("")
    .map((digit) => syllables[Number(digit)])
    .join("");
}
