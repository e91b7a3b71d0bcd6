/** The real clock. Structurally the loop's `Clock`; tests bring one that they turn by hand. */
export const systemClock = {
  now: (): number => performance.now(),
  date: (): Date => new Date(),
  after(ms: number, run: () => void): () => void {
    // Node fires a timer of more than 24 days at once.
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
