import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartialArgs } from "../../../src/modes/interactive/stream/partial-args.js";
import { anyCharacter } from "../../support/any-character.js";

function read(pieces: readonly string[]): PartialArgs {
  const args = new PartialArgs();
  for (const piece of pieces) args.push(piece);
  return args;
}

describe("arguments that are still being written", () => {
  it("tell the file and the text that grows", () => {
    const args = read(['{"path":"src/a.ts","edits":[{"old":"x","new":"one\\ntwo \\u00e9 \\"q']);
    expect(args.strings.get("path")).toBe("src/a.ts");
    expect(args.draft).toEqual({ path: "edits.0.new", tail: 'one\ntwo é "q', lines: 2 });
  });

  it("read whole JSON as JSON.parse does, however it is cut", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 30 });
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 3 }), fc.integer({ min: 1, max: 7 }), (a, b, list, size) => {
        const json = JSON.stringify({ path: a, list, deep: { content: b, n: 1, t: true, nothing: null } });
        const pieces: string[] = [];
        for (let at = 0; at < json.length; at += size) pieces.push(json.slice(at, at + size));
        const { strings } = read(pieces);
        expect(strings.get("path")).toBe(a);
        expect(strings.get("deep.content")).toBe(b);
        for (const [i, item] of list.entries()) expect(strings.get(`list.${i}`)).toBe(item);
      }),
      { numRuns: 300 },
    );
  });

  it("keep only the end of a long text", () => {
    const args = read(['{"content":"', "line\\n".repeat(20_000)]);
    expect(args.draft?.lines).toBe(20_001);
    expect(args.draft?.tail.length).toBeLessThan(10_000);
  });
});
