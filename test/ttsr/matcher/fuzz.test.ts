import { describe, expect, it } from "vitest";
import { DifferentialFuzz } from "./fuzz/differential.js";

/** Another one each time; the same again with `TTSR_FUZZ_SEED`. `npm run fuzz` goes on for longer. */
const SEED = Number(process.env["TTSR_FUZZ_SEED"] ?? Date.now() % 1_000_000);
const SECONDS = Number(process.env["TTSR_FUZZ_SECONDS"] ?? 20);

describe("TTSR-4.2 TTSR-4.4 the matcher against RegExp and the oracle", () => {
  it(`${SECONDS} s of random patterns: no difference (TTSR_FUZZ_SEED=${SEED})`, {
    timeout: (SECONDS + 20) * 1000,
  }, () => {
    const fuzz = new DifferentialFuzz(SEED);
    const until = Date.now() + SECONDS * 1000;
    do fuzz.step();
    while (Date.now() < until && fuzz.counts.failures === 0);
    expect(fuzz.failures, `TTSR_FUZZ_SEED=${SEED}`).toEqual([]);
    expect(fuzz.counts.cases).toBeGreaterThan(100);
    process.stdout.write(`fuzz seed ${SEED}: ${fuzz.counts.cases} cases, ${fuzz.counts.casesInSets} in sets\n`);
  });
});
