import { describe, expect, it } from "vitest";
import { compileTrigger } from "../../../src/ttsr/matcher/compile.js";
import { compileTriggers } from "../../../src/ttsr/matcher/index.js";
import { DEFAULT_LIMITS } from "../../../src/ttsr/matcher/limits.js";
import { TriggerSet } from "../../../src/ttsr/matcher/set.js";
import type { CompileLimits, MatcherSet, MatcherStats, Settled } from "../../../src/ttsr/matcher/types.js";
import { Random } from "./fuzz/random.js";
import { setOf, verdictOf } from "./verdict.js";
import { pieces, workloadRules, workloadText } from "./workload.js";

const EVIL_TWICE = "(?=a[ab]{60}c)(?=a[ab]{61}c)[ab]*d";
const TEXT = workloadText(100_000);

function set(patterns: readonly string[], limits: Partial<CompileLimits> = {}): MatcherSet {
  return compileTriggers(
    patterns.map((pattern, i) => ({ ruleId: String(i), pattern, index: 0 })),
    limits,
  );
}

function run(matcher: MatcherSet, text: string, size: number): { found: Settled[]; stats: MatcherStats } {
  const cursor = matcher.open(() => true);
  const found = pieces(text, size).flatMap((piece) => [...cursor.feed(piece)]);
  found.push(...cursor.end().now);
  return { found, stats: matcher.stats() };
}

/** Letters that no usual rule asks for. */
function uncommon(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => String.fromCharCode(0x4e00 + from + i)).join("");
}

const codes = (matcher: MatcherSet): string[] =>
  matcher.diagnostics
    .filter(({ code }) => code === "isolated" || code === "demoted")
    .map(({ ruleId, code }) => `${ruleId} ${code}`);

const random = new Random(9);
const ab = (length: number): string => random.list(length, () => random.pick(["a", "b"])).join("");

describe("TTSR-4.4 cost is linear in the stream and nearly independent of the number of rules", () => {
  it("looks at each unit once, whatever the deltas and the number of rules", () => {
    for (const [count, size] of [
      [1, 4],
      [100, 1],
      [100, 7],
      [100, TEXT.length],
    ] as const) {
      const { stats, found } = run(set(workloadRules(count)), TEXT, size);
      expect(stats.unitsRead).toBe(TEXT.length);
      expect(found).toEqual([]);
    }
  });

  it("asks the automaton for what it does not know at most 3,000 times for 100 rules, 4,000 for 1,000; then never again", () => {
    for (const [count, most] of [
      [100, 3000],
      [1000, 4000],
    ] as const) {
      const matcher = set(workloadRules(count));
      expect(workloadRules(count).filter((_, i) => matcher.tierOf(String(i)) !== 1)).toEqual([]);
      const cold = run(matcher, TEXT, 4).stats;
      expect(cold.misses).toBeLessThanOrEqual(most);
      expect(cold.states).toBeLessThanOrEqual(1000);
      expect(cold.flushes).toBe(0);
      expect(cold.tableBytes).toBeLessThan(8_000_000);
      const warm = run(matcher, TEXT, 4).stats;
      expect([warm.misses, warm.states, warm.threadSteps]).toEqual([cold.misses, cold.states, cold.threadSteps]);
    }
  });

  it("does not depend on the cuts", () => {
    const stats = [1, 5, 100_000].map((size) => run(set(workloadRules(50)), TEXT, size).stats);
    expect(new Set(stats.map((each) => JSON.stringify(each))).size).toBe(1);
  });
});

describe("TTSR-4.4 no pattern can stall the program", () => {
  it.each([
    ["(a+)+$", `${"a".repeat(29_999)}!`],
    ["(.*)*x", "a".repeat(30_000)],
    ["(x+x+)+y", "x".repeat(30_000)],
    ["(\\w+\\s?)*!$", "word ".repeat(6000)],
    ["^(?!.*foo)(?=.*bar)[^]*qux$", "bar ".repeat(7500)],
    ["(?<=a[^]*)b(?=[^]*c[^]*z)", "abc".repeat(10_000)],
    ["(?:a|a)*(?:a|a)*(?:|a)*b", "a".repeat(30_000)],
  ])("%s takes a handful of steps", (pattern, text) => {
    const { stats } = run(set([pattern]), text, 4);
    expect(stats.misses).toBeLessThan(20);
    expect(stats.threadSteps).toBeLessThan(1000);
  });

  it.each([
    "(?:){1000000}x",
    "(?:(?:){99999}){99999}x",
    "(?:a{1000}){1000}",
    "a{1000000}",
    `${"(".repeat(3000)}a${")".repeat(3000)}`,
    `${"(?=".repeat(500)}a${")".repeat(500)}b`,
    "(?:a?){500}b",
    `${"a|".repeat(5000)}b`,
  ])("%s is dealt with at once", (pattern) => {
    const matcher = setOf(pattern.slice(0, 20_000));
    expect(["rejected", 1, 2]).toContain(matcher.tierOf("r"));
    run(matcher, "aab".repeat(100), 4);
  });

  it("gives up a trigger that needs too many places, and says so", () => {
    const matcher = setOf("(?:a{50}){50}");
    expect(matcher.tierOf("r")).toBe(2);
    expect(matcher.diagnostics).toMatchObject([
      { code: "too-large", severity: "warning", span: { start: 0, end: 13 } },
    ]);
  });

  it.each<[much: string, out: number, patterns: string[], limits: Partial<CompileLimits>]>([
    ["places when their counts are written out", 1, ["a{30}", "b{31}", "c{8}", "d{9}"], { positionsPerSet: 60 }],
    ["ways to begin", 1, ["ax|bx|cx", "dx|ex|fx|gx", "h", "ij"], { threadsPerSet: 20 }],
    ["different characters", 0, ["xyz", `${uncommon(0, 1200)}`, "ab", `${uncommon(900, 2300)}`].reverse(), {}],
  ])("fills a set up to its limit, the smallest first; the rest goes to tier 2: %s", (much, out, patterns, limits) => {
    const matcher = set(patterns, limits);
    expect(patterns.map((_, i) => matcher.tierOf(String(i)))).toEqual(patterns.map((_, i) => (i === out ? 2 : 1)));
    expect(matcher.diagnostics.filter(({ code }) => code === "too-large")).toMatchObject([
      {
        ruleId: String(out),
        message: `Together with this trigger the rules have too many ${much}, so it is checked per line in a worker with a time limit.`,
      },
    ]);
  });

  it("thousands of different characters are told apart without a table of all of them", () => {
    const matcher = set(Array.from({ length: 20 }, (_, i) => uncommon(i * 1000, (i + 1) * 1000)));
    matcher.prepare();
    expect(run(matcher, uncommon(990, 2010), 4).stats.tableBytes).toBeLessThan(16_000_000);
    expect(matcher.diagnostics.filter(({ code }) => code === "too-large")).toHaveLength(18);
  });
});

describe("a costly rule is isolated", () => {
  const GAP = "e[\\s\\S]{300}\u00a7";

  it("after the tables have overflowed; the others are back at their own pace", () => {
    const rules = workloadRules(30);
    const alone = run(set(rules), TEXT, 4).stats;
    const matcher = set([...rules, GAP]);
    run(matcher, TEXT, 4);
    expect(codes(matcher)).toEqual(["30 isolated"]);
    expect(matcher.diagnostics.at(-1)).toMatchObject({ severity: "info", span: { start: 0, end: GAP.length } });
    const before = matcher.stats();
    const cursor = matcher.open((id) => id !== "30");
    for (const piece of pieces(TEXT, 4)) cursor.feed(piece);
    expect(matcher.stats().misses - before.misses).toBeLessThanOrEqual(alone.misses);
  });

  it("while a stream is open, and others wait, no verdict is lost or invented: each goes on from its state", () => {
    const rules = ["foo[^]*end", "(?<=x)y(?!z)", "\\bstop\\b"];
    const limits = { cachedStates: 50 };
    const texts = [
      `foo ${ab(400).replaceAll("a", "e")} xy stop end`,
      `${"e".repeat(20)} foo ${"e".repeat(281)}\u00a7 end`,
    ];
    const expected = texts.map((text) => [...rules, GAP].map((rule) => new RegExp(rule).test(text)));
    for (const size of [1, 3, 50]) {
      const matcher = set([...rules, GAP], limits);
      // The second stream stands in the middle of a match of every rule while the first one makes the automaton overflow.
      const cursors = texts.map(() => matcher.open(() => true));
      const half = (texts[1] ?? "").slice(0, 40);
      const found: Settled[][] = [[], [...(cursors[1]?.feed(half) ?? [])]];
      const mark = cursors[1]?.save();
      found[0]?.push(...pieces(texts[0] ?? "", size).flatMap((piece) => [...(cursors[0]?.feed(piece) ?? [])]));
      expect(codes(matcher)).toEqual(["3 isolated"]);
      if (mark) cursors[1]?.restore(mark);
      found[1]?.push(
        ...pieces((texts[1] ?? "").slice(40), size).flatMap((piece) => [...(cursors[1]?.feed(piece) ?? [])]),
      );
      for (const [n, cursor] of cursors.entries()) found[n]?.push(...cursor.end().now);
      for (const [n, each] of found.entries())
        expect([...rules, GAP].map((_, i) => each.some(({ ruleId }) => ruleId === String(i)))).toEqual(expected[n]);
    }
  });
});

describe("a rule over its budget is demoted", () => {
  const EVIL = "(?=a[ab]{60}c)(?=a[ab]{60}[ac]c)[abc]*d";

  it("with a diagnostic that says why, and at no more than its budget", () => {
    const matcher = set(["foo", EVIL]);
    const { stats } = run(matcher, ab(20_000), 4);
    expect(codes(matcher)).toEqual(["1 demoted"]);
    expect(matcher.tierOf("1")).toBe(2);
    expect(matcher.tierOf("0")).toBe(1);
    expect(matcher.diagnostics.at(-1)?.message).toMatch(/^This trigger .* worker with a time limit\.$/);
    expect(stats.threadSteps).toBeLessThan(500 * 4096 * 1.1);
  });

  it("while streams are open, no verdict is lost or invented: tier 2 gets their text from its beginning", async () => {
    const matcher = set(["foo", EVIL]);
    const hit = `${ab(100)}a${"b".repeat(60)}ccd`;
    const firing = `x a${"ab".repeat(30)}${"a"}c`;
    const expression = new RegExp(EVIL);
    expect(expression.test(hit)).toBe(true);
    const texts = [`foo ${ab(20_000)}`, hit, firing, `aa${"b".repeat(60)}cc bd`];
    const cursors = texts.map(() => matcher.open(() => true));
    // All stand in their texts when the first one is too much.
    for (const [n, text] of texts.entries()) if (n > 0) cursors[n]?.feed(text.slice(0, 30));
    cursors[0]?.feed(texts[0] ?? "");
    expect(codes(matcher)).toEqual(["1 demoted"]);
    for (const [n, text] of texts.entries()) {
      if (n > 0) cursors[n]?.feed(text.slice(30));
      const { late } = cursors[n]?.end() ?? { late: [] };
      const found = (await late).map(({ ruleId, position }) => `${ruleId} ${position <= text.length}`);
      expect(found, text).toEqual(expression.test(text) ? ["1 true"] : []);
    }
    // A stream that was over before has lost nothing, and one that begins later has tier 2 from the start.
    expect(await verdictOf(matcher, ["foo ", "bar"])).toBe("3 unit");
  });

  it("one rule that is too much does not cost the others anything", () => {
    const rules = workloadRules(20);
    const matcher = set([...rules, EVIL]);
    const { found } = run(matcher, `${ab(20_000)} eval( TODO`, 4);
    expect(codes(matcher)).toEqual(["20 demoted"]);
    expect(found.map(({ ruleId }) => ruleId)).toEqual(["4", "2"]);
  });

  it("a stream that watches none of the dear ones loses nothing, whether its rule may stay or must go with them", async () => {
    const dear = Array.from({ length: 40 }, (_, i) => `(?:(?=[ab]{${i + 20}}c)(?=[ab]{${i + 21}}d)[ab])*d`);
    const text = `foo ${ab(300)} bar `;
    for (const [limits, tier] of [
      [{}, 1],
      [{ threadsPerSet: 250 }, 2],
    ] as const) {
      const matcher = set(["foo[^\\n]*bar", ...dear], limits);
      const cursor = matcher.open((ruleId) => ruleId === "0");
      const found = pieces(text, 4).flatMap((piece) => [...cursor.feed(piece)]);
      const { now, late } = cursor.end();
      expect([...found, ...now, ...(await late)].map(({ ruleId }) => ruleId)).toEqual(["0"]);
      expect(codes(matcher).length).toBeGreaterThan(5);
      expect(matcher.tierOf("0")).toBe(tier);
      matcher.dispose();
    }
  });

  it("ways to go on and look-aheads open at once are bounded too", () => {
    const many = set(["[ab]{40}c"], { threadsPerRule: 20 });
    run(many, ab(200), 1);
    expect(codes(many)).toEqual(["0 demoted"]);
    const open = set(["x(?:(?=[ab]{20}c)[ab])*d"], { obligationsPerThread: 5 });
    run(open, `x${ab(200)}`, 1);
    expect(codes(open)).toEqual(["0 demoted"]);
    const crowd = set(["[ab]{40}c", "x[ab]{10}y"], { threadsPerRule: 30, threadsPerSet: 35 });
    run(crowd, ab(200), 1);
    expect(codes(crowd)).toEqual(["0 demoted"]);
  });
});

describe("no delta is dear", () => {
  /** The most steps that one delta of four units took. */
  function dearest(matcher: MatcherSet, text: string): number {
    const cursor = matcher.open(() => true);
    let most = 0;
    let before = matcher.stats().threadSteps;
    for (const piece of pieces(text, 4)) {
      cursor.feed(piece);
      const { threadSteps } = matcher.stats();
      most = Math.max(most, threadSteps - before);
      before = threadSteps;
    }
    cursor.end();
    matcher.dispose();
    return most;
  }

  it.each([
    ["[ab]*a[ab]{900}c", ab(4000)],
    ["a[ab]{300}c", ab(4000)],
    ["(?:a{50}){20}b", "a".repeat(2000)],
    ["(?:a?b?){300}c", ab(400)],
    ["(?=[ab]{200}c)[ab]*d", ab(1000)],
    ["(?=a[ab]{120}c)[ab]*d", ab(1000)],
    [EVIL_TWICE, ab(1000)],
    ["(?:a[ab]{400}|[ab]{1100})c(?=x)", ab(3000)],
    ["(?<!a[ab]{900})y", ab(3000)],
  ])("%s takes 4,096 steps on four units at most: 0.4 ms", (pattern, text) => {
    // What is one too many is counted: a step, or one for each look-ahead that a thread owes. And what a unit costs when there are no rules.
    expect(dearest(set([pattern]), text)).toBeLessThanOrEqual(4096 + 64 + 4 * 25);
  });

  /** 8,192 where some are given up, 4,096 for the one that runs apart, and what is one too many. */
  const MOST = 12_500;

  it("forty such rules together take 12,300 steps, those included that were made for rules given up", () => {
    const many = (pattern: (i: number) => string): MatcherSet => set(Array.from({ length: 40 }, (_, i) => pattern(i)));
    expect(
      dearest(
        many((i) => `[ab]*a[ab]{${300 + i}}c`),
        ab(3000),
      ),
    ).toBeLessThanOrEqual(MOST);
    expect(
      dearest(
        many((i) => `(?=a[ab]{${60 + i}}c)(?=a[ab]{61}c)[ab]*d`),
        ab(1000),
      ),
    ).toBeLessThanOrEqual(MOST);
    expect(
      dearest(
        many((i) => `(?:a{50}){${20 + (i % 10)}}b`),
        "a".repeat(2000),
      ),
    ).toBeLessThanOrEqual(MOST);
  });

  it("a thousand usual rules stay far below, and none of them is given up", () => {
    const matcher = set(workloadRules(1000));
    expect(dearest(matcher, TEXT.slice(0, 20_000))).toBeLessThanOrEqual(8192);
    expect(codes(matcher)).toEqual([]);
  });

  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const alternatives = (count: number, one: (letter: string, k: number) => string) => (i: number) =>
    Array.from({ length: count }, (_, k) => one(LETTERS.charAt((i + k) % 26), k)).join("|");

  it.each<[name: string, rules: number, pattern: (i: number) => string]>([
    ["that all begin with the same letters", 100, alternatives(80, (letter, k) => `[ab]${letter}${k}`)],
    ["that begin with anything", 20, alternatives(150, (letter) => `[^]${letter}`)],
    ["that begin with look-behinds of their own", 300, (i) => `(?<=x${i})[ab]A|(?<!y${i})bB`],
    ["that begin with long look-behinds", 40, alternatives(10, (letter, k) => `(?<=[ab]{${k + 3}}x)a${letter}`)],
    ["that begin with look-aheads", 60, alternatives(20, (letter, k) => `(?!${letter})[ab]x${k}`)],
    ["that begin with optional letters", 60, (i) => `(?:a?b?c?d?e?){20}${i}`],
    ["that are all given up at once", 2000, (i) => `[ab]+${i}`],
    ["that all have gaps", 2000, (i) => `[^]{20}x${i}`],
    ["with a look-behind each", 1000, (i) => `(?<=[^]x${i})y`],
    ["with negated look-aheads at each place", 300, (i) => `(?:(?![^]{${(i % 9) + 2}}c)[^])*d${i}`],
    ["with many look-aheads open", 60, (i) => `(?:(?=[ab]{${i + 3}}c)[ab])*d`],
  ])("sets made for it, %s, keep to that too", (_, count, pattern) => {
    const matcher = set(Array.from({ length: count }, (_, i) => pattern(i)));
    matcher.prepare();
    const text = `abXaYb. c-d\nabcabeabaxabaaax a ab1a2b3 x1ax2bx3abx4aabb${ab(400)}`;
    expect(dearest(matcher, text)).toBeLessThanOrEqual(MOST);
  });

  it("a stream that comes back to tables begun anew, and is too much for them, goes on without whoever is", () => {
    const limits = { ...DEFAULT_LIMITS, cachedStates: 10 };
    const sources = ["foo", "(?=[ab]{20}c)[ab]*d"].map((pattern, i) => ({ ruleId: String(i), index: 0, pattern }));
    const matcher = new TriggerSet(
      sources.map((source) => compileTrigger(source, limits)),
      limits,
    );
    const [first, second] = [matcher.open(() => true), matcher.open(() => true)];
    first.feed("ab".repeat(20));
    for (let i = 0; i < 40; i++) second.feed(`x${"a".repeat(i % 17)}b${"ab".repeat(i % 5)}`);
    expect(matcher.stats().flushes).toBeGreaterThan(0);
    limits.threadsPerRule = 10;
    expect(first.feed("abaxab foo").map(({ ruleId }) => ruleId)).toEqual(["0"]);
    expect(codes(matcher)).toContain("1 demoted");
  });

  it("of 500 equal rules no more are given up than is needed, once", () => {
    const matcher = set(Array.from({ length: 500 }, (_, i) => alternatives(2, (letter, k) => `[ab]${letter}${k}`)(i)));
    const cursor = matcher.open(() => true);
    cursor.feed("abXaYb. c-d\n");
    const given = codes(matcher).length;
    expect(given).toBeGreaterThan(200);
    expect(given).toBeLessThan(300);
    for (const piece of pieces(`abcabeabaxabaaax a ab1a2b3 ${ab(200)}`, 4)) cursor.feed(piece);
    expect(codes(matcher)).toHaveLength(given);
    matcher.dispose();
  });

  it("what is given up is rewritten for tier 2, and its worker started, after the delta", async () => {
    const patterns = Array.from({ length: 40 }, (_, i) => `(?=a[ab]{${60 + i}}c)(?=a[ab]{61}[bc])[ab]*c`);
    const matcher = set(patterns);
    const cursor = matcher.open(() => true);
    const text = `${ab(600)}\na${"b".repeat(63)}c\n`;
    cursor.feed(text);
    expect(codes(matcher).length).toBeGreaterThan(10);
    expect(matcher.stats().workerTests).toBe(0);
    const { now, late } = cursor.end();
    expect([...now, ...(await late)].map(({ ruleId }) => ruleId)).toEqual(["3"]);
    expect(patterns.flatMap((pattern, i) => (new RegExp(pattern).test(text) ? [i] : []))).toEqual([3]);
    matcher.dispose();
  });

  it("one rule runs apart at most, so that both automata together keep to that", () => {
    const gaps = ["e[^]{300}\u00a7", "t[^]{301}\u00a7", "a[^]{302}\u00a7"];
    const matcher = set(["foo", ...gaps], { cachedStates: 50, stepsPerUnit: 4000 });
    run(matcher, TEXT.slice(0, 40_000), 4);
    expect(codes(matcher).map((code) => code.slice(2))).toEqual(["isolated"]);
  });
});
