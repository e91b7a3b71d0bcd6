/** Random patterns and texts, small alphabets so that they meet. */
import fc from "fast-check";

const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  "-",
  "\\n",
  ".",
  "\\w",
  "\\W",
  "[ab]",
  "[^a]",
  "[^]",
  "A",
  "\\s",
  "\\s*",
  "[ \\n]+",
);
const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { arbitrary: atom, weight: 5 },
    { arbitrary: fc.tuple(tie("pattern"), tie("pattern")).map(([x, y]) => x + y), weight: 6 },
    { arbitrary: fc.tuple(tie("pattern"), tie("pattern")).map(([x, y]) => `(?:${x}|${y})`), weight: 2 },
    {
      arbitrary: fc
        .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "*?"))
        .map(([x, q]) => `(?:${x})${q}`),
      weight: 3,
    },
    { arbitrary: tie("pattern").map((x) => `(${x})`), weight: 1 },
    { arbitrary: fc.constantFrom("\\b", "\\B", "^", "$", "\\1"), weight: 3 },
    {
      arbitrary: fc.tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!"), tie("pattern")).map(([o, x]) => `${o}${x})`),
      weight: 3,
    },
  ),
}));
/** Now and then several parts anywhere in the text. */
export const bodies = fc.oneof(
  { arbitrary: patterns, weight: 5 },
  {
    arbitrary: fc
      .array(patterns, { minLength: 1, maxLength: 3 })
      .map((parts) => parts.map((p) => `(?=[^]*${p})`).join("")),
    weight: 1,
  },
);
export const flags = fc.constantFrom("", "(?m)", "(?i)", "(?s)", "(?ims)");
export const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "\n", "A", " "), maxLength: 12 });

/** Patterns that compare text with text; now and then with what a look-around captured. */
export const references = fc
  .tuple(
    fc.constantFrom("", "", "?=", "?<="),
    patterns,
    patterns,
    fc.constantFrom("\\1", "(?:\\1)", "\\1+", "(?=\\1)", "(?!\\1)"),
    patterns,
  )
  .map(([look, group, between, reference, after]) => {
    return `${look === "" ? `(${group})` : `(${look}(${group}))`}${between}${reference}${after}`;
  });
