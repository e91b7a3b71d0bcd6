import { describe, expect, it } from "vitest";
import { LaneCursor } from "../../../src/ttsr/lanes/lane-cursor.js";
import { Tail } from "../../../src/ttsr/lanes/tail.js";
import { Unless } from "../../../src/ttsr/lanes/unless.js";
import { compileTriggers } from "../../../src/ttsr/matcher/index.js";
import { Random } from "../matcher/fuzz/random.js";

/** Has a state for each text of its length: nearly every unit is new to the tables. */
const DEAR = "foo[^]*?bar|a[ab]{130}\u00a7";

/**
 * One rule, whose matches near "ok" are excused.
 * @returns where the others end, those that were told of before the end of the text, and the most steps that a delta took once one had matched
 */
function judge(pattern: string, text: string, size: number): { ends: number[]; live: number[]; most: number } {
  const set = compileTriggers([{ ruleId: "r", index: 0, pattern }]);
  const seen = new Tail();
  const open = (from: number): LaneCursor =>
    new LaneCursor(
      (onLate, before) => set.open(() => true, onLate, before),
      seen,
      from,
      () => undefined,
    );
  const unless = new Unless({
    seen,
    raw: seen,
    reach: { within: 0, after: 0 },
    every: true,
    startOf: (hit) => hit.start(pattern, true),
    vetoed: (region) => region.includes("ok"),
    steps: () => set.stats().threadSteps,
    open,
    onLate: () => undefined,
  });
  const first = open(0);
  const ends: number[] = [];
  let begun = false;
  let most = 0;
  for (let at = 0; at < text.length; at += size) {
    const delta = text.slice(at, at + size);
    seen.append(delta, true);
    if (begun) {
      const before = set.stats().threadSteps;
      ends.push(...unless.feed(delta).map(({ end }) => end));
      most = Math.max(most, set.stats().threadSteps - before);
    } else {
      const [hit] = first.feed(delta);
      if (!hit) continue;
      begun = true;
      const before = set.stats().threadSteps;
      ends.push(...unless.begin(hit).map(({ end }) => end));
      most = Math.max(most, set.stats().threadSteps - before);
    }
  }
  const live = [...ends];
  ends.push(...unless.close().now.map(({ end }) => end));
  set.dispose();
  return { ends, live, most };
}

describe("TTSR-3.5 behind an excused match", () => {
  const random = new Random(11);
  const ab = (length: number): string => random.list(length, () => random.pick(["a", "b"])).join("");
  const text = `foo ok\n${ab(3000)} bar ok\n${ab(3000)} foo\n${ab(200)} bar\n foo bar ${ab(100)}`;

  it("no delta is dear, however far the match went and whatever is read again", () => {
    const { most } = judge(DEAR, text, 4);
    expect(most).toBeGreaterThan(1000);
    expect(most).toBeLessThan(16_384);
  });

  it("however the text is cut, the same matches stand", () => {
    const whole = judge(DEAR, text, text.length).ends;
    expect(whole.length).toBeGreaterThan(1);
    for (const size of [1, 4, 33, 700]) expect(judge(DEAR, text, size).ends).toEqual(whole);
  });

  it("what the tables know is read at once: the next match is found in its own delta", () => {
    const plain = `foo ok\n${"x".repeat(3000)} bar\nfoo bar `;
    const { live, most } = judge("foo[^]*?bar", plain, 4);
    expect(live).toEqual([plain.length - 1]);
    expect(most).toBeLessThan(1000);
  });
});
