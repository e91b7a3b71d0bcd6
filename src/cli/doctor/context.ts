import { systemClock } from "../../platform/clock.js";
import type { Dirs } from "../../platform/dirs.js";
import { systemDirs } from "../dirs.js";

/** Where the checks look. */
export interface CheckContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  dirs: Dirs;
  /** undefined: standard output is no terminal. */
  terminal: { columns: number; rows: number } | undefined;
  fetch: typeof globalThis.fetch;
  clock: typeof systemClock;
  nodeVersion: string;
}

export function checkContext(cwd: string): CheckContext {
  const { stdout } = process;
  return {
    cwd,
    env: process.env,
    dirs: systemDirs(),
    terminal: stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : undefined,
    fetch: globalThis.fetch,
    clock: systemClock,
    nodeVersion: process.versions.node,
  };
}
