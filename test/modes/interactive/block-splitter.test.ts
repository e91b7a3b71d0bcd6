import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, BlockSplitter } from "../../../src/modes/interactive/stream/block-splitter.js";

function split(pieces: readonly string[]): Block[] {
  const splitter = new BlockSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.close()];
}

const prose = (blocks: readonly Block[]): Extract<Block, { kind: "prose" }>[] =>
  blocks.filter((block) => block.kind === "prose");

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
  `**${"strong words ".repeat(60)}**`,
  "1. ".repeat(3),
  "漢字が続く文です。".repeat(90),
  "QUJD".repeat(600),
  "> quoted\n",
  "| c | d |\n",
  "Text:\n",
  "7. seven\n",
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
          .map((block) => (block.kind === "prose" ? block.text + (block.joint ?? "\n") : `${block.lines.join("\n")}\n`))
          .join("");
        const count = (of: string, word: string): number => of.split(word).length - 1;
        for (const word of ["word", "item", "const", "head", "🙂", "long"]) {
          const there = count(out, word);
          // The head of a long table is said again when the table is cut.
          if (text.includes("|---|")) expect(there).toBeGreaterThanOrEqual(count(text, word));
          else expect(there).toBe(count(text, word));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("ends a paragraph at a blank line and hands a long fence out by lines", () => {
    const splitter = new BlockSplitter();
    expect(splitter.push("one\ntwo\n")).toEqual([]);
    expect(splitter.push("\n")).toEqual([{ kind: "prose", text: "one\ntwo", joined: false, joint: undefined }]);
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
    expect(splitter.live).toEqual({ kind: "prose", text: "after", joined: false, joint: undefined });
  });

  it("does not show half a fence as text", () => {
    const splitter = new BlockSplitter();
    splitter.push("text\n``");
    expect(splitter.live).toEqual({ kind: "prose", text: "text\n", joined: false, joint: undefined });
  });

  it("keeps an indented fence with its list, and a list over a blank line when it goes on", () => {
    expect(split(["- a\n\n  more\n- b\n  ```js\n  x\n\n  y\n  ```\n\nafter\n"])).toEqual([
      { kind: "prose", text: "- a\n\n  more\n- b\n  ```js\n  x\n\n  y\n  ```", joined: false, joint: undefined },
      { kind: "prose", text: "after", joined: false, joint: undefined },
    ]);
  });

  it("cuts a paragraph that never ends, at a line end or a space", () => {
    const lines = prose(split([`${"words of a line\n".repeat(300)}`]));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.slice(1).every((block) => block.joined)).toBe(true);
    expect(lines.some((block) => block.joint !== undefined)).toBe(false);
    const spaces = prose(split(["word ".repeat(2500)]));
    expect(spaces.length).toBe(21);
    expect(spaces.slice(0, -1).every((block) => block.joint === " ")).toBe(true);
    expect(spaces.at(-1)?.joint).toBeUndefined();
    expect(Math.max(...spaces.map((block) => block.text.length))).toBeLessThan(610);
  });

  it("does not cut inside emphasis, code or a link", () => {
    const blocks = prose(split([`${"word ".repeat(118)}a **strong ${"and ".repeat(60)}end** ${"word ".repeat(100)}`]));
    for (const { text } of blocks) expect(text.split("**").length % 2, text).toBe(1);
    expect(blocks.length).toBeGreaterThan(1);
  });

  it("cuts text without spaces behind a stop, and data without end anywhere", () => {
    const chinese = prose(split(["漢字が続く文です。".repeat(400)]));
    expect(chinese.length).toBeGreaterThan(3);
    for (const block of chinese.slice(0, -1)) expect([block.joint, block.text.endsWith("。")]).toEqual(["", true]);
    const data = prose(split(["QUJD".repeat(2_000)]));
    expect(data.map(({ text }) => text).join("")).toBe("QUJD".repeat(2_000));
    expect(Math.max(...data.map(({ text }) => text.length))).toBeLessThan(1_610);
  });

  it("cuts a long list before an item, and counts on", () => {
    const items = Array.from({ length: 60 }, () => "1. an item of some words\n").join("");
    const blocks = prose(split([items]));
    expect(blocks.length).toBeGreaterThan(1);
    const first = blocks[0]?.text.split("\n").length ?? 0;
    expect(blocks[1]?.text.startsWith(`${first + 1}. an item`)).toBe(true);
    expect(blocks[1]?.joined).toBe(true);
  });

  it("says the head of a long table again where it cuts it", () => {
    const rows = Array.from({ length: 200 }, (_, i) => `| ${i} | some cell text |\n`).join("");
    const blocks = prose(split([`Here it is:\n| number | text |\n|---|---|\n${rows}`]));
    expect(blocks[0]?.text).toBe("Here it is:");
    expect(blocks.length).toBeGreaterThan(2);
    for (const block of blocks.slice(1)) expect(block.text.startsWith("| number | text |\n|---|---|\n| ")).toBe(true);
  });

  it("keeps quotes and indented code to whole lines", () => {
    const quote = prose(split([`> ${"quoted words ".repeat(100)}\n> and on\n`]));
    expect(quote.every(({ text }) => text.startsWith(">"))).toBe(true);
  });

  it("tells a list directly under a paragraph from the paragraph", () => {
    expect(prose(split(["Things:\n- a\n- b\n"])).map(({ text, joined }) => [text, joined])).toEqual([
      ["Things:", false],
      ["- a\n- b", true],
    ]);
  });
});
