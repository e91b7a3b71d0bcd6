import { describe, expect, it } from "vitest";
import { type Block, BlockReader } from "../../../src/ttsr/repetition/blocks.js";

function read(text: string): { blocks: Block[]; ends: number[] } {
  const blocks: Block[] = [];
  const ends: number[] = [];
  const reader = new BlockReader((block, end) => {
    blocks.push(block);
    ends.push(end);
  });
  reader.push(text);
  reader.close();
  return { blocks, ends };
}

const kinds = (text: string): string[] => {
  return read(text).blocks.map(({ kind, text: own }) => `${kind === "paragraph" ? "¶" : "-"} ${own}`);
};

describe("blocks of prose", () => {
  it("a paragraph ends with a blank line, and knows where it began", () => {
    const { blocks, ends } = read("\n\none\ntwo\n \t\nthree");
    expect(blocks).toEqual([
      { kind: "paragraph", text: "one\ntwo", start: 2, whole: true },
      { kind: "paragraph", text: "three", start: 13, whole: true },
    ]);
    expect(ends).toEqual([13, 18]);
  });

  it.each([
    ["# Heading\ntext", ["- # Heading", "¶ text"]],
    ["Heading\n---\ntext", ["- Heading", "¶ text"]],
    ["text\n# Heading", ["¶ text", "- # Heading"]],
    ["* item\nof two lines\n\ntext", ["- * item", "- of two lines", "¶ text"]],
    ["12) item\n    more\n\n    and more\n\ntext", ["- 12) item", "-     more", "-     and more", "¶ text"]],
    ["- [ ] item\n✓ item\n→ item", ["- - [ ] item", "- ✓ item", "- → item"]],
    ["> quote\ngoes on\n\ntext", ["- > quote", "- goes on", "¶ text"]],
    ["| a | b |\n|---|---|", ["- | a | b |", "- |---|---|"]],
    ["one | two | three | four", ["- one | two | three | four"]],
    ["<p>\ntext\n</p>", ["- <p>", "- text", "- </p>"]],
    [
      "app.get(load, (one) => {\n  two(one)\n});\n\ntext",
      ["- app.get(load, (one) => {", "-   two(one)", "- });", "¶ text"],
    ],
    ['{ "one": "two" },\n\nconst one = two;', ['- { "one": "two" },', "- const one = two;"]],
    ["[one]: https://example.org", ["- [one]: https://example.org"]],
    ["    code\n\ntext\n    that goes on", ["-     code", "¶ text\n    that goes on"]],
    ["text:\n- item", ["¶ text:", "- - item"]],
    ["* * *\n\n-----\ntext", ["- * * *", "- -----", "¶ text"]],
    ["-5 degrees, *really* cold, `code` first", ["¶ -5 degrees, *really* cold, `code` first"]],
  ])("%j", (text, wanted) => {
    expect(kinds(text)).toEqual(wanted);
  });

  it("nothing in a fence is a paragraph, whatever stands in it, until one of its kind closes it", () => {
    expect(kinds("```ts\none\n\ntwo\n~~~\n``\n```\ntext")).toEqual([
      "- ```ts",
      "- one",
      "- ",
      "- two",
      "- ~~~",
      "- ``",
      "- ```",
      "¶ text",
    ]);
    expect(kinds("~~~~\n~~~\n\none\n~~~~~ \ntext").at(-1)).toBe("¶ text");
    expect(kinds("``` is `not` one")).toEqual(["¶ ``` is `not` one"]);
  });

  it.each(["word and ", "word and\n", "- word\n", "> \n", "\t"])("%j without end is not kept", (piece) => {
    const longest = Math.max(...read(piece.repeat(50_000)).blocks.map(({ text }) => text.length), 0);
    expect(longest).toBeLessThanOrEqual(2 * 4_096);
  });

  it("says when a paragraph is not all there", () => {
    const of = (length: number): boolean[] => {
      return read("x".repeat(length)).blocks.map((block) => block.kind === "paragraph" && block.whole);
    };
    expect(of(4_096)).toEqual([true]);
    expect(of(4_097)).toEqual([false]);
  });
});
