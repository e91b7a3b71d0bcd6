import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Key, KeyParser, type TermInput } from "../../../src/modes/interactive/term/key-parser.js";
import { anyCharacter } from "../../support/any-character.js";

function parse(pieces: readonly string[]): TermInput[] {
  const parser = new KeyParser();
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush()];
}

function short(input: TermInput): string {
  if (input.type === "paste") return `paste(${input.text})`;
  if (input.type === "reply") return `reply(${input.sequence})`;
  const mods = `${input.ctrl ? "C-" : ""}${input.alt ? "A-" : ""}${input.shift ? "S-" : ""}`;
  return mods + input.name + (input.text === undefined ? "" : `=${input.text}`);
}

const table: [string, string, string][] = [
  ["a letter", "a", "a=a"],
  ["a capital", "A", "A=A"],
  ["a wide character", "漢", "漢=漢"],
  ["an astral character", "🙂", "🙂=🙂"],
  ["Enter", "\r", "enter"],
  ["Ctrl+J", "\n", "C-j"],
  ["Tab", "\t", "tab"],
  ["Shift+Tab", "\u001b[Z", "S-tab"],
  ["Backspace", "\u007f", "backspace"],
  ["Ctrl+C", "\u0003", "C-c"],
  ["Ctrl+D", "\u0004", "C-d"],
  ["Ctrl+O", "\u000f", "C-o"],
  ["Ctrl+Z", "\u001a", "C-z"],
  ["Ctrl+_", "\u001f", "C-_"],
  ["Escape", "\u001b", "escape"],
  ["Escape twice", "\u001b\u001b", "escape escape"],
  ["Up", "\u001b[A", "up"],
  ["Up, application mode", "\u001bOA", "up"],
  ["Ctrl+Left", "\u001b[1;5D", "C-left"],
  ["Alt+Right", "\u001b[1;3C", "A-right"],
  ["Home", "\u001b[H", "home"],
  ["End, old", "\u001b[4~", "end"],
  ["Delete", "\u001b[3~", "delete"],
  ["Page down", "\u001b[6~", "pagedown"],
  ["Alt+b", "\u001bb", "A-b"],
  ["Alt+Enter", "\u001b\r", "A-enter"],
  ["kitty Shift+Enter", "\u001b[13;2u", "S-enter"],
  ["kitty Ctrl+Enter", "\u001b[13;5u", "C-enter"],
  ["kitty Escape", "\u001b[27u", "escape"],
  ["kitty Ctrl+C", "\u001b[99;5u", "C-c"],
  ["kitty release", "\u001b[97;1:3u", ""],
  ["kitty shifted letter", "\u001b[97:65;2u", "A=A"],
  ["modifyOtherKeys Shift+Enter", "\u001b[27;2;13~", "S-enter"],
  ["modifyOtherKeys Ctrl+z", "\u001b[27;5;122~", "C-z"],
  ["a paste", "\u001b[200~a\r\nb\u001b[201~", "paste(a\nb)"],
  ["a paste with an answer in it", "\u001b[200~x\u001b[>0;276;0cy\u001b[201~", "paste(xy)"],
  ["a paste with sequences in it", "\u001b[200~x\u001b[31my\u0007\u001b[201~z", "paste(xy) z=z"],
  ["device attributes", "\u001b[?62;22c", "reply([?62;22c)"],
  ["kitty's answer", "\u001b[?1u", "reply([?1u)"],
  ["a colour", "\u001b]11;rgb:00/00/00\u001b\\", "reply(]11;rgb:00/00/00\u001b\\)"],
  ["a function key, three ways", "\u001b[24~\u001bOP\u001b[1;5Q", "f12 f1 C-f2"],
  ["an unknown function key", "\u001b[34~x", "x=x"],
  ["attention, got and lost", "\u001b[I\u001b[O", "reply([I) reply([O)"],
  ["a report of the cursor's place", "\u001b[12;40Rx", "reply([12;40R) x=x"],
  ["Alt with an arrow, without modifier codes", "\u001b\u001b[D\u001b\u001bOC", "A-left A-right"],
  ["Alt with an arrow, with them", "\u001b[1;3D", "A-left"],
  ["Esc twice", "\u001b\u001b", "escape escape"],
  ["Esc twice and a letter", "\u001b\u001bx", "escape A-x"],
  [
    "Ctrl with keys that are others, in both protocols",
    "\u001b[91;5u\u001b[27;5;105~\u001b[109;5u",
    "escape tab enter",
  ],
  ["kitty's keypad", "\u001b[57400u\u001b[57414u\u001b[57415u", "1=1 enter ==="],
  ["Command with an arrow, and with a letter", "\u001b[1;9D\u001b[118;9u", "home"],
  ["an SGR mouse report", "\u001b[<0;10;10Mx", "x=x"],
];

describe("keys from a terminal", () => {
  it.each(table)("%s", (_name, bytes, expected) => {
    expect(parse([bytes]).map(short).join(" ")).toBe(expected);
  });

  it("come out the same however the characters are cut", () => {
    const piece = fc.constantFrom(
      ...table.filter(([name]) => !name.startsWith("Escape")).map(([, bytes]) => bytes),
      "two words",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (texts, sizes) => {
          const text = texts.join("");
          const pieces: string[] = [];
          for (let at = 0; at < text.length; ) {
            const size = sizes.next().value;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(parse(pieces)).toEqual(parse([text]));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("do not get lost whatever bytes come", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (noise) => {
        const parser = new KeyParser();
        parser.push(noise);
        parser.flush();
        parser.flushPaste();
        expect(parser.push("k").map(short)).toEqual(["k=k"]);
      }),
      { numRuns: 300 },
    );
  });

  it("take a paste of a megabyte in small pieces without looking at it again and again", () => {
    const text = "line of pasted text\n".repeat(52_500);
    const parser = new KeyParser();
    const out: TermInput[] = [];
    const whole = `\u001b[200~${text}\u001b[201~`;
    for (let at = 0; at < whole.length; at += 1024) out.push(...parser.push(whole.slice(at, at + 1024)));
    expect(out).toEqual([{ type: "paste", text }]);
    expect(parser.waiting).toBe(false);
  });

  it("treat ESC as the beginning of a sequence only while it may be one", () => {
    const parser = new KeyParser();
    expect(parser.push("\u001b")).toEqual([]);
    expect(parser.waiting).toBe(true);
    expect((parser.flush() as Key[]).map(short)).toEqual(["escape"]);
    expect(parser.push("[A").map(short)).toEqual(["[=[", "A=A"]);
  });
});
