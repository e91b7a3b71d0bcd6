import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { childEnv } from "../../src/platform/child-env.js";
import { type RunOptions, runProcess, runShell } from "../../src/platform/process.js";
import { JOB_VARIABLE } from "../../src/platform/process-groups.js";
import { eventually, PATIENCE_MS, until } from "../support/wait.js";

const onLinux = process.platform === "linux";

/** A word that only the processes of one test have in their environment. */
let marks = 0;
const newMark = () => `mark-${process.pid}-${++marks}-${Math.random().toString(36).slice(2)}`;

function survivors(mark: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
      } catch {
        return false;
      }
    });
}

/** Nothing with the mark is left, at once or soon. */
const gone = (mark: string) => eventually(() => expect(survivors(mark)).toEqual([]));

/** It may have ended since it was looked for. */
function endIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    expect(error).toMatchObject({ code: "ESRCH" });
  }
}

function shell(command: string, more: Partial<RunOptions> = {}) {
  const mark = newMark();
  let output = "";
  const running = runShell(command, {
    cwd: tmpdir(),
    env: { ...childEnv(process.env), MARK: mark },
    signal: new AbortController().signal,
    timeoutMs: PATIENCE_MS,
    onOutput: (chunk) => {
      output += chunk.toString();
    },
    ...more,
  });
  onTestFinished(async () => {
    for (const pid of survivors(mark)) endIfAlive(pid);
    await gone(mark);
  });
  return { mark, running, output: () => output };
}

describe.skipIf(!onLinux)("F31 what runs on in the background does not hold the tool", () => {
  it("returns with a child that keeps the pipe, and tells its id", async () => {
    const { mark, running, output } = shell("sleep 300 & echo hi");
    const result = await running;
    expect(result).toMatchObject({ ended: "exit", exitCode: 0, signal: null });
    expect(output()).toBe("hi\n");
    expect(result.stillRunning).toEqual(survivors(mark));
    expect(result.stillRunning).toHaveLength(1);
  });

  it("a quick command has nothing left", async () => {
    const { running, output } = shell("echo a; echo b >&2; exit 7");
    expect(await running).toEqual({ ended: "exit", exitCode: 7, signal: null, stillRunning: [] });
    expect(output().split("\n").sort()).toEqual(["", "a", "b"]);
  });
});

describe.skipIf(!onLinux)("F32 nothing survives", () => {
  it("a child that ignores TERM is killed after the abort", async () => {
    const stop = new AbortController();
    const { mark, running, output } = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done", {
      signal: stop.signal,
    });
    await until(() => output().includes("ready"));
    stop.abort();
    expect((await running).ended).toBe("aborted");
    await gone(mark);
  });

  it("a child that left the group with setsid is killed too", async () => {
    const stop = new AbortController();
    const { mark, running, output } = shell("setsid sleep 60 & echo ready; wait", { signal: stop.signal });
    await until(() => output().includes("ready") && survivors(mark).length >= 2);
    stop.abort();
    await running;
    await gone(mark);
  });

  it("a timeout ends the whole group", async () => {
    const { mark, running } = shell("sleep 60 & sleep 60", { timeoutMs: 200 });
    expect(await running).toMatchObject({ ended: "timeout" });
    await gone(mark);
  });

  it("a timeout ends also what ignores TERM, and then the call returns", async () => {
    const { mark, running } = shell("trap '' TERM; while :; do sleep 0.1; done", { timeoutMs: 200 });
    expect(await running).toMatchObject({ ended: "timeout" });
    await gone(mark);
  });

  it("what was left running dies when this program exits", async () => {
    const dir = mkdtempSync(join(tmpdir(), "ttsr-exit-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const script = join(dir, "run.mjs");
    await build({
      stdin: {
        contents: `import { runShell } from ${JSON.stringify(fileURLToPath(new URL("../../src/platform/process.ts", import.meta.url)))};
          const options = { cwd: "/", env: process.env, signal: new AbortController().signal, timeoutMs: ${PATIENCE_MS}, onOutput() {} };
          const results = [await runShell("sleep 60 & echo", options), await runShell("setsid sleep 60 & sleep 0.05", options)];
          process.stdout.write(JSON.stringify(results.map((r) => r.ended)));
          process.exit(0);`,
        resolveDir: dir,
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
    });
    const mark = newMark();
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, MARK: mark },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    await new Promise((done) => child.once("close", done));
    expect(said).toBe('["exit","exit"]');
    await gone(mark);
  });
});

describe.skipIf(!onLinux)("F33 F34 abort, start and input", () => {
  it("an abort answers the caller before the child is dead", async () => {
    const stop = new AbortController();
    const { mark, running, output } = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done", {
      signal: stop.signal,
    });
    await until(() => output().includes("ready"));
    stop.abort();
    expect((await running).ended).toBe("aborted");
    // It is killed 2 s after the abort.
    expect(survivors(mark)).not.toEqual([]);
  });

  it("with a signal that is aborted already nothing starts", async () => {
    const dir = mkdtempSync(join(tmpdir(), "ttsr-none-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const { running } = shell(`touch ${join(dir, "made")}`, { signal: AbortSignal.abort() });
    expect((await running).ended).toBe("aborted");
    expect(existsSync(join(dir, "made"))).toBe(false);
  });

  it("standard input is closed", async () => {
    const { running, output } = shell("read x; echo $?; tty; git credential fill </dev/null >/dev/null 2>&1; echo end");
    expect(await running).toMatchObject({ ended: "exit", exitCode: 0 });
    expect(output()).toBe("1\nnot a tty\nend\n");
  });

  it("a program that does not exist, and a folder that is gone, are told and not thrown", async () => {
    const options: RunOptions = {
      file: "ttsr-no-such-program",
      args: [],
      cwd: tmpdir(),
      env: process.env,
      signal: new AbortController().signal,
      timeoutMs: PATIENCE_MS,
      onOutput: () => undefined,
    };
    expect(await runProcess(options)).toMatchObject({ ended: "not-started", error: { code: "ENOENT" } });
    expect(await runProcess({ ...options, file: "true", cwd: "/no/such/folder" })).toMatchObject({
      ended: "not-started",
    });
    expect(await runProcess({ ...options, file: "true", args: ["a\0b"] })).toMatchObject({ ended: "not-started" });
  });

  it("the end by a signal is told", async () => {
    const { running } = shell("kill -9 $$");
    expect(await running).toMatchObject({ ended: "exit", exitCode: null, signal: "SIGKILL" });
  });
});

describe("S37 S40 the environment of a child", () => {
  const given = {
    PATH: "/bin",
    HOME: "/home/u",
    ANTHROPIC_API_KEY: "k1",
    OPENAI_API_KEY: "k2",
    GEMINI_API_KEY: "k3",
    github_token: "k4",
    AWS_SECRET_ACCESS_KEY: "k5",
    DB_PASSWORD: "k6",
    GOOGLE_APPLICATION_CREDENTIALS: "k7",
    BASH_ENV: "/tmp/evil",
    ENV: "/tmp/evil",
    "BASH_FUNC_ls%%": "() { evil; }",
    PROMPT_COMMAND: "evil",
    IFS: "x",
    SSH_ASKPASS: "evil",
    FORCE_COLOR: "1",
  };

  it("holds no credentials and nothing that a shell runs first", () => {
    const env = childEnv(given);
    expect(Object.values(env).filter((value) => /^k\d$|evil/.test(value ?? ""))).toEqual([]);
    expect(env).toMatchObject({ PATH: "/bin", HOME: "/home/u", GIT_TERMINAL_PROMPT: "0", NO_COLOR: "1", PAGER: "cat" });
    expect("FORCE_COLOR" in env || "IFS" in env).toBe(false);
  });

  it.skipIf(!onLinux)("bash reads no start-up file, and the job variable is the only addition", async () => {
    const { running, output } = shell("env | cut -d= -f1 | sort", {
      env: childEnv({ ...given, PATH: process.env["PATH"] }),
    });
    await running;
    const names = output()
      .trim()
      .split("\n")
      .filter((name) => !["_", "PWD", "SHLVL", "OLDPWD"].includes(name));
    expect(names).toEqual([...Object.keys(childEnv(given)), JOB_VARIABLE].sort());
  });
});
