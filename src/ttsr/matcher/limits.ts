import type { CompileLimits } from "./types.js";

/**
 * Measured at 0.1 µs a step: a trigger may take 4 × 1,024 steps on any four units, 0.4 ms, and a set 4 × 4,096, 1.6 ms (`automaton/work.ts`). A thousand usual triggers have about 20,000
 * positions, and need some hundred states for 100 KB of code.
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
