import { describe, expect, it } from "vitest";
import { playRandomSession } from "./play.js";

/** `npm run test:long` plays more. */
const SESSIONS = 60;

describe("TTSR-6.7 TTSR-9.2 any model, any user, at any time", () => {
  it(`in ${SESSIONS} sessions nothing that breaks a rule runs, nothing hangs or is lost, every request is one that a provider takes`, async () => {
    const failed: string[] = [];
    for (let seed = 1; seed <= SESSIONS; seed++) {
      for (const problem of await playRandomSession(seed)) failed.push(`seed ${seed}: ${problem}`);
    }
    expect(failed).toEqual([]);
  });
});
