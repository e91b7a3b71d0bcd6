import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, encodeText, type TextEncoding } from "../../src/platform/text-codec.js";

const ENCODINGS: TextEncoding[] = ["utf-8", "utf-8-bom", "utf-16le", "utf-16be"];

describe("F42 text to bytes and back", () => {
  it.each(ENCODINGS)("%s comes back byte by byte", (encoding) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        // A NUL is binary, and a mark at the start is the mark.
        fc.pre(!text.includes("\0") && !text.startsWith("\ufeff"));
        const bytes = encodeText(text, encoding);
        const decoded = decodeText(bytes);
        expect(decoded).toEqual({ ok: true, text, encoding });
        expect(encodeText(text, encoding).equals(bytes)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it("whatever bytes decode come back the same", () => {
    fc.assert(
      fc.property(
        fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]),
        fc.uint8Array({ maxLength: 24 }),
        (mark, rest) => {
          const bytes = [...mark, ...rest];
          const decoded = decodeText(Buffer.from(bytes));
          if (decoded.ok) expect([...encodeText(decoded.text, decoded.encoding)]).toEqual(bytes);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["latin1", Buffer.from("caf\xe9", "latin1"), /not UTF-8/],
    ["GBK", Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), /not UTF-8/],
    ["UTF-16 without a mark", Buffer.from("hello there", "utf16le"), /UTF-16 without/],
    ["UTF-16 with half a character", Buffer.from([0xff, 0xfe, 0x41]), /broken last/],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), /UTF-32/],
    ["binary", Buffer.from([1, 2, 0, 4, 5]), /binary/],
  ])("%s is refused by name", (_name, bytes, reason) => {
    const decoded = decodeText(bytes);
    expect(decoded.ok).toBe(false);
    if (!decoded.ok) expect(decoded.reason).toMatch(reason);
  });
});
