/** Rules that are read anew while lanes are open. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { rule, SETTINGS } from "./helpers.js";

const watched = vi.hoisted(() => ({ compiled: [] as { rules: string[]; disposed: boolean; prepared: boolean }[] }));

vi.mock("../../src/ttsr/matcher/index.js", async (original) => {
  const real = await original<typeof import("../../src/ttsr/matcher/index.js")>();
  const compileTriggers: typeof real.compileTriggers = (...given) => {
    const set = real.compileTriggers(...given);
    const seen = { rules: given[0].map(({ ruleId }) => ruleId), disposed: false, prepared: false };
    watched.compiled.push(seen);
    const { dispose, prepare } = set;
    set.dispose = () => {
      seen.disposed = true;
      dispose.call(set);
    };
    set.prepare = () => {
      seen.prepared = true;
      prepare.call(set);
    };
    return set;
  };
  return { ...real, compileTriggers };
});

afterEach(() => {
  watched.compiled = [];
});

/** The last set of all rules: others are of one rule, or of exceptions. */
const whole = () => watched.compiled.findLast(({ rules }) => rules.length === RULES.length);

const RULES = [
  rule("twice", { name: "twice", ttsrTrigger: ["\\b(\\w+) \\1\\b"], scope: ["text"] }),
  rule("plain", { name: "plain", ttsrTrigger: ["eval"], scope: ["text"] }),
];

describe("TTSR-1.6 rules that changed", () => {
  it("lanes of the set before end well, its worker's verdicts included; with the next attempt it is disposed of", async () => {
    const manager = new TtsrManager(SETTINGS);
    manager.setRules(RULES);
    manager.resetBuffer();
    const lane = manager.openLane({ source: "text", contentIndex: 0 });
    const first = whole();
    expect(first?.rules).toEqual(["twice", "plain"]);
    lane.push("it is ");
    manager.setRules(RULES);
    expect(first?.disposed).toBe(false);
    expect(lane.push("is so, eval").map((match) => match.rule.name)).toEqual(["plain"]);
    const { now, late } = lane.close();
    expect([...now, ...(await late)].map((match) => match.rule.name)).toEqual(["twice"]);
    manager.resetBuffer();
    expect(first?.disposed).toBe(true);
    const next = manager.openLane({ source: "text", contentIndex: 0 });
    expect(next.push("eval").map((match) => match.rule.name)).toEqual(["plain"]);
    expect(whole()).not.toBe(first);
    expect(whole()?.disposed).toBe(false);
  });

  it("what a lane needs is made ready before there is one, if rules are on", () => {
    const manager = new TtsrManager(SETTINGS);
    manager.prepare();
    expect(watched.compiled).toEqual([]);
    manager.setRules(RULES);
    manager.prepare();
    expect(whole()).toEqual({ rules: ["twice", "plain"], disposed: false, prepared: true });
    const before = watched.compiled.length;
    manager.openLane({ source: "text", contentIndex: 0 }).push("x");
    expect(watched.compiled).toHaveLength(before);
  });
});
