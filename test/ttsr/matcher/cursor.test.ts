import { describe, expect, it } from "vitest";
import { compileTriggers } from "../../../src/ttsr/matcher/index.js";
import type { Settled } from "../../../src/ttsr/matcher/types.js";
import { cuts } from "../helpers.js";
import { setOf } from "./verdict.js";

const rules = (...patterns: string[]) =>
  compileTriggers(patterns.map((pattern) => ({ ruleId: pattern, pattern, index: 0 })));
const ids = (found: readonly Settled[]): string[] => found.map(({ ruleId }) => ruleId);

describe("one set, many cursors: arm, disarm and repeat are masks", () => {
  it("watches only armed rules, and not what is disarmed", () => {
    const cursor = rules("a", "b", "c").open((id) => id !== "a");
    cursor.disarm("b");
    expect(ids(cursor.feed("abc"))).toEqual(["c"]);
    expect(cursor.position).toBe(3);
  });

  it("makes no new states for another mask", () => {
    const set = rules("foo", "bar");
    set.open(() => true).feed("foo bar foo bar");
    const { states, misses } = set.stats();
    const cursor = set.open((id) => id === "bar");
    expect(ids(cursor.feed("foo bar foo bar"))).toEqual(["bar"]);
    expect(set.stats()).toMatchObject({ states, misses });
  });

  it("reports in order of position, however many fire in one delta", () => {
    expect(
      ids(
        rules("c", "b", "a")
          .open(() => true)
          .feed("abc"),
      ),
    ).toEqual(["a", "b", "c"]);
  });

  it("names the trigger that settles first, the first of the list at one unit", () => {
    for (const pieces of cuts("xxabbc")) {
      const cursor = setOf(["b+c", "a", "(?=a)a"]).open(() => true);
      const found = pieces.flatMap((piece) => [...cursor.feed(piece)]);
      expect(found).toEqual([{ ruleId: "r", trigger: 1, position: 3, settledBy: "unit" }]);
    }
  });

  it("a rule that is reported stays quiet, another cursor reports it again", () => {
    const set = rules("foo[^]*");
    const cursor = set.open(() => true);
    expect(ids(cursor.feed("foo foo"))).toEqual(["foo[^]*"]);
    expect(ids(cursor.feed("foo"))).toEqual([]);
    expect(ids(set.open(() => true).feed("foo"))).toEqual(["foo[^]*"]);
  });

  it("reads nothing when nothing is watched any more", () => {
    const set = rules("foo");
    const cursor = set.open(() => true);
    cursor.feed("foo");
    cursor.feed("x".repeat(1000));
    expect(set.stats().unitsRead).toBe(3);
    expect(cursor.position).toBe(1003);
  });

  it("takes nothing after its end", () => {
    const cursor = rules("foo").open(() => true);
    cursor.end();
    expect(cursor.feed("foo")).toEqual([]);
    expect(cursor.end().now).toEqual([]);
  });

  it("cursors that come in turns survive tables that are thrown away at nearly every unit", () => {
    const patterns = ["(?<=\\bfoo\\b)\\s+bar(?!x)", "a(?=b(?!c))", "(?=[^]*x)(?=[^]*y)", "\\bz+$"];
    const texts = ["foo  bar y", "ab abc zz", "y x foo bar", "zzz"];
    const alone = texts.map((text) => {
      const cursor = rules(...patterns).open(() => true);
      return [...cursor.feed(text), ...cursor.end().now];
    });
    const set = compileTriggers(
      patterns.map((pattern) => ({ ruleId: pattern, pattern, index: 0 })),
      { cachedStates: 2 },
    );
    const cursors = texts.map(() => set.open(() => true));
    const found: Settled[][] = texts.map(() => []);
    for (let i = 0; i < 12; i++) {
      for (const [n, cursor] of cursors.entries()) found[n]?.push(...cursor.feed(texts[n]?.[i] ?? ""));
    }
    for (const [n, cursor] of cursors.entries()) found[n]?.push(...cursor.end().now);
    expect(found).toEqual(alone);
    expect(set.stats().flushes).toBeGreaterThan(10);
  });
});

describe("what stands in front of the stream", () => {
  it("is seen by edges and look-behinds; no match begins in it", () => {
    const patterns = ["^b", "(?m)^c", "\\bd", "(?<=a\\n)b", "(?<!a\\n)e", "a\\nb", "bcd"];
    const set = rules(...patterns);
    const found = (before?: string) => ids(set.open(() => true, undefined, before).feed("bcde"));
    expect(found("a\n")).toEqual(["(?<=a\\n)b", "bcd", "(?<!a\\n)e"]);
    expect(found("\n")).toEqual(["bcd", "(?<!a\\n)e"]);
    expect(found()).toEqual(["^b", "bcd", "(?<!a\\n)e"]);
    const cursor = rules("a", "(?m)^b").open(() => true, undefined, "aaa\n");
    expect(cursor.position).toBe(0);
    expect(cursor.feed("ba")).toMatchObject([{ position: 1 }, { position: 2 }]);
  });
});

describe("save and restore", () => {
  it("goes on as if what came since the mark had not been", () => {
    const cursor = rules("foo", "bar").open(() => true);
    cursor.feed("fo");
    const mark = cursor.save();
    expect(mark.position).toBe(2);
    expect(ids(cursor.feed("o bar"))).toEqual(["foo", "bar"]);
    cursor.end();
    cursor.restore(mark);
    expect(cursor.position).toBe(2);
    expect(ids(cursor.feed("x ba"))).toEqual([]);
    expect(ids(cursor.feed("r foo"))).toEqual(["bar", "foo"]);
  });

  it("does not arm again what was disarmed", () => {
    const cursor = rules("foo").open(() => true);
    const mark = cursor.save();
    cursor.disarm("foo");
    cursor.restore(mark);
    expect(cursor.feed("foo")).toEqual([]);
  });

  it("gives tier 2 the text anew", async () => {
    const cursor = setOf("(a+)x\\1y").open(() => true);
    cursor.feed("aax");
    const mark = cursor.save();
    cursor.feed("aay");
    cursor.restore(mark);
    cursor.feed("b");
    expect([...cursor.end().now, ...(await cursor.end().late)]).toEqual([]);
    cursor.restore(mark);
    cursor.feed("aay");
    const { late } = cursor.end();
    expect(ids(await late)).toEqual(["r"]);
  });

  it("watches again in tier 2 for what went there while the rule was quiet", async () => {
    const set = setOf(["x", "a[ab]{9}c"], { threadsPerRule: 8 });
    const cursor = set.open(() => true);
    const start = cursor.save();
    expect(ids(cursor.feed("x"))).toEqual(["r"]);
    set.open(() => true).feed("ab".repeat(20));
    expect(set.diagnostics.map(({ code }) => code)).toContain("demoted");
    cursor.feed("y");
    cursor.restore(start);
    cursor.feed("aaaaaaaaaac");
    expect(await cursor.end().late).toMatchObject([{ trigger: 1, position: 11 }]);
  });
});

describe("sync: a source that gives the whole text so far", () => {
  it("takes what was added", () => {
    const set = rules("foo", "bar$");
    const cursor = set.open(() => true);
    expect(ids(cursor.sync("f"))).toEqual([]);
    expect(ids(cursor.sync("foo b"))).toEqual(["foo"]);
    expect(ids(cursor.sync("foo bar"))).toEqual([]);
    expect(ids(cursor.end().now)).toEqual(["bar$"]);
    expect(set.stats().unitsRead).toBe(7);
  });

  it("goes back to before a change, at most 1,024 units further than it must", () => {
    const set = rules("foo", "bar");
    const cursor = set.open(() => true);
    const head = "x".repeat(3000);
    expect(ids(cursor.sync(`${head}foo`))).toEqual(["foo"]);
    expect(ids(cursor.sync(`${head}bar`))).toEqual(["bar"]);
    expect(set.stats().unitsRead).toBe(3003 + (3003 - 2048));
    expect(ids(cursor.sync(`${head}b`))).toEqual([]);
    expect(ids(cursor.sync(`${head}bfoo`))).toEqual(["foo"]);
    expect(cursor.position).toBe(3004);
  });

  it("a mark is taken back only by the cursor that saved it", () => {
    const matcher = setOf("ab");
    const [one, other] = [matcher.open(() => true), matcher.open(() => true)];
    one.feed("a");
    const mark = one.save();
    expect(() => other.restore(mark)).toThrow(TypeError);
    one.feed("x");
    one.restore(mark);
    expect(one.feed("b")).toHaveLength(1);
  });
});
