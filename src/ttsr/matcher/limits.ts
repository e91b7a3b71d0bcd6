import type { CompileLimits } from "./types.js";

/**
 * Steps take 0.1 µs (`automaton/prices.ts`): a trigger may take 4 × 1,024 of them on any four units, 0.4 ms, and a set 4 × 4,096, 1.6 ms, with what it
 * takes to give some of them up (`automaton/work.ts`, `machine.ts`). A thousand usual triggers have about 20,000 positions, take 2,800 steps on their
 * dearest four units, and need some hundred states for 100 KB of code.
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
