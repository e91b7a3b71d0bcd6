import type { CompileLimits } from "./types.js";

/**
 * A step takes 0.1 µs (`automaton/prices.ts`). On any four units a trigger may take 4 × 1,024 of them, 0.4 ms. A set may take 4 × 4,096, 1.6 ms: a quarter
 * for all that run together, up to another one where some of them are given up, one for the trigger that runs apart, and the rest for what is not
 * counted then (`machine.ts`). A thousand usual triggers have about 20,000 positions, take 2,800 steps on their dearest four units, and need some
 * hundred states for 100 KB of code.
 */
export const DEFAULT_LIMITS: CompileLimits = {
  positionsPerRule: 2000,
  positionsPerSet: 50_000,
  threadsPerRule: 1024,
  threadsPerSet: 4096,
  obligationsPerThread: 64,
  cachedStates: 8192,
  cacheBytes: 16 * 1024 * 1024,
  stepsPerUnit: 500,
  worker: { msPerTest: 50, msPerStream: 250, bufferUnits: 256 * 1024 },
};
