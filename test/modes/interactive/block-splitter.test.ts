import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, BlockSplitter } from "../../../src/modes/interactive/stream/block-splitter.js";

function split(pieces: readonly string[]): Block[] {
  const splitter = new BlockSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.close()];
}

const parts = fc.constantFrom(
  "word ",
  "- item\n",
  "  - inner\n",
  "1. one\n",
  "\n",
  "\n\n",
  "```ts\n",
  "```\n",
  "   ```\n",
  "~~~\n",
  "````md\n",
  "  ```js\n",
  "# head\n",
  "const a = 1;\n",
  "    indented\n",
  "| a | b |\n",
  "|---|---|\n",
  "`",
  "``",
  "\r\n",
  "x".repeat(700),
  `${"long words ".repeat(450)}`,
  "wide 漢字 🙂 ",
);

describe("splitting a stream of markdown into blocks", () => {
  it("gives the same blocks for every way of cutting the text", () => {
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 30 }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 30 }),
        (texts, sizes) => {
          const text = texts.join("");
          const pieces: string[] = [];
          for (let at = 0, i = 0; at < text.length; i++) {
            const size = 1 + (sizes[i % sizes.length] ?? 0) * (i % 3 === 0 ? 40 : 1);
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(split(pieces)).toEqual(split([text]));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("loses no word", () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (texts) => {
        // Lone backticks could turn the words after them into a fence's language.
        const text = texts.filter((part) => !/^`+$/.test(part)).join("");
        const out = split([text])
          .map((block) => (block.kind === "prose" ? block.text : block.lines.join("\n")))
          .join("\n");
        const count = (of: string, word: string): number => of.split(word).length - 1;
        for (const word of ["word", "item", "const", "head", "🙂", "long"]) {
          expect(count(out, word)).toBe(count(text, word));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("ends a paragraph at a blank line and hands a long fence out by lines", () => {
    const splitter = new BlockSplitter();
    expect(splitter.push("one\ntwo\n")).toEqual([]);
    expect(splitter.push("\n")).toEqual([{ kind: "prose", text: "one\ntwo", joined: false }]);
    const lines = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`);
    const code = splitter.push(`\`\`\`ts\n${lines.join("\n")}\n`) as Extract<Block, { kind: "code" }>[];
    expect(code.map((block) => [block.from, block.lines.length, block.joined, block.lang])).toEqual([
      [1, 5, false, "ts"],
      [6, 5, true, "ts"],
    ]);
    expect(splitter.live).toEqual({ kind: "code", lang: "ts", lines: ["line 11", "line 12"], from: 11, joined: true });
    expect(splitter.push("```\nafter")).toEqual([
      { kind: "code", lang: "ts", lines: ["line 11", "line 12"], from: 11, joined: true },
    ]);
    expect(splitter.live).toEqual({ kind: "prose", text: "after", joined: false });
  });

  it("does not show half a fence as text", () => {
    const splitter = new BlockSplitter();
    splitter.push("text\n``");
    expect(splitter.live).toEqual({ kind: "prose", text: "text\n", joined: false });
  });

  it("keeps an indented fence with its list, and a list over a blank line when it goes on", () => {
    expect(split(["- a\n\n  more\n- b\n  ```js\n  x\n\n  y\n  ```\n\nafter\n"])).toEqual([
      { kind: "prose", text: "- a\n\n  more\n- b\n  ```js\n  x\n\n  y\n  ```", joined: false },
      { kind: "prose", text: "after", joined: false },
    ]);
  });

  it("cuts a paragraph that never ends, at a line end or a space", () => {
    const lines = split([`${"words of a line\n".repeat(300)}`]);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.slice(1).every((block) => block.joined)).toBe(true);
    const spaces = split(["word ".repeat(2500)]) as Extract<Block, { kind: "prose" }>[];
    expect(spaces.length).toBe(4);
    expect(Math.max(...spaces.map((block) => block.text.length))).toBeLessThan(4010);
  });
});
