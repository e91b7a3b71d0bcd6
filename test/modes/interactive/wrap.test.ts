import { stripVTControlCharacters } from "node:util";
import { Chalk } from "chalk";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cells, wrapExact, wrapProse } from "../../../src/modes/interactive/rows/wrap.js";

const chalk = new Chalk({ level: 3 });
const LINK = (text: string): string => `\u001b]8;;https://example.com/a\u0007${text}\u001b]8;;\u0007`;

const word = fc.constantFrom(
  "a",
  "word",
  "wide漢字",
  "漢字が続く文、です。",
  "🙂",
  "👩‍👩‍👧‍👦",
  "é",
  "한국어",
  "https://example.com/a/very/long/address/that/has/no/spaces",
  chalk.bold("strong words"),
  chalk.hex("#7dcfff")("`code`"),
  chalk.dim(chalk.italic("two styles")),
  LINK("a link of words"),
  "",
);
const text = fc.array(word, { maxLength: 25 }).map((words) => words.join(" "));
const bare = (rows: readonly string[]): string =>
  rows
    .map((row) => stripVTControlCharacters(row))
    .join("")
    .replaceAll(" ", "");

/** Whatever a row opens, it closes: a row is drawn alone. */
function isClosed(row: string): boolean {
  const open = new Set<string>();
  for (const [code, number] of row.matchAll(/\u001b\[(\d+)[\d;]*m|\u001b\]8;;[^\u0007]*\u0007/g)) {
    if (number === undefined) {
      if (code === "\u001b]8;;\u0007") open.delete("link");
      else open.add("link");
      continue;
    }
    const n = Number(number);
    const kind =
      n === 1 || n === 2 || n === 22 ? "weight" : n < 10 ? String(n + 20) : n === 39 || n === 38 ? "colour" : String(n);
    if (n === 22 || n === 39 || (n > 22 && n < 30)) open.delete(kind);
    else open.add(kind);
  }
  return open.size === 0;
}

describe("breaking text into rows", () => {
  it.each([wrapProse, wrapExact])("never wider, nothing lost, every row whole: %o", (wrap) => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (given, width) => {
        const rows = wrap(given, width);
        for (const row of rows) {
          expect(stringWidth(row)).toBeLessThanOrEqual(width);
          expect(cells(row)).toBe(stringWidth(row));
          expect(isClosed(row), JSON.stringify(row)).toBe(true);
        }
        expect(bare(rows)).toBe(bare([given]));
      }),
      { numRuns: 500 },
    );
  });

  it("fills rows: the first word of a row had no room on the one before", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "of", "word", "longer"), { maxLength: 40 }), (words) => {
        const rows = wrapProse(words.join(" "), 20);
        rows.slice(1).forEach((row, i) => {
          const first = row.split(" ", 1)[0] ?? "";
          expect((rows[i] ?? "").length + 1 + first.length).toBeGreaterThan(20);
        });
      }),
    );
  });

  it("breaks Chinese and Japanese anywhere but before what closes", () => {
    expect(wrapProse("漢字漢字漢字、漢字。", 6)).toEqual(["漢字漢", "字漢", "字、漢", "字。"]);
    expect(wrapProse("see 漢字漢字", 9)).toEqual(["see 漢字", "漢字"]);
  });

  it("opens a link and a colour again on the next row", () => {
    const rows = wrapProse(LINK(chalk.red("one two three")), 7);
    expect(rows.map((row) => stripVTControlCharacters(row))).toEqual(["one two", "three"]);
    for (const row of rows) expect(row).toMatch(/\u001b\]8;;https:.*\u001b\[31m.*\u001b\[39m/);
  });

  it("keeps every space of code", () => {
    expect(wrapExact("    if (a)  {", 6)).toEqual(["    if", " (a)  ", "{"]);
  });
});
