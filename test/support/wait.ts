import { vi } from "vitest";

/**
 * Milliseconds a test waits for what is to come. It ends what hangs; a machine that is only busy must never reach it. Below the limit of a
 * whole test, so that the wait says what was missing.
 */
export const PATIENCE_MS = 60_000;

/** Waits until the assertion holds; then, or when patience is at its end, it decides. */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(assertion, { timeout: PATIENCE_MS, interval: 10 });
}

/** Waits until the condition holds. @param what said when it never does */
export async function until(holds: () => boolean, what?: () => string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(what?.() ?? `It never came to this: ${holds}`);
    await pause(5);
  }
}

/** For looking that nothing comes: a longer pause proves more, a shorter one never fails. No test waits so for what is to come. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A door that a test opens: whoever awaits `opened` goes on then. */
export function door(): { opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
