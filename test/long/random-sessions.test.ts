import { describe, expect, it } from "vitest";
import { playRandomSession } from "../session/random/play.js";

const SESSIONS = 2_000;

describe("TTSR-6.7 TTSR-9.2 any model, any user, at any time", () => {
  it(`in ${SESSIONS} sessions no promise is broken`, async () => {
    const failed: string[] = [];
    // Others than those of every run.
    for (let seed = 1_001; seed <= 1_000 + SESSIONS; seed++) {
      for (const problem of await playRandomSession(seed)) failed.push(`seed ${seed}: ${problem}`);
    }
    expect(failed).toEqual([]);
  }, 1_200_000);
});
