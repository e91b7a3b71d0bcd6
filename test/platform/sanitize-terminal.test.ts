import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { revealControls, sanitizeTerminal } from "../../src/platform/sanitize-terminal.js";
import { anyCharacter } from "../support/any-character.js";

const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("S27 hostile sequences", () => {
  const table: [name: string, hostile: string, safe: string][] = [
    ["OSC 52 sets the clipboard", "a\x1b]52;c;ZXZpbA==\x07b", "ab"],
    ["OSC 52 that never ends", "a\x1b]52;c;ZXZpbA==", "a"],
    ["an OSC that never ends takes its line only", "a\x1b]0;title\nb", "a\nb"],
    ["OSC 0 with ST", "a\x1b]0;evil\x1b\\b", "ab"],
    ["OSC 8 keeps the words of the link", "\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["OSC inside of OSC", "a\x1b]0;x\x1b]52;c;eA==\x07b", "ab"],
    ["DCS", 'a\x1bP$q"p\x1b\\b', "ab"],
    ["DCS that never ends", "a\x1bP+q544e", "a"],
    ["APC, PM, SOS", "a\x1b_x\x1b\\b\x1b^y\x1b\\c\x1bXz\x1b\\d", "abcd"],
    ["CSI: clear, move, private modes", "a\x1b[2J\x1b[1;1H\x1b[?1049h\x1b[>4;2mb", "ab"],
    ["CSI that never ends", "a\x1b[31", "a"],
    ["C1 introducers", "a\x9b2Jb\x9d0;evil\x9cc\x90q\x9cd", "abcd"],
    ["C1 that never ends", "a\x9d52;c;ZXZpbA==", "a"],
    ["resets and charsets", "a\x1bc\x1b(0\x1b#8\x1b7b", "ab"],
    ["C0 and DEL", "a\x00\x07\x08\x0b\x0c\x0e\x7fb\tc", "ab\tc"],
    ["bidi overrides and isolates", "a\u202e\u2066\u200f\u061cb", "ab"],
    ["a lone escape at the end", "a\x1b", "a"],
    ["a carriage return that hides what stood before", "rm -rf /\recho hi", "echo hi"],
  ];
  it.each(table)("%s", (_name, hostile, safe) => {
    expect(sanitizeTerminal(hostile)).toBe(safe);
    expect(UNSAFE.test(sanitizeTerminal(hostile, { colors: true }).replaceAll(/\x1b\[[0-9;:]*m/g, ""))).toBe(false);
  });

  it("anything comes out without a control character, and a second pass finds nothing", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "\x1b",
        "\x1b[",
        "\x1b]",
        "\x1bP",
        "\x9b",
        "\x9d",
        "\x9c",
        "\x07",
        "\r",
        "\n",
        ";",
        "m",
        "0",
        "\u202e",
      ),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const safe = sanitizeTerminal(text);
        expect(UNSAFE.test(safe)).toBe(false);
        expect(sanitizeTerminal(safe)).toBe(safe);
        const colored = sanitizeTerminal(text, { colors: true });
        expect(UNSAFE.test(colored.replaceAll(/\x1b\[[0-9;:]*m/g, ""))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("clean text is the same string; progress bars keep their last state; line ends are plain", () => {
    expect(sanitizeTerminal("grüße 漢字 👩‍👩‍👧\n\tx")).toBe("grüße 漢字 👩‍👩‍👧\n\tx");
    expect(sanitizeTerminal("10%\r50%\r100%\r\ndone\r\n")).toBe("100%\ndone\n");
    expect(sanitizeTerminal("10%\r50%\r")).toBe("50%");
  });

  it("colours stay where they are wanted, and are switched off at the end", () => {
    expect(sanitizeTerminal("\x1b[31mred", { colors: true })).toBe("\x1b[31mred\x1b[0m");
    expect(sanitizeTerminal("\x1b[31mred\x1b[0m!", { colors: true })).toBe("\x1b[31mred\x1b[0m!");
    expect(sanitizeTerminal("\x9b1mx\x1b[m", { colors: true })).toBe("\x1b[1mx\x1b[m");
    expect(sanitizeTerminal("\x1b[31mred")).toBe("red");
  });

  it("a megabyte of unterminated introducers is no work", () => {
    const text = "\x1b]".repeat(500_000);
    const before = process.cpuUsage();
    expect(sanitizeTerminal(text)).toBe("");
    // Of this process's own time, microseconds: what else the machine does is not in it.
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(5_000_000);
  });
});

describe("S16 nothing hides in a question", () => {
  it("writes control, bidi and invisible characters out and counts long runs of spaces", () => {
    expect(revealControls(`ls${" ".repeat(2000)}; touch marker`)).toBe("ls[2000 spaces]; touch marker");
    expect(revealControls("a\x1b[2Jb\r\u202ec\u200bd\x9b")).toBe("a\\x1b[2Jb\\x0d\\u202ec\\u200bd\\x9b");
    expect(revealControls("two\nlines\tand  spaces")).toBe("two\nlines\tand  spaces");
  });
});
