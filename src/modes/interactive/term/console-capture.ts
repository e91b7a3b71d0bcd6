/** What a library prints would tear the frame apart: it goes to a log file instead. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { format } from "node:util";

const METHODS = ["log", "info", "warn", "error", "debug"] as const;
/** After this many lines no more is written: a library in a loop must not fill the disk. */
const MAX_LINES = 5000;

/** @returns a function that gives the console back */
export function captureConsole(file: string): () => void {
  const saved = METHODS.map((method) => [method, console[method]] as const);
  let lines = 0;
  for (const method of METHODS) {
    console[method] = (...args: unknown[]): void => {
      if (lines++ >= MAX_LINES) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        appendFileSync(file, `${new Date().toISOString()} ${method} ${format(...args)}\n`, { mode: 0o600 });
      } catch {
        // The log of last resort cannot be written: there is nowhere left to say so.
        lines = MAX_LINES;
      }
    };
  }
  return () => {
    for (const [method, original] of saved) console[method] = original;
  };
}
