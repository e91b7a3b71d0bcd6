/** The search program, and what of its output a model gets. */
import { childEnv } from "../platform/child-env.js";
import { runProcess } from "../platform/process.js";
import type { ToolDeps } from "./deps.js";

/** Seconds a search may take. */
const TIME_LIMIT = 30;
/** Bytes of output that are read; more than any result holds. */
const READ_LIMIT = 4 * 1024 * 1024;

export interface SearchRun {
  lines: string[];
  /** One sentence where it did not come to its end. */
  problem?: string;
}

/** @returns the installed program; undefined where its platform has none */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    // The package has no binary for this platform: the tools search by themselves.
    return undefined;
  }
}

/** @param args after the switches that keep the user's and the repository's configuration out */
export async function runRipgrep(
  file: string,
  args: readonly string[],
  cwd: string,
  deps: ToolDeps,
  signal: AbortSignal,
): Promise<SearchRun> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  let size = 0;
  const enough = new AbortController();
  const run = await runProcess({
    file,
    args: ["--no-config", "--color=never", "--no-messages", ...args],
    cwd,
    env: childEnv(deps.env ?? process.env),
    signal: AbortSignal.any([signal, enough.signal]),
    timeoutMs: TIME_LIMIT * 1000,
    ...(deps.clock ? { clock: deps.clock } : {}),
    onOutput(chunk, from) {
      size += chunk.length;
      (from === "stdout" ? out : err).push(chunk);
      if (size > READ_LIMIT) enough.abort();
    },
  });
  const lines = Buffer.concat(out)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  if (signal.aborted) return { lines: [], problem: "Interrupted." };
  if (run.ended === "timeout") return { lines, problem: `The search was stopped after ${TIME_LIMIT} s; narrow it.` };
  // 1: nothing found. 2: something went wrong, such as a pattern that cannot be read.
  if (run.exitCode === 2 && lines.length === 0) {
    return { lines, problem: Buffer.concat(err).toString("utf8").trim() || "The search failed." };
  }
  return { lines };
}
