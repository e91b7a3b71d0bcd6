import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HIDDEN, ProseFilter } from "../../src/ttsr/prose.js";
import { cuts } from "./helpers.js";

function through(pieces: readonly string[]): string {
  const filter = new ProseFilter();
  return pieces.map((piece) => filter.push(piece)).join("") + filter.close();
}

const shown = (text: string): string => through([text]).replaceAll(HIDDEN, "_");

describe("TTSR-2.7 code spans and block quotes in prose are hidden, fenced code is not", () => {
  it.each([
    ["plain text", "plain text"],
    ["say `as any` no", "say `______` no"],
    ["``a ` b`` c", "``_____`` c"],
    ["open `as any", "open `as any"],
    ["open `as any\n\nnext `x`", "open `as any\n\nnext `_`"],
    ["a `b\nc` d", "a `_\n_` d"],
    ["``a `b` c\n\n", "``a `_` c\n\n"],
    ["\\`as any\\` `x`", "\\`as any\\` `_`"],
    ["> as any\nas any", "________\nas any"],
    ["  > q\n- > q\n", "  ___\n- ___\n"],
    ["```ts\nas any `x`\n```\n`x`", "```ts\nas any `x`\n```\n`_`"],
    ["~~~\n`x`\n```\n~~~~\n`x`", "~~~\n`x`\n```\n~~~~\n`_`"],
    ["- ```js\n  `x`\n  ```\n`x`", "- ```js\n  `x`\n  ```\n`_`"],
    ["```js``` as any", "```__``` as any"],
    ["a `b\n# as any` c", "a `b\n# as any` c"],
    ["a `b\n- as any` c", "a `b\n- as any` c"],
    ["a `b\n```\nas any\n```\n", "a `b\n```\nas any\n```\n"],
    ["```\nnever closed `x`", "```\nnever closed `x`"],
  ])("%j", (text, expected) => {
    for (const pieces of cuts(text))
      expect(through(pieces).replaceAll(HIDDEN, "_"), JSON.stringify(pieces)).toBe(expected);
  });

  it("keeps every offset, and its output does not depend on the cuts", () => {
    const units = fc.constantFrom(
      "`",
      "``",
      "```",
      "a",
      " ",
      "\n",
      "\n\n",
      ">",
      "#",
      "- ",
      "1.",
      "~~~",
      "\\",
      "\t",
      "*",
      "\r\n",
    );
    fc.assert(
      fc.property(fc.array(units, { maxLength: 24 }), fc.array(fc.nat(), { maxLength: 5 }), (parts, at) => {
        const text = parts.join("");
        const whole = through([text]);
        expect(whole).toHaveLength(text.length);
        expect(through(text.split(""))).toBe(whole);
        const places = [...new Set(at.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
        expect(through([0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length)))).toBe(whole);
        for (let i = 0; i < text.length; i++) expect([text[i], HIDDEN]).toContain(whole[i]);
      }),
      { numRuns: 2500 },
    );
  });

  it("holds an open span for so long and no longer, at the same unit whatever the cuts", () => {
    const text = `a \`${"x".repeat(9000)}\` b`;
    expect(shown(text)).toBe(text);
    expect(through([text.slice(0, 8000), text.slice(8000, 8194), text.slice(8194)])).toBe(text);
    const filter = new ProseFilter();
    expect(filter.push(text).length).toBeGreaterThan(9000);
  });
});
