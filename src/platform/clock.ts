/** The real clock. Structurally the loop's `Clock`; tests bring one that they turn by hand. */
export const systemClock = {
  now: (): number => performance.now(),
  date: (): Date => new Date(),
  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
