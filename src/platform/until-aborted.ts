/** @returns undefined once `signal` aborts, whether or not the work is broken off */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
    promise
      .then((value) => resolve(signal.aborted ? undefined : value), reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
