import { describe, expect, it } from "vitest";
import { Alphabet } from "../../../src/ttsr/matcher/automaton/alphabet.js";
import { compileTriggers, matchStart } from "../../../src/ttsr/matcher/index.js";
import type { CharSet } from "../../../src/ttsr/matcher/pattern/char-set.js";
import { union } from "../../../src/ttsr/matcher/pattern/char-set.js";
import { reachOf } from "../../../src/ttsr/matcher/reach.js";
import { parseTrigger } from "../../../src/ttsr/matcher/source.js";
import { Random } from "./fuzz/random.js";

const nest = (open: string, inner: string, close: string, times: number): string =>
  open.repeat(times) + inner + close.repeat(times);

/** Loads it as a session does, up to the first stream. */
function load(patterns: readonly string[]) {
  const set = compileTriggers(patterns.map((pattern, index) => ({ ruleId: "r", pattern, index })));
  set.prepare();
  set.open(() => true).feed("a");
  set.dispose();
  return set;
}

/** Each of these took from seconds to for ever, and would run into the time limit of its test. */
describe("TTSR-4.4 nothing that a rule author writes stalls the program while it is loaded", () => {
  it.each([
    ["look-aheads in look-aheads, beside a back-reference", `${nest("(?=", "a", ")", 190)}(b)\\1`],
    ["look-behinds in look-behinds, beside a back-reference", `${nest("(?<!", "a", ")", 190)}(b)\\1`],
    [
      "groups that refer to the one before, twice",
      `(a)${Array.from({ length: 99 }, (_, i) => `(\\${i + 1}\\${i + 1})`).join("")}`,
    ],
    ["a name of a flag that never ends", `(?${"a".repeat(90_000)}`],
    ["nothing, counted", "(?:){1000000000}x"],
    ["nothing, counted and counted again", "(?:(?:){1000000}){1000000}x"],
  ])("%s", (_, pattern) => {
    expect(load([pattern]).diagnostics.filter(({ code }) => code === "demoted")).toEqual([]);
  });

  it.each([
    ["forty triggers of 600 alternatives, each a letter of its own", 40, 600, "|"],
    ["four hundred classes of 990 letters", 400, 990, ""],
  ])("%s: there is room for so many different characters", (_, triggers, letters, between) => {
    const patterns = Array.from({ length: triggers }, (_, n) => {
      const all = Array.from({ length: letters }, (_, i) => String.fromCharCode(0x400 + n * 20 + 2 * i)).join(between);
      return between === "" ? `[${all}]x` : all;
    });
    const { diagnostics } = load(patterns);
    expect(diagnostics.length).toBeGreaterThan(triggers / 2);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["too-large"]));
  });

  it("where a match begins is not looked for in nothing, counted", () => {
    expect(matchStart("(?:){1000000000}x", { text: "ax", whole: true }, "unit")).toBe(1);
  });
});

describe("a pattern that is nested too deeply, or too long, is refused", () => {
  const told = (pattern: string) => compileTriggers([{ ruleId: "r", pattern, index: 0 }]).diagnostics;

  it.each([
    ["(", ")*"],
    ["(?=", ")"],
    ["(?:a|", ")"],
  ])("%s…%s", (open, close) => {
    expect(told(`${nest(open, "a", close, 200)}b`)).toEqual([]);
    const [first] = told(`(?i)[(]\\(${nest(open, "a", close, 201)}`);
    expect(first).toMatchObject({ code: "syntax", severity: "error", span: { start: 9 + 200 * open.length } });
    expect(first?.message).toContain("nested too deeply");
  });

  it("100,000 characters", () => {
    expect(told("a".repeat(100_000)).map(({ code }) => code)).toEqual(["too-large"]);
    expect(told("a".repeat(100_001))).toMatchObject([{ code: "syntax", severity: "error" }]);
    expect(told(`${"b|".repeat(49_999)}a`).map(({ code }) => code)).toEqual(["too-large"]);
  });
});

describe("how far a back-reference reaches", () => {
  const units = (pattern: string): number => {
    const { tree, flags } = parseTrigger(pattern);
    return reachOf(tree.alternatives, flags).units;
  };

  it.each([
    ["(ab)\\1", 5],
    ["(a)(\\1\\1)(\\2\\2)\\3", 12],
    ["(a*)\\1", Number.POSITIVE_INFINITY],
    ["(\\2a)(\\1b)", Number.POSITIVE_INFINITY],
    ["(\\2{0}a)(b\\1)", 4],
    ["(a\\1)", Number.POSITIVE_INFINITY],
  ])("%s: %d", (pattern, expected) => {
    expect(units(pattern)).toBe(expected);
  });
});

describe("the classes of an alphabet", () => {
  it("put together exactly the units that no set tells apart, for any sets", () => {
    const random = new Random(5);
    for (let round = 0; round < 30; round++) {
      const range = (): CharSet => {
        const low = random.below(200) * 327;
        return [low, Math.min(0xffff, low + random.below(3000))];
      };
      const sets = random.list(1 + random.below(70), () => union(random.list(1 + random.below(4), range)));
      const alphabet = new Alphabet(sets);
      const holds = (set: CharSet, unit: number): boolean =>
        set.some((low, i) => i % 2 === 0 && low <= unit && unit <= (set[i + 1] ?? 0));
      const signatures = new Map<number, string>();
      for (let i = 0; i < 400; i++) {
        const unit = random.below(0x10000);
        const unitClass = alphabet.classOf[unit] ?? 0;
        const members = sets.map((set) => holds(set, unit));
        expect(sets.map((_, number) => alphabet.has(number, unitClass))).toEqual(members);
        const signature = `${members} ${alphabet.kind(unitClass)}`;
        expect(signatures.get(unitClass) ?? signature).toBe(signature);
        signatures.set(unitClass, signature);
      }
      expect(new Set(signatures.values()).size).toBe(signatures.size);
    }
  });
});
