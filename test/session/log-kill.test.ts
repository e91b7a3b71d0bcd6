import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle, killChain } from "./helpers/kill.js";
import { bench } from "./helpers/session.js";

const on = bench(5);
let script = "";
beforeAll(async () => {
  script = await bundle("kill-child", on.dir);
});
afterAll(() => on.remove());

describe("D1 a killed process loses nothing that it has called saved", () => {
  it("40 kills with SIGKILL: 0 saved entries lost, 0 logs unreadable", async () => {
    const [one, two] = await Promise.all([killChain(on, script, 1, 20), killChain(on, script, 2, 20)]);
    expect([...one.lost, ...two.lost]).toEqual([]);
    expect([...one.faults, ...two.faults]).toEqual([]);
    expect(one.acked + two.acked).toBeGreaterThan(200);
    expect([...one.signals, ...two.signals].every((signal) => signal === "SIGKILL")).toBe(true);
    // The kills in the middle of a write did what they are there for.
    expect(one.torn + two.torn).toBeGreaterThanOrEqual(10);
    // It starts 40 processes one after another.
  }, 300_000);
});
