import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonStringReader } from "../../src/ttsr/json-strings.js";
import { anyCharacter } from "../support/any-character.js";

function read(pieces: readonly string[]): { strings: [string, string][]; closed: string[]; open: number } {
  const strings: [string, string][] = [];
  const closed: string[] = [];
  let open = 0;
  const reader = new JsonStringReader({
    start(path) {
      strings.push([path, ""]);
      open++;
    },
    delta(path, text) {
      const last = strings.at(-1);
      expect(last?.[0]).toBe(path);
      if (last) last[1] += text;
    },
    end() {
      open--;
    },
    close: (path) => closed.push(path),
  });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return { strings, closed, open };
}

function walk(value: unknown, path: string[] = []): [string, string][] {
  if (typeof value === "string") return [[path.join("."), value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => walk(inner, [...path, key]));
}

function split(text: string, at: readonly number[]): string[] {
  const places = [...new Set(at.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

/** JSON with every unit of its strings escaped, as some encoders do. */
const escapeAll = (json: string): string =>
  json.replace(/[<>&\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

describe("TTSR-2.3 values of arguments, decoded while they come in", () => {
  it("equals JSON.parse on every complete text, however it is cut", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4, stringUnit: anyCharacter }),
        fc.boolean(),
        fc.constantFrom(0, 2),
        fc.array(fc.nat(), { maxLength: 8 }),
        (value, escaped, indent, at) => {
          const plain = JSON.stringify(value, null, indent);
          const json = escaped ? escapeAll(plain) : plain;
          const expected = walk(JSON.parse(json));
          for (const pieces of [split(json, at), json.split("")]) {
            const got = read(pieces);
            expect(got.strings).toEqual(expected);
            expect(got.open).toBe(0);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("C25 decodes escapes cut anywhere, surrogate pairs too", () => {
    const json = '{"command":"a \\u0026\\u0026 \\"b\\"\\n\\ud83d\\ude00\\/\\\\"}';
    for (let i = 0; i <= json.length; i++) {
      expect(read([json.slice(0, i), json.slice(i)]).strings).toEqual([["command", 'a && "b"\n\u{1F600}/\\']]);
    }
  });

  it("tells paths and complete containers", () => {
    const { strings, closed } = read(['{"path":"a","edits":[{"old":"x","new":"y"},{"new":"z","n":1}],"t":true}']);
    expect(strings).toEqual([
      ["path", "a"],
      ["edits.0.old", "x"],
      ["edits.0.new", "y"],
      ["edits.1.new", "z"],
    ]);
    expect(closed).toEqual(["edits.0", "edits.1", "edits", ""]);
  });

  it("tolerates anything without throwing, and leaves no string open", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0d8ab \n'.split("")), maxLength: 30 }), (text) => {
        expect(read(text.split("")).open).toBe(0);
      }),
      { numRuns: 1500 },
    );
    expect(read(["[".repeat(5000)]).strings).toEqual([]);
    expect(read(['{"a":"cut of']).strings).toEqual([["a", "cut of"]]);
  });
});
