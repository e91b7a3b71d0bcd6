import type { ModelError } from "./errors.js";
import type { Clock } from "./ports.js";

export interface RetryPolicy {
  /** Retries after the first try; 0 for none. */
  maxAttempts: number;
  baseDelayMs: number;
}

const STEP_LIMIT_MS = 8_000;
/** A provider that asks for a longer wait is not waited for: the user should decide. */
export const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * Exponential backoff with jitter; the provider's own wish is a floor.
 * @param retry 1 for the first retry
 * @param random in [0, 1)
 * @returns milliseconds
 */
export function retryDelay(policy: RetryPolicy, retry: number, error: ModelError, random: () => number): number {
  const step = Math.min(policy.baseDelayMs * 2 ** (retry - 1), STEP_LIMIT_MS);
  const jittered = step / 2 + (step / 2) * random();
  return Math.round(Math.max(jittered, error.retryAfterMs ?? 0));
}

/** Sleeps, or wakes at once when `signal` aborts. */
export function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener("abort", done);
  });
}
