import { describe, expect, it } from "vitest";
import { DifferentialFuzz } from "./fuzz/differential.js";

/** Another one each time; the same again with `TTSR_FUZZ_SEED`. `npm run fuzz` goes on for longer. */
const SEED = Number(process.env["TTSR_FUZZ_SEED"] ?? Date.now() % 1_000_000);
const CASES = 4_000;

describe("TTSR-4.2 TTSR-4.4 the matcher against RegExp and the oracle", () => {
  it(`${CASES} random cases: no difference (TTSR_FUZZ_SEED=${SEED})`, () => {
    const fuzz = new DifferentialFuzz(SEED);
    while (fuzz.counts.cases < CASES && fuzz.counts.failures === 0) fuzz.step();
    expect(fuzz.failures, `TTSR_FUZZ_SEED=${SEED}`).toEqual([]);
    expect(fuzz.counts.casesInSets).toBeGreaterThan(100);
    process.stdout.write(`fuzz seed ${SEED}: ${fuzz.counts.cases} cases, ${fuzz.counts.casesInSets} in sets\n`);
  });
});
