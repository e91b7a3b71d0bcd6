/** What a library prints would tear the frame apart: while the face is on, it goes to a file. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { format } from "node:util";
import type { Clock } from "../../../agent/ports.js";

const METHODS = ["log", "info", "warn", "error", "debug"] as const;
/** After so many lines no more is written: a library in a loop must not fill the disk. */
const MAX_LINES = 5000;

/** @returns a function that gives the console back */
export function captureConsole(file: string, clock: Clock): () => void {
  const saved = METHODS.map((method) => [method, console[method]] as const);
  let left = MAX_LINES;
  for (const method of METHODS) {
    console[method] = (...args: unknown[]): void => {
      if (left-- <= 0) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        appendFileSync(file, `${clock.date().toISOString()} ${method} ${format(...args)}\n`, { mode: 0o600 });
      } catch {
        // This file is where problems are told; there is nowhere left to tell this one.
        left = 0;
      }
    };
  }
  return () => {
    for (const [method, original] of saved) console[method] = original;
  };
}
