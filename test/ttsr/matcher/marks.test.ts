/** Places of a text that a cursor goes back to, or forth; and texts that come whole each time. */
import { afterEach, describe, expect, it } from "vitest";
import {
  type CursorMark,
  compileTriggers,
  type MatcherSet,
  type Settled,
  type StreamCursor,
} from "../../../src/ttsr/matcher/index.js";
import { until } from "../../support/wait.js";
import { Random } from "./fuzz/random.js";

const LIMITS = { worker: { msPerTest: 2_000, msPerStream: 60_000, bufferUnits: 262_144 } };
const PATTERNS = ["ab", "b\\b", "^a+$", "c(?!a)", "(?<=a\\n)b", "(?m)^c$", "(?=[^]*cc)(?=[^]*ba)"];
const SLOW = "(a+)b\\1c";

let sets: MatcherSet[] = [];
afterEach(() => {
  for (const set of sets) set.dispose();
  sets = [];
});

function setOf(...patterns: string[]): MatcherSet {
  const set = compileTriggers(
    patterns.map((pattern) => ({ ruleId: pattern, pattern, index: 0 })),
    LIMITS,
  );
  sets.push(set);
  return set;
}

const ids = (found: readonly Settled[]): string[] => found.map(({ ruleId }) => ruleId);
const show = (found: readonly Settled[]): string[] =>
  found.map(({ ruleId, position, settledBy }) => `${ruleId} ${position} ${settledBy}`).sort();

async function endOf(cursor: StreamCursor): Promise<Settled[]> {
  const { now, late } = cursor.end();
  return [...now, ...(await late)];
}

describe("TTSR-4.2 a mark", () => {
  it("gives tier 2 the text that stood there, whatever was read since", async () => {
    const cursor = setOf(SLOW).open(() => true);
    const empty = cursor.save();
    cursor.feed("aab");
    const mark = cursor.save();
    cursor.restore(empty);
    cursor.feed("cccccc");
    cursor.restore(mark);
    cursor.feed("aac");
    expect(show(await endOf(cursor))).toEqual([`${SLOW} 6 unit`]);
  });

  it("lets tier 2 forget the text that was taken back", async () => {
    const set = setOf(SLOW);
    const cursor = set.open(() => true);
    const mark = cursor.save();
    for (let i = 0; i < 5; i++) {
      cursor.feed("aabaac\n");
      cursor.restore(mark);
    }
    expect(await endOf(cursor)).toEqual([]);
    expect(set.stats().workerTests).toBe(1);
  });

  it("of a text that came whole knows that text", () => {
    const cursor = setOf("foo", "bar").open(() => true);
    cursor.sync(`${"x".repeat(2000)}f`);
    const mark = cursor.save();
    cursor.sync(`${"y".repeat(3000)}`);
    cursor.restore(mark);
    expect(cursor.position).toBe(2001);
    expect(ids(cursor.sync(`${"x".repeat(2000)}foo`))).toEqual(["foo"]);
    expect(ids(cursor.sync(`${"x".repeat(1500)}bar`))).toEqual(["bar"]);
    cursor.restore(mark);
    expect(ids(cursor.sync(`${"y".repeat(1999)}bar`))).toEqual(["bar"]);
  });
});

describe("TTSR-4.2 a text that comes whole each time", () => {
  it("may differ in what was fed before", () => {
    const cursor = setOf("foo").open(() => true);
    cursor.feed("abc");
    expect(ids(cursor.sync("abcd"))).toEqual([]);
    expect(ids(cursor.sync("foo"))).toEqual(["foo"]);
    expect(cursor.position).toBe(3);
  });

  it("may be shorter than what was fed before", () => {
    const cursor = setOf("abc").open(() => true);
    cursor.feed("abx");
    expect(ids(cursor.sync("ab"))).toEqual([]);
    expect(ids(cursor.sync("abc"))).toEqual(["abc"]);
  });

  it("may have been fed something in between", () => {
    const cursor = setOf("foo", "d").open(() => true);
    cursor.sync("ab");
    expect(ids(cursor.feed("d"))).toEqual(["d"]);
    expect(ids(cursor.sync("abfoo"))).toEqual(["foo"]);
    expect(cursor.position).toBe(5);
  });

  it("is not taken after the end", () => {
    const cursor = setOf("foo").open(() => true);
    cursor.sync("ab");
    cursor.end();
    expect([cursor.sync("foo"), cursor.sync("abfoo")]).toEqual([[], []]);
    expect(cursor.position).toBe(2);
  });
});

describe("TTSR-4.2 whoever does not ask to be told while the text goes on", () => {
  it("hears at the end what tier 2 found before it", async () => {
    const set = setOf(SLOW, "(x)\\1");
    const cursor = set.open(() => true);
    cursor.feed("aabaac\n");
    await until(() => set.stats().workerTests >= 2);
    cursor.feed("abac xx\nx");
    expect(show(await endOf(cursor))).toEqual([`${SLOW} 6 unit`, "(x)\\1 14 unit"].sort());
  });

  it("and not what was disarmed, nor of a text that was taken back", async () => {
    const set = setOf(SLOW, "(x)\\1");
    const cursor = set.open(() => true);
    const mark = cursor.save();
    cursor.feed("aabaac xx\n");
    await until(() => set.stats().workerTests >= 2);
    cursor.disarm("(x)\\1");
    expect(ids(await endOf(cursor))).toEqual([SLOW]);
    cursor.restore(mark);
    cursor.feed("ab xx\n");
    expect(await endOf(cursor)).toEqual([]);
  });
});

describe("TTSR-4.2 whatever was read, gone back to and read again", () => {
  it("the text that stands at the end is what counts", async () => {
    const set = setOf(...PATTERNS, SLOW);
    const random = new Random(5);
    const piece = (): string => random.list(6, () => random.pick([..."aabbc\n"])).join("");
    for (let round = 0; round < 80; round++) {
      const cursor = set.open(() => true);
      let text = "";
      /** Rules reported on what still stands, and where. */
      let told = new Map<string, number>();
      /** The first snapshot must begin with what was fed. */
      let synced = false;
      const marks: { mark: CursorMark; text: string; told: Map<string, number>; synced: boolean }[] = [];
      const tell = (found: readonly Settled[]): void => {
        for (const { ruleId, position } of found) told.set(ruleId, position);
      };
      for (let step = 0; step < 12; step++) {
        const known = marks[random.below(marks.length + 1)];
        switch (random.pick(["feed", "feed", "sync", "save", "restore"])) {
          case "feed": {
            const next = piece();
            tell(cursor.feed(next));
            text += next;
            break;
          }
          case "sync": {
            const kept = Math.max(0, text.length - (synced ? random.pick([0, 1, 4]) : 0));
            const next = text.slice(0, kept) + piece();
            if (!next.startsWith(text)) told = new Map([...told].filter(([, position]) => position <= kept));
            text = next;
            synced = true;
            tell(cursor.sync(text));
            break;
          }
          case "save":
            marks.push({ mark: cursor.save(), text, told: new Map(told), synced });
            break;
          case "restore":
            if (!known) break;
            cursor.restore(known.mark);
            text = known.text;
            told = new Map(known.told);
            synced = known.synced;
            break;
        }
        expect(cursor.position).toBe(text.length);
      }
      tell(await endOf(cursor));
      const whole = set.open(() => true);
      const expected = [...whole.feed(text), ...(await endOf(whole))];
      expect([...told].sort(), JSON.stringify(text)).toEqual(
        expected.map(({ ruleId, position }) => [ruleId, position]).sort(),
      );
    }
  });
});
