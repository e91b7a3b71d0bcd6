import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnownLines, LineRuns } from "../../../src/ttsr/lanes/line-runs.js";
import { cuts } from "../helpers.js";

/** The runs, "…" behind one that was still open at the end of the pushes. */
function runs(known: string, pieces: readonly string[], close = true): string[] {
  const found: string[] = [];
  const lines = new LineRuns(new KnownLines(known), () => {
    const at = found.push("") - 1;
    return {
      push: (delta) => {
        found[at] += delta;
        return [];
      },
      setPath: () => [],
      close: () => ({ now: [], late: Promise.resolve([]) }),
      waiting: false,
    };
  });
  for (const piece of pieces) lines.push(piece);
  if (close) lines.close();
  return found;
}

describe("TTSR-2.4 lines that are carried over are not authored", () => {
  it.each<[string, string, string, string[]]>([
    ["all new", "", "a\nb", ["a\nb"]],
    ["all carried", "a\nb\n", "a\nb\n", []],
    ["carried without a last line end", "a\nb", "b", []],
    ["two runs", "keep\n", "x\ny\nkeep\nz", ["x\ny\n", "z"]],
    ["a beginning of a known line is new", "const a = 1\n", "const\n", ["const\n"]],
    ["a known line that goes on is new", "const a\n", "const a = eval\n", ["const a = eval\n"]],
    ["CRLF on disk", "a\r\nb\r\n", "a\nx\nb\n", ["x\n"]],
    ["CRLF written", "a\nb\n", "a\r\nx\r\nb\r\n", ["x\r\n"]],
    ["a carriage return inside", "a\n", "a\rb\n", ["a\rb\n"]],
    ["blank lines of the old text end a run", "a\n\nb\n", "x\n\ny", ["x\n", "y"]],
    ["blank lines are new where the old text has none", "a\n", "x\n\ny", ["x\n\ny"]],
  ])("%s", (_name, known, text, expected) => {
    for (const pieces of cuts(text)) expect(runs(known, pieces), JSON.stringify(pieces)).toEqual(expected);
  });

  it("a line is decided as soon as it can no longer become an old one", () => {
    expect(runs("const a = 1\n", ["const a = "], false)).toEqual([]);
    expect(runs("const a = 1\n", ["const a = 2"], false)).toEqual(["const a = 2"]);
    expect(runs("const a = 1\n", ["const a = 1"], false)).toEqual([]);
    expect(runs("const a = 1\n", ["const a = 1;"], false)).toEqual(["const a = 1;"]);
  });

  it("equals a comparison of whole lines", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n"), maxLength: 16 });
    fc.assert(
      fc.property(text, text, fc.nat(), (known, written, at) => {
        const old = new Set(known.split(/\r?\n/));
        if (known === "" || known.endsWith("\n")) {
          const lines = known.split(/\r?\n/);
          lines.pop();
          if (!lines.includes("")) old.delete("");
        }
        const expected: string[] = [];
        let open = false;
        for (const line of written.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
          if (old.has(line.replace(/\r?\n?$/, ""))) open = false;
          else if (open) expected[expected.length - 1] += line;
          else open = expected.push(line) > 0;
        }
        const cut = written.length === 0 ? 0 : at % written.length;
        expect(runs(known, [written])).toEqual(expected);
        expect(runs(known, [written.slice(0, cut), written.slice(cut)])).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
