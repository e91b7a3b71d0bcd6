import { describe, expect, it } from "vitest";
import { Alphabet } from "../../../src/ttsr/matcher/automaton/alphabet.js";
import { LINE_END, OTHER, WORD } from "../../../src/ttsr/matcher/automaton/edges.js";
import { Program, TooLarge } from "../../../src/ttsr/matcher/automaton/program.js";
import { foldCase } from "../../../src/ttsr/matcher/pattern/case-folding.js";
import {
  ALL,
  complement,
  DIGITS,
  includes,
  intersects,
  LINE_ENDS,
  SPACES,
  sizeOf,
  union,
  WORD_UNITS,
} from "../../../src/ttsr/matcher/pattern/char-set.js";
import { lower, setOf, type UnitNode } from "../../../src/ttsr/matcher/pattern/lower.js";
import { parseTrigger } from "../../../src/ttsr/matcher/source.js";

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => unit);
const of = (expression: RegExp): number[] => UNITS.filter((unit) => expression.test(String.fromCharCode(unit)));

describe("sets of units", () => {
  it.each([
    ["\\w", WORD_UNITS, /^\w$/],
    ["\\d", DIGITS, /^\d$/],
    ["\\s", SPACES, /^\s$/],
    [".", complement(LINE_ENDS), /^.$/],
    ["[\\s\\S]", ALL, /^[\s\S]$/],
  ])("%s is what RegExp takes for it", (_, set, expression) => {
    expect(UNITS.filter((unit) => includes(set, unit))).toEqual(of(expression));
    expect(sizeOf(set)).toBe(of(expression).length);
  });

  it("are merged, turned round and compared", () => {
    const set = union([
      [5, 9],
      [1, 3],
      [4, 4],
      [8, 12],
    ]);
    expect(set).toEqual([1, 12]);
    expect(complement(complement(set))).toEqual(set);
    expect(complement(ALL)).toEqual([]);
    expect([intersects(set, [12, 20]), intersects(set, [13, 20])]).toEqual([true, false]);
  });
});

describe("case folding", () => {
  it("is that of RegExp for every unit", () => {
    const canonical = (unit: number): number => {
      const upper = String.fromCharCode(unit).toUpperCase();
      const folded = upper.charCodeAt(0);
      return upper.length !== 1 || (unit >= 128 && folded < 128) ? unit : folded;
    };
    const groups = new Map<number, number[]>();
    for (const unit of UNITS) groups.set(canonical(unit), [...(groups.get(canonical(unit)) ?? []), unit]);
    const wrong = UNITS.filter((unit) => {
      const same = groups.get(canonical(unit)) ?? [];
      const folded = foldCase([unit, unit]);
      return sizeOf(folded) !== same.length || !same.every((each) => includes(folded, each));
    });
    expect(wrong).toEqual([]);
  });

  it("of a large set is that of its members", () => {
    const large = [0, 0x60, 0x180, 0xffff];
    const folded = foldCase(large);
    const members = UNITS.filter((unit) => foldCase([unit, unit]).some((each) => includes(large, each)));
    expect(UNITS.filter((unit) => includes(folded, unit))).toEqual(members);
  });
});

describe("a class without regard to case", () => {
  it.each([
    "\\W",
    "\\w",
    "\\S",
    "[^\\s]",
    "[a-f\\W]",
    "[^k\\d]",
    "[\\sX-a]",
    "[\u00e0-\u0170s]",
    "[^\u017fK]",
    "\u212a",
    "\u00b5",
  ])("%s is what RegExp takes for it", (source) => {
    const node = parseTrigger(`(?i)${source}`).tree.alternatives[0]?.elements[0];
    const set = setOf(node as UnitNode, "i");
    expect(UNITS.filter((unit) => includes(set, unit))).toEqual(of(new RegExp(`^${source}$`, "i")));
  });
});

describe("alphabet compression", () => {
  it("gives units one class where no set tells them apart, and knows kinds and members", () => {
    const sets = [
      [0x61, 0x63],
      [0x62, 0x7a],
      [0xd800, 0xdbff],
    ];
    const alphabet = new Alphabet(sets);
    const classOf = (text: string): number => alphabet.classOf[text.charCodeAt(0)] ?? -1;
    expect(classOf("b")).toBe(classOf("c"));
    expect(new Set(["a", "b", "d", "A", "\n", " ", "\ud800"].map(classOf)).size).toBe(7);
    expect(["a", " ", "\u2028"].map((text) => alphabet.kind(classOf(text)))).toEqual([WORD, OTHER, LINE_END]);
    for (const unit of UNITS) {
      const unitClass = alphabet.classOf[unit] ?? -1;
      for (const [number, set] of sets.entries())
        if (alphabet.has(number, unitClass) !== includes(set, unit)) expect.fail(`unit ${unit}`);
    }
  });
});

describe("the program", () => {
  const node = (pattern: string) => lower(parseTrigger(pattern));

  it("shares equal look-behinds and equal look-aheads, and keeps what they ask for", () => {
    const program = new Program();
    for (const pattern of ["(?<!x)a", "(?<!x)b", "(?:(?!(?<!x)y)c){9}", "(?!(?<!x)y)d"])
      program.add(node(pattern), 100);
    expect([program.behinds.length, program.aheads.length]).toEqual([1, 1]);
    expect(program.parts.map(({ behinds }) => [...behinds])).toEqual([[0], [0], [0], [0]]);
  });

  it("is as it was when a pattern does not fit", () => {
    const program = new Program();
    program.add(node("(?<!x)a"), 100);
    const { size } = program;
    expect(() => program.add(node("(?<!y)(?!z)b{200}"), 100)).toThrow(TooLarge);
    expect([program.size, program.behinds.length, program.aheads.length, program.parts.length]).toEqual([
      size,
      1,
      0,
      1,
    ]);
    program.add(node("(?<!y)(?!z)b"), 100);
    expect([program.behinds.length, program.aheads.length]).toEqual([2, 1]);
  });
});
