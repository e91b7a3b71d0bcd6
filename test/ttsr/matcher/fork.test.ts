/** A cursor that goes on by itself from where another one stands. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  compileTriggers,
  type GivenLimits,
  type MatcherSet,
  type Settled,
  type StreamCursor,
} from "../../../src/ttsr/matcher/index.js";
import { pause, until } from "../../support/wait.js";
import { randomCut, randomFlags, randomPattern, randomText } from "./fuzz/patterns.js";
import { Random } from "./fuzz/random.js";
import { references } from "./patterns.js";

const WORKER = { msPerTest: 2_000, msPerStream: 60_000, bufferUnits: 262_144 };
const SLOW = "(a+)b\\1c";
const GAP = "e[\\s\\S]{300}\u00a7";
/** Too many ways to go on where more than eight are not allowed. */
const DEAR = "a[ab]{9}c";

let sets: MatcherSet[] = [];
afterEach(() => {
  for (const set of sets) set.dispose();
  sets = [];
});

function setOf(patterns: readonly string[], limits: GivenLimits = {}): MatcherSet {
  const sources = patterns.map((pattern) => ({ ruleId: pattern, pattern, index: 0 }));
  const set = compileTriggers(sources, { worker: WORKER, ...limits });
  sets.push(set);
  return set;
}

const ids = (found: readonly Settled[]): string[] => found.map(({ ruleId }) => ruleId).sort();
const show = (found: readonly Settled[]): string[] =>
  found.map(({ ruleId, position, settledBy }) => `${ruleId} ${position} ${settledBy}`).sort();

/** What the cursor reports from here on. */
async function rest(cursor: StreamCursor, pieces: readonly string[]): Promise<Settled[]> {
  const found = pieces.flatMap((piece) => [...cursor.feed(piece)]);
  const { now, late } = cursor.end();
  return [...found, ...now, ...(await late)];
}

const whole = (set: MatcherSet, text: string): Promise<Settled[]> =>
  rest(
    set.open(() => true),
    [text],
  );

/** Feeds one text, forks in the midst of it, and lets parent and fork go different ways, in turns. */
async function twoWays(
  set: MatcherSet,
  [head, ...tails]: readonly [string[], string[], string[]],
): Promise<[Settled[], Settled[]]> {
  const parent = set.open(() => true);
  const before = head.flatMap((piece) => [...parent.feed(piece)]);
  const cursors = [parent, parent.fork()] as const;
  const found: [Settled[], Settled[]] = [[...before], [...before]];
  for (let i = 0; tails.some((pieces) => i < pieces.length); i++) {
    for (const n of [0, 1] as const) found[n].push(...cursors[n].feed(tails[n]?.[i] ?? ""));
  }
  for (const n of [0, 1] as const) found[n].push(...(await rest(cursors[n], [])));
  return found;
}

describe("TTSR-4.2 a fork says what a cursor says that was fed the whole text", () => {
  const random = new Random(11);
  const some = (count: number): string[] => {
    const found: string[] = [];
    while (found.length < count) {
      const flags = randomFlags(random);
      const pattern = `${flags === "" ? "" : `(?${flags})`}${randomPattern(random)}`;
      const set = compileTriggers([{ ruleId: "r", pattern, index: 0 }]);
      if (!found.includes(pattern) && set.has("r")) found.push(pattern);
    }
    return found;
  };
  const slow = (): string[] => fc.sample(references, { numRuns: 8, seed: random.below(1e6) });

  it.each<[what: string, limits: GivenLimits, more: () => string[]]>([
    ["as usual", {}, () => []],
    ["with tables that are thrown away all the time", { cachedStates: 3 }, () => []],
    ["with tier 2", {}, slow],
  ])("and so does its parent, whatever triggers, texts and cuts: %s", async (_what, limits, more) => {
    for (let round = 0; round < 12; round++) {
      const set = setOf([...some(8), ...new Set(more())], limits);
      for (let i = 0; i < 8; i++) {
        const texts = [randomText(random, 16), randomText(random, 10), randomText(random, 10)] as const;
        const [head, one, other] = texts;
        const cut = (text: string): string[] => randomCut(random, text);
        const found = await twoWays(set, [cut(head), cut(one), cut(other)]);
        const expected = [await whole(set, head + one), await whole(set, head + other)];
        expect(found.map(show), JSON.stringify(texts)).toEqual(expected.map(show));
      }
      set.dispose();
    }
  });

  it("after a trigger was isolated, and where one is while it waits", async () => {
    const rules = ["foo[^]*end", "(?<=x)y(?!z)", "\\bstop\\b", GAP];
    const set = setOf(rules, { cachedStates: 50 });
    const isolated = (): boolean => set.diagnostics.some(({ code }) => code === "isolated");
    const parent = set.open(() => true);
    const head = `${"e".repeat(20)} foo `;
    parent.feed(head);
    const early = parent.fork();
    const noise = random.list(400, () => random.pick(["e", "b"])).join("");
    set.open(() => true).feed(noise);
    expect(isolated()).toBe(true);
    const late = parent.fork();
    const tail = `${"e".repeat(281)}\u00a7 xy stop end`;
    const expected = ids(await whole(set, head + tail));
    expect(expected).toEqual([...rules].sort());
    for (const cursor of [early, late, late.fork()]) expect(ids(await rest(cursor, [tail]))).toEqual(expected);
    expect(ids(await rest(parent, ["stop "]))).toEqual(["\\bstop\\b"]);
  });

  it.each(["before it is followed", "when it was followed"])("after a demotion, %s", async (when) => {
    for (const text of [`babb${"a".repeat(10)}c`, `aa${"b".repeat(9)}c`, `ab${"b".repeat(9)}c`]) {
      const set = setOf(["foo", DEAR], { threadsPerRule: 8 });
      const parent = set.open(() => true);
      parent.feed(text.slice(0, 5));
      const early = parent.fork();
      early.feed(text.charAt(5));
      set.open(() => true).feed("ab".repeat(20));
      expect(set.tierOf(DEAR)).toBe(2);
      if (when === "when it was followed") {
        parent.feed(text.charAt(5));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const late = parent.fork();
      const expected = new RegExp(DEAR).test(text) ? [DEAR] : [];
      for (const cursor of [early, late, parent]) {
        const found = await rest(cursor, [text.slice(cursor.position), " foo"]);
        expect(ids(found), text).toEqual([...expected, "foo"]);
      }
    }
  });

  it("of a fork, and of a cursor that was taken back", async () => {
    const set = setOf(["foo", "b\\b", SLOW]);
    const cursor = set.open(() => true);
    cursor.feed("a");
    const mark = cursor.save();
    cursor.feed("fooxx");
    cursor.restore(mark);
    cursor.feed("ab");
    const fork = cursor.fork().fork();
    expect(fork.position).toBe(3);
    expect(show(await rest(fork, ["aa", "c foo"]))).toEqual(show(await whole(set, "aabaac foo")));
  });

  it("at the beginning it knows what its parent knows of what stands there, and in front of it", () => {
    const cursor = setOf(["(?<=xy)z", "^z"]).open(() => true, undefined, "xy");
    expect(ids([...cursor.fork().feed("z")])).toEqual(["(?<=xy)z"]);
    // The first part holds on nothing at all, and nowhere else.
    const both = "(?=[^]*^)(?=[^]*x)";
    expect(
      ids([
        ...setOf([both])
          .open(() => true)
          .fork()
          .feed("x"),
      ]),
    ).toEqual([both]);
  });
});

describe("a fork goes its own way", () => {
  it("what was reported or disarmed stays so for it; what is from then on is each one's own matter", async () => {
    const parent = setOf(["a", "b", "c", "d", "(d)\\1"]).open((ruleId) => ruleId !== "c");
    parent.feed("a");
    parent.disarm("b");
    const fork = parent.fork();
    parent.disarm("d");
    fork.disarm("(d)\\1");
    expect(ids(await rest(parent, ["abcdd\n"]))).toEqual(["(d)\\1"]);
    expect(ids(await rest(fork, ["abcdd\n"]))).toEqual(["d"]);
  });

  it("also where one of them has ended, or ended before there was a fork", async () => {
    const parent = setOf(["ab", "a$", SLOW]).open(() => true);
    parent.feed("a");
    const fork = parent.fork();
    expect(ids(await rest(parent, []))).toEqual(["a$"]);
    expect(ids(await rest(fork, ["bac"]))).toEqual([SLOW, "ab"]);
    expect(await rest(parent.fork(), ["b"])).toEqual([]);
  });

  it("goes back to marks of its parent and its own, and so does the parent to those of the fork", async () => {
    const set = setOf(["foo", "bar", SLOW]);
    const parent = set.open(() => true);
    const start = parent.save();
    parent.feed("fo");
    const fork = parent.fork();
    fork.feed("o ba");
    const mark = fork.save();
    fork.restore(start);
    expect(show(await rest(fork, ["bar"]))).toEqual(["bar 3 unit"]);
    parent.restore(mark);
    expect(show(await rest(parent, ["r abac"]))).toEqual(["(a+)b\\1c 12 unit", "bar 7 unit"]);
    expect(() => set.open(() => true).restore(mark)).toThrow(TypeError);
    parent.restore(start);
    parent.disarm("foo");
    const other = parent.fork();
    other.restore(start);
    expect(await rest(other, ["foo"])).toEqual([]);
  });

  it("of a text that comes whole each time", () => {
    const parent = setOf(["foo", "bar"]).open(() => true);
    parent.sync(`${"x".repeat(2_000)}fo`);
    const fork = parent.fork();
    expect(ids([...parent.sync(`${"x".repeat(2_000)}bar`)])).toEqual(["bar"]);
    expect(ids([...fork.sync(`${"x".repeat(2_000)}foo`)])).toEqual(["foo"]);
    expect(ids([...fork.sync(`${"x".repeat(1_500)}bar`)])).toEqual(["bar"]);
    expect(ids([...parent.fork().sync(`foo${"x".repeat(2_000)}`)])).toEqual(["foo"]);
  });

  it("keeps its own text for tier 2", async () => {
    const parent = setOf([SLOW]).open(() => true);
    parent.feed("aab");
    const fork = parent.fork();
    parent.feed("aa");
    fork.feed("a");
    for (const cursor of [fork, parent]) cursor.restore(cursor.save());
    expect(show(await rest(fork, ["c"]))).toEqual([`${SLOW} 5 unit`]);
    expect(show(await rest(parent, ["c"]))).toEqual([`${SLOW} 6 unit`]);
  });
});

describe("what tier 2 finds", () => {
  it("is told by each to its own listener; without one it is there at the end", async () => {
    const set = setOf([SLOW, "(x)\\1"]);
    const told: Settled[][] = [[], []];
    const parent = set.open(
      () => true,
      (settled) => told[0]?.push(settled),
    );
    parent.feed("aabaa");
    const fork = parent.fork((settled) => told[1]?.push(settled));
    const silent = parent.fork();
    for (const cursor of [parent, fork, silent]) cursor.feed("c xx\n");
    const expected = [`${SLOW} 6 unit`, "(x)\\1 9 unit"].sort();
    await until(() => told.every(({ length }) => length === 2));
    expect(told.map(show)).toEqual([expected, expected]);
    expect(await rest(fork, [])).toEqual([]);
    expect(show(await rest(silent, []))).toEqual(expected);
  });

  it("before the fork is known to it: told, kept for the end, or asked for", async () => {
    const set = setOf([SLOW]);
    const told: Settled[] = [];
    const hearing = set.open(
      () => true,
      (settled) => told.push(settled),
    );
    const silent = set.open(() => true);
    for (const cursor of [hearing, silent]) cursor.feed("aabaac\n");
    // Nobody has been asked yet.
    const early = [hearing.fork(), silent.fork()];
    await until(() => set.stats().workerTests >= 4 && told.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await rest(hearing.fork(), [])).toEqual([]);
    for (const cursor of [silent.fork(), ...early, silent]) {
      expect(show(await rest(cursor, []))).toEqual([`${SLOW} 6 unit`]);
    }
  });

  it("is not asked for again: of what is decided the worker is told nothing", async () => {
    const set = setOf(["(x)\\1y", "(q)\\1"]);
    const told: Settled[] = [];
    const parent = set.open(
      () => true,
      (settled) => told.push(settled),
    );
    parent.feed(`${"xx\n".repeat(1_000)}qq\n`);
    await until(() => told.length > 0);
    const forks = Array.from({ length: 5 }, () => parent.fork());
    await pause(50);
    expect(set.stats().workerTests).toBe(2);
    for (const fork of forks) expect(show(await rest(fork, ["xxy"]))).toEqual(["(x)\\1y 3006 unit"]);
  });
});

describe("TTSR-4.4 a fork costs no step", () => {
  it("however long the text is, and whatever state the automata are in", () => {
    const set = setOf(["foo", GAP, DEAR, SLOW], { cachedStates: 40 });
    for (const length of [10, 1_000, 20_000]) {
      const cursor = set.open(() => true);
      cursor.feed("eabf".repeat(length / 2));
      const before = set.stats();
      const fork = cursor.fork();
      expect(set.stats()).toEqual(before);
      expect(fork.position).toBe(2 * length);
    }
  });
});
