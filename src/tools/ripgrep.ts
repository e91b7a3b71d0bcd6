/** Runs ripgrep so that neither a pattern, nor a file name, nor a settings file can make it do anything but search. */
import { childEnv } from "../platform/child-env.js";
import { type RunResult, runProcess } from "../platform/process.js";
import { repositoryRoot } from "../platform/project-root.js";
import type { ToolDeps } from "./deps.js";

/** A search that takes longer ends with what it has. */
export const SEARCH_MS = 20_000;
/** A piece of output that is longer than this is dropped whole. */
const MAX_PIECE = 4 * 1024 * 1024;

const ALWAYS = ["--no-config", "--color=never", "--hidden", "--no-require-git", "--sort=path"];

/** @returns the program that is installed with us, undefined on platforms where there is none */
export async function bundledRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // The package throws when its binary for this platform is not installed; then our own search takes over.
    return undefined;
  }
}

export interface SearchRun {
  program: string;
  /** Options only; each with its value in the same word. */
  options: readonly string[];
  /** Absolute. */
  root: string;
  cwd: string;
  separator: "\n" | "\0";
  signal: AbortSignal;
  deps: Pick<ToolDeps, "env" | "clock">;
  /** @returns false to end the search */
  onPiece(piece: string): boolean;
}

/** @returns how it ended ("aborted" also when `onPiece` ended it), and what it said on standard error */
export async function runRipgrep(run: SearchRun): Promise<{ result: RunResult; complaint: string }> {
  const enough = new AbortController();
  const splitter = new Splitter(run.separator);
  let complaint = "";
  const result = await runProcess({
    file: run.program,
    args: [
      ...ALWAYS,
      // Outside of a repository what stands in folders above has no say: a home folder may ignore everything.
      ...(repositoryRoot(run.root) === undefined ? ["--no-ignore-parent"] : []),
      ...run.options,
      "--glob=!.git",
      "--",
      run.root,
    ],
    cwd: run.cwd,
    env: childEnv(run.deps.env ?? process.env),
    signal: AbortSignal.any([run.signal, enough.signal]),
    timeoutMs: SEARCH_MS,
    ...(run.deps.clock ? { clock: run.deps.clock } : {}),
    onOutput(chunk, from) {
      if (enough.signal.aborted) return;
      if (from === "stderr") {
        complaint = (complaint + chunk.toString("utf8")).slice(0, 2000);
        return;
      }
      for (const piece of splitter.push(chunk)) {
        if (run.onPiece(piece)) continue;
        enough.abort();
        return;
      }
    },
  });
  return { result, complaint };
}

class Splitter {
  readonly #separator: number;
  #pending: Buffer[] = [];
  #size = 0;

  constructor(separator: "\n" | "\0") {
    this.#separator = separator.charCodeAt(0);
  }

  *push(chunk: Buffer): Generator<string> {
    let at = 0;
    for (let end = chunk.indexOf(this.#separator); end >= 0; end = chunk.indexOf(this.#separator, at)) {
      if (this.#size === 0) yield chunk.toString("utf8", at, end);
      else {
        this.#keep(chunk.subarray(at, end));
        if (this.#size <= MAX_PIECE) yield Buffer.concat(this.#pending).toString("utf8");
        this.#pending = [];
        this.#size = 0;
      }
      at = end + 1;
    }
    this.#keep(Buffer.from(chunk.subarray(at)));
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > MAX_PIECE) this.#pending = [];
    else this.#pending.push(piece);
  }
}
