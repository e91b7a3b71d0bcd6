import type { CompileLimits } from "./types.js";

/**
 * Measured at 0.1 µs a step: a trigger at its cap of threads costs 0.1 ms a unit, a set 0.4 ms. A thousand usual triggers have about 20,000
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
