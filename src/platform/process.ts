/** Runs a program in a process group of its own, so that it can be ended whole. */
import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "./clock.js";
import {
  forget,
  groupIsAlive,
  JOB_VARIABLE,
  membersOf,
  nextTag,
  type ProcessGroup,
  remember,
  signalGroup,
} from "./process-groups.js";

/** How long after the program's exit its last output is waited for; a child in the background may hold the pipe for ever. */
const DRAIN_MS = 200;
/** From TERM to KILL. */
const GRACE_MS = 2000;

export interface RunOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment, already cleaned (`childEnv`). */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  timeoutMs: number;
  onOutput(chunk: Buffer, from: "stdout" | "stderr"): void;
  clock?: Pick<typeof systemClock, "after">;
}

export interface RunResult {
  ended: "exit" | "timeout" | "aborted" | "not-started";
  /** null when a signal ended it, or it never ended while we looked. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** What it left running in the background; killed when this program exits. */
  stillRunning: number[];
  /** Only with `not-started`. */
  error?: Error;
}

/**
 * Runs a program without standard input and without a terminal. Resolves when it has exited and its output is drained (200 ms at most), at once
 * when `signal` aborts, and when it has been killed after the timeout. Killing is TERM to the group and to what left it, KILL after 2 s; after
 * an abort that goes on by itself.
 */
export function runProcess(options: RunOptions): Promise<RunResult> {
  const clock = options.clock ?? systemClock;
  const tag = nextTag();
  const nothing = { exitCode: null, signal: null, stillRunning: [] };
  if (options.signal.aborted) return Promise.resolve({ ended: "aborted", ...nothing });
  let child: ChildProcess;
  try {
    child = spawn(options.file, options.args, {
      cwd: options.cwd,
      env: { ...options.env, [JOB_VARIABLE]: `${process.env[JOB_VARIABLE] ?? ""}${tag}` },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    return Promise.resolve({ ended: "not-started", ...nothing, error: asError(error) });
  }
  return new Promise((resolve) => {
    const group: ProcessGroup | undefined = child.pid === undefined ? undefined : { id: child.pid, tag };
    if (group) remember(group);
    let settled = false;
    let timedOut = false;
    const cancels: (() => void)[] = [];

    const settle = (result: RunResult): void => {
      if (settled) return;
      settled = true;
      for (const cancel of cancels) cancel();
      options.signal.removeEventListener("abort", onAbort);
      letGo(child);
      resolve(result);
    };
    const onAbort = (): void => {
      settle({ ended: "aborted", ...nothing });
      if (group) void terminate(group, clock);
    };

    child.stdout?.on("data", (chunk: Buffer) => settled || options.onOutput(chunk, "stdout"));
    child.stderr?.on("data", (chunk: Buffer) => settled || options.onOutput(chunk, "stderr"));
    child.on("error", (error) => settle({ ended: "not-started", ...nothing, error }));
    child.on("exit", (exitCode, signal) => {
      const done = (): void => {
        if (settled) return;
        let stillRunning: number[] = [];
        if (group && !timedOut) {
          if (groupIsAlive(group)) stillRunning = membersOf(group);
          if (stillRunning.length === 0) forget(group);
        }
        settle({ ended: timedOut ? "timeout" : "exit", exitCode, signal, stillRunning });
      };
      // Where we stood still ourselves, what is in the pipe comes first.
      cancels.push(clock.after(DRAIN_MS, () => void setImmediate(done)));
      void Promise.all([ended(child.stdout), ended(child.stderr)]).then(done);
    });
    options.signal.addEventListener("abort", onAbort);
    cancels.push(
      clock.after(options.timeoutMs, () => {
        if (settled || child.exitCode !== null || child.signalCode !== null) return;
        timedOut = true;
        if (!group) return;
        void terminate(group, clock).then(() => settle({ ended: "timeout", ...nothing }));
      }),
    );
  });
}

/** Runs a command line with `bash`, which reads no start-up files. */
export function runShell(command: string, options: Omit<RunOptions, "file" | "args">): Promise<RunResult> {
  return runProcess({ ...options, file: "bash", args: ["--noprofile", "--norc", "-c", "--", command] });
}

/** Later output is read and dropped, so that a child in the background does not die of a closed pipe; nothing of it keeps us alive. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.resume();
    if (stream && "unref" in stream && typeof stream.unref === "function") stream.unref();
  }
}

function ended(stream: ChildProcess["stdout"]): Promise<void> {
  if (!stream || stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("end", resolve);
    stream.once("close", resolve);
  });
}

/** Ends the group and what left it: TERM, then, to whoever is alive 2 s later, KILL. */
async function terminate(group: ProcessGroup, clock: Pick<typeof systemClock, "after">): Promise<void> {
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));
  signalGroup(group, "SIGTERM");
  let waited = 0;
  for (let step = 25; waited < GRACE_MS; step = Math.min(step * 2, GRACE_MS - waited)) {
    await sleep(step);
    waited += step;
    if (membersOf(group).length === 0) return forget(group);
  }
  // Again and again, for a process may fork while the list is read; 20 rounds are far more than that takes.
  for (let round = 0; round < 20 && membersOf(group).length > 0; round++) {
    signalGroup(group, "SIGKILL");
    await sleep(25);
  }
  forget(group);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
