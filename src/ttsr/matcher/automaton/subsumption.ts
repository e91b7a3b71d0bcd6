/**
 * Of two threads on one position, the one that owes more can be dropped: whenever it has matched, the other has, as early or earlier. Without
 * this a look-ahead that starts at every unit would leave a thread behind at each.
 */

import { PRICES } from "./prices.js";
import type { Kernel, Obligation, Owed, Thread } from "./threads.js";

/** Comparisons that take as long as one step, and after how many they are told of: two threads may owe a great deal. */
const PER_STEP = 4;
const TOLD_AFTER = 64;

/**
 * @param negated whether the look-ahead of that number is a negated one
 * @param spend told what it costs, in steps, and for which position
 * @returns the threads that are needed, in no order
 */
export function withoutSubsumed(
  threads: readonly Thread[],
  negated: (look: number) => boolean,
  spend: (steps: number, position: number) => void,
): Thread[] {
  const byPosition = new Map<number, Thread[]>();
  for (const thread of threads) {
    spend(PRICES.stay, thread.position);
    const same = byPosition.get(thread.position);
    if (same) same.push(thread);
    else byPosition.set(thread.position, [thread]);
  }
  let comparisons = 0;
  let position = 0;
  const needed: Thread[] = [];
  for (const same of byPosition.values()) {
    const [only] = same;
    if (same.length === 1 && only) needed.push(only);
    else needed.push(...minimal(same));
    tell();
  }
  return needed;

  function minimal(same: readonly Thread[]): readonly Thread[] {
    position = same[0]?.position ?? 0;
    const free = same.find(({ owed }) => owed.list.length === 0);
    if (free) return [free];
    let kept: Thread[] = [];
    for (const thread of same) {
      if (kept.some((other) => impliedBy(other.owed, thread.owed))) continue;
      kept = kept.filter((other) => !impliedBy(thread.owed, other.owed));
      kept.push(thread);
    }
    return kept;
  }

  function compared(count: number): void {
    comparisons += count;
    if (comparisons >= TOLD_AFTER) tell();
  }

  function tell(): void {
    spend(comparisons / PER_STEP, position);
    comparisons = 0;
  }

  /** Whether whoever has paid `more` has paid `less` too. */
  function impliedBy(less: Owed, more: Owed): boolean {
    for (const one of less.list) {
      let implied = false;
      for (const other of more.list) {
        compared(1);
        if (implies(other, one)) {
          implied = true;
          break;
        }
      }
      if (!implied) return false;
    }
    return true;
  }

  function implies(a: Obligation, b: Obligation): boolean {
    if (a.look !== b.look) return false;
    if (a.kernel === b.kernel) return true;
    return negated(a.look) ? within(b.kernel, a.kernel) : within(a.kernel, b.kernel);
  }

  function within(small: Kernel, large: Kernel): boolean {
    const length = small.threads.length;
    if (length > large.threads.length) return false;
    let at = 0;
    for (let i = 0; i < length; i++) {
      const thread = small.threads[i];
      const id = thread?.id ?? 0;
      while ((large.threads[at]?.id ?? Number.POSITIVE_INFINITY) < id) at++;
      if (large.threads[at] !== thread) {
        compared((i + at) >> 2);
        return false;
      }
      at++;
    }
    compared(at >> 2);
    return true;
  }
}
