import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextBuffer } from "../../../src/modes/interactive/editor/text-buffer.js";
import { offsetOf, placeOf, visualLines } from "../../../src/modes/interactive/editor/visual-lines.js";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const family = "👨‍👩‍👧";

function buffer(text: string): TextBuffer {
  const made = new TextBuffer();
  made.insert(text);
  return made;
}

describe("the text buffer", () => {
  it("steps and deletes by what people see as one character", () => {
    const text = buffer(`a${family}é`);
    text.left();
    text.backspace();
    expect(text.text).toBe("aé");
    text.left();
    text.delete();
    expect(text.text).toBe("é");
  });

  it("moves and kills by words, and gives back what was killed", () => {
    const text = buffer("one two-three four");
    text.killWordBefore();
    expect(text.text).toBe("one two-three ");
    text.wordLeft();
    text.wordLeft();
    expect(text.cursor).toBe(4);
    text.yank();
    expect(text.text).toBe("one fourtwo-three ");
    text.wordRight();
    text.killToLineStart();
    expect(text.text).toBe("-three ");
  });

  it("kills to the ends of a line, and the line end itself from there", () => {
    const text = buffer("first\nsecond");
    text.moveTo(5);
    text.killToLineEnd();
    expect(text.text).toBe("firstsecond");
    text.undo();
    expect(text.text).toBe("first\nsecond");
    text.moveTo(6);
    text.killToLineStart();
    expect(text.text).toBe("firstsecond");
  });

  it("undoes typing a stretch at a time, and redoes it", () => {
    const text = new TextBuffer();
    for (const char of "hello world") text.insert(char);
    const seen = [0, 1, 2].map(() => {
      text.undo();
      return text.text;
    });
    expect(seen).toEqual(["hello ", "hello", ""]);
    expect(text.undo()).toBe(false);
    for (let i = 0; i < 3; i++) text.redo();
    expect(text.text).toBe("hello world");
  });

  it("keeps its cursor between graphemes whatever is done to it, and undo leads back to the beginning", () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant("insert" as const), text: fc.constantFrom("a", "b c", "\n", "漢", family, "é") }),
      fc.record({
        do: fc.constantFrom(
          "backspace",
          "delete",
          "killWordBefore",
          "killWordAfter",
          "killToLineStart",
          "killToLineEnd",
          "yank",
          "left",
          "right",
          "wordLeft",
          "wordRight",
          "lineStart",
          "lineEnd",
        ),
        text: fc.constant(""),
      }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const text = new TextBuffer();
        for (const { do: name, text: piece } of actions) {
          if (name === "insert") text.insert(piece);
          else text[name as Exclude<typeof name, "insert">]();
          const borders = new Set([...graphemes.segment(text.text)].map(({ index }) => index)).add(text.text.length);
          expect(borders.has(text.cursor), JSON.stringify([text.text, text.cursor])).toBe(true);
        }
        while (text.undo());
        expect(text.text).toBe("");
      }),
      { numRuns: 300 },
    );
  });
});

describe("rows of the editor", () => {
  it("wrap between words, break what has no space, and count wide characters as two", () => {
    expect(visualLines("one two three", 8).map(({ text }) => text)).toEqual(["one two ", "three"]);
    expect(visualLines("abcdefghij", 4).map(({ text }) => text)).toEqual(["abcd", "efgh", "ij"]);
    expect(visualLines("漢字漢字", 5).map(({ text }) => text)).toEqual(["漢字", "漢字"]);
    expect(visualLines("a\n", 4).map(({ text }) => text)).toEqual(["a", ""]);
  });

  it("lead from an offset to a place and back", () => {
    const piece = fc.constantFrom("word ", "x", "漢", "\n", "longerthanarow", " ");
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }),
        fc.integer({ min: 3, max: 12 }),
        fc.nat(),
        (pieces, width, seed) => {
          const text = pieces.join("");
          const lines = visualLines(text, width);
          const offset = text.length === 0 ? 0 : seed % (text.length + 1);
          const { row, column } = placeOf(lines, offset);
          expect(column).toBeLessThanOrEqual(width + 1);
          expect(offsetOf(lines, row, column)).toBe(offset);
          expect(lines.map((line) => line.text).join("")).toBe(text.replaceAll("\n", ""));
        },
      ),
      { numRuns: 300 },
    );
  });
});
