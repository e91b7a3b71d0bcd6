import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";
import type { PtyProgram } from "./pty.js";
import { pause } from "./wait.js";

/** `npm run screens`: the kept screens are written anew. */
export const DRAW = process.env["TTSR_DRAW_SCREENS"] !== undefined;
/** Milliseconds for the last frames of a screen whose words are there already; then the difference is shown. */
const LAST_FRAMES_MS = 15_000;

/**
 * What the program shows becomes what is kept in the file.
 * @param seen the screen, without what differs from run to run
 */
export async function expectKeptScreen(tui: PtyProgram, file: string, seen: () => string): Promise<void> {
  if (DRAW) {
    await pause(1_000);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, seen());
  }
  const kept = readFileSync(file, "utf8");
  // A screen that never comes to it is compared below, where the difference is told.
  await tui.until(() => seen() === kept, LAST_FRAMES_MS).catch(() => undefined);
  expect(seen()).toBe(kept);
}
