import { describe, expect, it } from "vitest";
import { compileTriggers, TriggerMemory } from "../../../src/ttsr/matcher/index.js";
import { DEFAULT_LIMITS } from "../../../src/ttsr/matcher/limits.js";

const source = (pattern: string) => ({ ruleId: "r", pattern, index: 0 });

describe("what was compiled once", () => {
  it("is the same object for the same trigger, and for no other", () => {
    const memory = new TriggerMemory();
    const first = memory.compile(source("foo$"), DEFAULT_LIMITS);
    expect(memory.compile(source("foo$"), DEFAULT_LIMITS)).toBe(first);
    for (const other of [source("foo"), { ...source("foo$"), index: 1 }, { ...source("foo$"), ruleId: "s" }]) {
      expect(memory.compile(other, DEFAULT_LIMITS)).not.toBe(first);
    }
  });

  it("is forgotten when a whole turn did not ask for it", () => {
    const memory = new TriggerMemory();
    const [kept, lost] = ["kept", "lost"].map((pattern) => memory.compile(source(pattern), DEFAULT_LIMITS));
    memory.turn();
    expect(memory.compile(source("kept"), DEFAULT_LIMITS)).toBe(kept);
    memory.turn();
    expect(memory.compile(source("kept"), DEFAULT_LIMITS)).toBe(kept);
    expect(memory.compile(source("lost"), DEFAULT_LIMITS)).not.toBe(lost);
  });

  it("serves several sets, which tell their own diagnostics and fire on their own", () => {
    const memory = new TriggerMemory();
    const sets = [1, 2].map(() => compileTriggers([source("foo$"), { ...source("a("), index: 1 }], {}, memory));
    for (const set of sets) {
      expect(set.diagnostics.map(({ code }) => code)).toEqual(["end-only", "syntax"]);
      set.prepare();
      const cursor = set.open(() => true);
      cursor.feed("a foo");
      expect(cursor.end().now).toHaveLength(1);
    }
    expect(sets[0]?.diagnostics).not.toBe(sets[1]?.diagnostics);
  });
});
