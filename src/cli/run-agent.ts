/** The main command: opens a session and puts the right face in front of it. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type ExitCode, UserError } from "../platform/errors.js";
import { type CreateSessionOptions, createAgentSession, type SessionUi } from "../sdk.js";
import { systemDirs } from "./dirs.js";
import { type AgentOptions, textOrFile } from "./options.js";
import { readPiped } from "./stdin.js";

/** @returns the exit code of `cli.md` */
export async function runAgent(prompt: string, options: AgentOptions): Promise<ExitCode> {
  const cwd = workingFolder(options.cwd);
  const terminal = process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb";
  const face = !options.print && terminal;
  const settled = options.resume === true ? await withSession(options, cwd, face) : options;
  return face ? interactive(prompt, settled, cwd) : headless(prompt, settled, cwd);
}

/** `-r` alone: the one that is chosen; as `-c` where there is none to choose. */
async function withSession({ resume: _, ...options }: AgentOptions, cwd: string, terminal: boolean) {
  const { chooseSession } = await import("./choose-session.js");
  const id = await chooseSession(systemDirs().state, cwd, terminal);
  return id === undefined ? { ...options, continue: true } : { ...options, resume: id };
}

async function headless(prompt: string, options: AgentOptions, cwd: string): Promise<ExitCode> {
  const piped = (await readPiped(process.stdin, prompt === "")).trim();
  const whole = [prompt, piped].filter((part) => part !== "").join("\n\n");
  if (whole === "") {
    throw new UserError("no-prompt", 'There is no prompt; give one, as in: ttsr-agent -p "explain this folder".', 2);
  }
  const session = await createAgentSession(toSessionOptions(options, cwd));
  const { runPrint } = await import("../modes/print/index.js");
  const stop = (): void => session.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  process.once("SIGHUP", stop);
  return runPrint(session, whole, options.outputFormat, {
    stdout: process.stdout,
    stderr: process.stderr,
    verbose: options.verbose === true,
  });
}

async function interactive(prompt: string, options: AgentOptions, cwd: string): Promise<ExitCode> {
  const { startInteractive } = await import("./interactive.js");
  return startInteractive({
    prompt,
    start: (ui: SessionUi) => createAgentSession({ ...toSessionOptions(options, cwd), ui }),
    orDemo: prompt === "" && options.model === undefined && !options.continue && options.resume === undefined,
    cwd,
    overrides: options.set ?? [],
  });
}

/** The flags as the sdk takes them. */
export function toSessionOptions(options: AgentOptions, cwd: string): CreateSessionOptions {
  const { rules, tools } = options;
  return {
    cwd,
    settings: options.set,
    allow: options.allow,
    deny: options.deny,
    trust: options.trust === true,
    session: {
      persist: options.session,
      ...(options.continue ? { continue: true } : {}),
      ...(typeof options.resume === "string" ? { resume: options.resume } : {}),
    },
    rules: {
      off: rules === false,
      dirs: Array.isArray(rules) ? rules.map((dir) => resolve(cwd, dir)) : [],
      bundled: options.builtinRules,
    },
    ...(tools === false
      ? { tools: [] }
      : typeof tools === "string"
        ? { tools: tools.split(",").map((name) => name.trim()) }
        : {}),
    limits: {
      ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
      ...(options.maxCost === undefined ? {} : { maxCost: options.maxCost }),
      ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1000 }),
    },
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.thinking === undefined ? {} : { thinking: options.thinking }),
    ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
    ...(options.systemPrompt === undefined
      ? {}
      : { systemPrompt: textOrFile(options.systemPrompt, "--system-prompt", cwd) }),
    ...(options.appendSystemPrompt === undefined
      ? {}
      : { appendSystemPrompt: textOrFile(options.appendSystemPrompt, "--append-system-prompt", cwd) }),
  };
}

function workingFolder(dir: string | undefined): string {
  const cwd = resolve(dir ?? ".");
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError("bad-flag", `--cwd names ${cwd}, which is not a folder.`, 2);
  }
  return cwd;
}
