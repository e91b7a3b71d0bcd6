/** The rows of the session log that take longer than a test suite may. */
import { statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { userText } from "../../src/agent/messages.js";
import { bundle, killChain } from "../session/helpers/kill.js";
import { answer, bench, fileOf } from "../session/helpers/session.js";

const on = bench(8);
let script = "";
beforeAll(async () => {
  script = await bundle("kill-child", on.dir);
});
afterAll(() => on.remove());

describe("D16 kills", () => {
  // Each chain is a session of its own, so that logs stay of a size that is met.
  it("300 with SIGKILL: 0 saved entries lost, 0 logs unreadable", async () => {
    let acked = 0;
    for (let seed = 11; seed < 21; seed++) {
      const chain = await killChain(on, script, seed, 30);
      expect([chain.lost, chain.faults]).toEqual([[], []]);
      acked += chain.acked;
    }
    expect(acked).toBeGreaterThan(2000);
  }, 600_000);
});

describe("D15 load", () => {
  it("100,000 entries, 200 MB: every one, and twice the entries take about twice the time", () => {
    const time = (entries: number): { ms: number; bytes: number } => {
      const made = on.create();
      const text = "const answer = compute(question);\n".repeat(55);
      for (let n = 0; n < entries; n++) made.appendMessage(n % 2 === 0 ? userText(`${n} ${text}`) : answer(text));
      made.close();
      const start = performance.now();
      const session = on.open(fileOf(made));
      const ms = performance.now() - start;
      expect(session.buildContext().messages.length).toBe(entries);
      session.close();
      return { ms, bytes: statSync(fileOf(made)).size };
    };
    const half = time(50_000);
    const whole = time(100_000);
    expect(whole.bytes).toBeGreaterThan(200e6);
    expect(whole.ms / half.ms).toBeLessThan(4);
  }, 120_000);
});
