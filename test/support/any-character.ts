import fc from "fast-check";

/**
 * Any code point but the halves of pairs, one in three of the first 256: those that escape, end lines or move a cursor. As a `unit` of
 * fast-check's strings it holds what its "binary" holds, which takes a second to make in each file.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map(
    (code) => String.fromCodePoint(code),
    (text) => {
      const code = typeof text === "string" ? text.codePointAt(0) : undefined;
      if (code === undefined || String.fromCodePoint(code) !== text) throw new Error("Not one character");
      return code;
    },
  );
