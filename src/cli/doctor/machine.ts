/** Node, the folders, the settings, and the programs that are used. */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { loadSettings } from "../../config/settings.js";
import { TrustStore } from "../../config/trust.js";
import { childEnv } from "../../platform/child-env.js";
import { reasonOf } from "../../platform/errors.js";
import { runProcess } from "../../platform/process.js";
import { projectRoot, repositoryRoot } from "../../platform/project-root.js";
import { type Check, fail, ok, warn } from "./check.js";
import type { CheckContext } from "./context.js";

const NODE = [20, 19] as const;
const PROGRAM_MS = 5_000;

export function checkNode({ nodeVersion }: CheckContext): Check[] {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const old = major < NODE[0] || (major === NODE[0] && minor < NODE[1]);
  return old ? [fail("node", nodeVersion, `Install Node ${NODE.join(".")} or newer.`)] : [ok("node", nodeVersion)];
}

export function checkFolders({ cwd, env, dirs }: CheckContext): Check[] {
  const checks: Check[] = [];
  try {
    mkdirSync(dirs.state, { recursive: true });
    accessSync(dirs.state, constants.W_OK);
    checks.push(ok("state", dirs.state));
  } catch (error) {
    checks.push(
      fail("state", reasonOf(error), `Sessions are kept in ${dirs.state}; make it writable, or set TTSR_AGENT_STATE.`),
    );
  }
  try {
    const trusted = new TrustStore(dirs.state).knows(projectRoot(cwd));
    const { notices } = loadSettings({ cwd, env, dirs, trusted });
    const [notice] = notices;
    const place = existsSync(dirs.config) ? dirs.config : `${dirs.config} (not there; all defaults)`;
    checks.push(
      notice
        ? warn("settings", notice.message, "`ttsr-agent config get --show-origin` shows what holds.")
        : ok("settings", place),
    );
  } catch (error) {
    checks.push(fail("settings", reasonOf(error), "Mend that line and look again."));
  }
  return checks;
}

export async function checkPrograms(context: CheckContext): Promise<Check[]> {
  return [await git(context), await search(context), await sandbox(context)];
}

async function git(context: CheckContext): Promise<Check> {
  const version = await firstLine(context, "git", ["--version"]);
  if (version === undefined)
    return warn("git", "not found", "Install git: without it there is no diff, and no way back to a commit.");
  const root = repositoryRoot(context.cwd);
  const commit = root === undefined ? undefined : await firstLine(context, "git", ["rev-parse", "--short", "HEAD"]);
  if (root === undefined)
    return warn(
      "git",
      `${version.replace("git version ", "")}; this folder is no repository`,
      "`git init` and a commit make every change of the agent one that can be taken back.",
    );
  if (commit === undefined)
    return warn("git", "this repository has no commit yet", "Commit once, so that there is something to go back to.");
  return ok("git", `${version.replace("git version ", "")}, ${root} at ${commit}`);
}

async function search(context: CheckContext): Promise<Check> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    const version = await firstLine(context, rgPath, ["--version"]);
    if (version !== undefined) return ok("search", version);
  } catch {
    // Told below: the search of our own takes its place.
  }
  return warn(
    "search",
    "ripgrep cannot be started; a slower search of our own is used",
    "Install the package again: npm ci",
  );
}

/** Which programs could shut a command in. */
async function sandbox(context: CheckContext): Promise<Check> {
  const advice = "Commands run with your rights: keep the permission mode at ask, or work in a container.";
  if (process.platform === "linux") {
    const found = await firstLine(context, "bwrap", ["--version"]);
    return warn("sandbox", `commands are not shut in (${found ?? "no bubblewrap"})`, advice);
  }
  return warn("sandbox", "commands are not shut in", advice);
}

/** @returns the first line that a program prints; undefined where it is not there or fails */
async function firstLine(
  { cwd, env, clock }: CheckContext,
  file: string,
  args: readonly string[],
): Promise<string | undefined> {
  let text = "";
  const { ended, exitCode } = await runProcess({
    file,
    args,
    cwd: existsSync(cwd) ? cwd : dirname(cwd),
    env: childEnv(env),
    signal: new AbortController().signal,
    timeoutMs: PROGRAM_MS,
    clock,
    onOutput: (chunk, from) => {
      if (from === "stdout" && text.length < 4096) text += chunk.toString("utf8");
    },
  });
  return ended === "exit" && exitCode === 0 ? (text.split("\n", 1)[0] ?? "").trim() : undefined;
}
