import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { rule, SETTINGS } from "./helpers.js";
import { Random } from "./matcher/fuzz/random.js";

const COMMAND = { source: "tool", contentIndex: 0, toolCallId: "c", toolName: "bash", argument: "command" } as const;

function managerOf(rules: readonly Rule[]): TtsrManager {
  const manager = new TtsrManager(SETTINGS);
  for (const each of rules) expect(manager.addRule(each)).toBe(true);
  return manager;
}

function firedOn(manager: TtsrManager, text: string): string[] {
  manager.resetBuffer();
  const lane = manager.openLane(COMMAND);
  return [...lane.push(text), ...lane.close().now].map((match) => match.rule.name);
}

describe("TTSR-3.5 an exception holds", () => {
  it("however many other rules have exceptions", () => {
    const rules = Array.from({ length: 1100 }, (_, i) =>
      rule(i === 3 || i === 1099 ? `bad${i}\\.` : `z${i}`, { name: `r${i}`, unless: [`ok${i}\\b`, `fine${i}\\b`] }),
    );
    const manager = managerOf(rules);
    expect(firedOn(manager, "bad3. bad1099.")).toEqual(["r3", "r1099"]);
    expect(firedOn(manager, "ok3 fine1098 bad3. bad1099.")).toEqual(["r1099"]);
    expect(firedOn(manager, "fine1099 bad3. bad1099.")).toEqual(["r3"]);
  }, 60_000);

  it("on an empty line near by, which is no exception to everything", () => {
    for (const blank of ["(?m)^$", "(?m)^\\s*$"]) {
      const manager = managerOf([rule("bad", { unless: [blank] })]);
      expect(manager.diagnostics()).toEqual([]);
      expect(firedOn(manager, "one\ntwo\nbad")).toEqual(["bad"]);
      expect(firedOn(manager, "one\n\nbad")).toEqual([]);
      expect(firedOn(manager, "one\n\n2\n3\n4\nbad")).toEqual(["bad"]);
    }
  });

  // The second one would go unnoticed delta by delta; but an exception is tried on some thousand units at once.
  it.each(["a[ab]{900}c", "a[ab]{150}c"])(
    "and where %s is too dear to be tried it excuses, which is told once",
    (pattern) => {
      const manager = managerOf([rule("bad", { unless: ["fine", pattern], unlessLines: [4, 5] }), rule("worse")]);
      expect(firedOn(manager, "bad worse")).toEqual(["bad", "worse"]);
      expect(manager.takeNews()).toEqual([]);
      const random = new Random(5);
      const dear = random.list(6_000, () => random.pick(["a", "b"])).join("");
      expect(firedOn(manager, `${dear} bad worse`)).toEqual(["worse"]);
      expect(firedOn(manager, `${dear} bad worse`)).toEqual(["worse"]);
      const told = { rule: "bad", code: "demoted", severity: "warning", line: 5, pattern };
      expect(manager.takeNews()).toMatchObject([told]);
      expect(manager.takeNews()).toEqual([]);
      expect(manager.diagnostics().filter(({ code }) => code === "demoted")).toMatchObject([told]);
    },
  );

  it.each([
    ["(a|b)\\1", "Write it without references to groups."],
    ["(?<=a(?=b))b", "Write it without a look-ahead inside a look-behind."],
    ["a{3000}", "Use smaller counts, or * and + in their place."],
  ])("of which a worker would have to decide is refused: %s", (pattern, suggestion) => {
    const manager = new TtsrManager(SETTINGS);
    manager.addRule(rule("bad", { unless: [pattern] }));
    expect(manager.diagnostics()).toMatchObject([{ severity: "error", suggestion }]);
  });
});
