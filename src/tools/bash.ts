import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import * as v from "valibot";
import type { Tool, ToolContext, ToolResult } from "../agent/ports.js";
import { childEnv } from "../platform/child-env.js";
import { systemClock } from "../platform/clock.js";
import { reasonOf } from "../platform/errors.js";
import { errorCode } from "../platform/paths.js";
import { type RunResult, runShell } from "../platform/process.js";
import { revealControls } from "../platform/sanitize-terminal.js";
import { validateWith } from "./arguments.js";
import description from "./bash.md";
import type { ToolDeps } from "./deps.js";
import { type KeptOutput, OutputKeeper } from "./output-keeper.js";

const MAX_TIMEOUT_S = 3600;
/** Between two updates of the running output. */
const UPDATE_MS = 100;
const UPDATE_LINES = 20;

export const bashArguments = v.strictObject({
  command: v.pipe(v.string(), v.minLength(1)),
  timeout: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_TIMEOUT_S))),
  description: v.optional(v.string()),
});
type BashArguments = v.InferOutput<typeof bashArguments>;

export function createBashTool(deps: ToolDeps): Tool<BashArguments> {
  return {
    name: "bash",
    description: description.trim(),
    readOnly: false,
    authored: [{ kind: "text", argument: "command" }],
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1 },
        timeout: { type: "integer", minimum: 1, maximum: MAX_TIMEOUT_S },
        description: { type: "string", description: "What it does, in a few words" },
      },
      required: ["command"],
      additionalProperties: false,
    },
    validate: (args) => validateWith(bashArguments, args),
    describe({ command }) {
      const lines = command.trim().split("\n");
      const more = lines.length > 1 ? ` … (${lines.length} lines)` : "";
      // The command itself, never the model's words about it.
      const title = `Run ${revealControls(lines[0] ?? "")}${more}`;
      return Promise.resolve({ kind: "command", title, paths: [], command });
    },
    execute: (args, context) => run(args, context, deps),
  };
}

async function run(args: BashArguments, context: ToolContext, deps: ToolDeps): Promise<ToolResult> {
  const clock = deps.clock ?? systemClock;
  const seconds = args.timeout ?? Math.min(deps.bash.timeoutSeconds, MAX_TIMEOUT_S);
  const output = new OutputKeeper(deps.spillDir, `bash-${randomUUID()}.txt`);
  const updates = throttled(clock, () => context.update(output.newest(UPDATE_LINES)));
  try {
    const result = await runShell(args.command, {
      cwd: context.cwd,
      env: childEnv(deps.env ?? process.env),
      signal: context.signal,
      timeoutMs: seconds * 1000,
      clock,
      onOutput(chunk) {
        output.push(chunk);
        updates.request();
      },
    });
    return resultOf(result, output.finish(), seconds, context.cwd);
  } finally {
    updates.stop();
  }
}

function resultOf(result: RunResult, output: KeptOutput, seconds: number, cwd: string): ToolResult {
  const notes: string[] = [];
  switch (result.ended) {
    case "not-started":
      notes.push(`[The command did not start: ${whyNotStarted(result.error, cwd)}]`);
      break;
    case "aborted":
      notes.push("[Interrupted by the user; the command was killed.]");
      break;
    case "timeout":
      notes.push(
        `[Killed: it did not end within ${seconds} s. If it needs longer, set timeout (at most ${MAX_TIMEOUT_S}).]`,
      );
      break;
    case "exit":
      if (result.signal !== null) notes.push(`[Ended by ${result.signal}.]`);
      else if (result.exitCode !== 0) notes.push(`[Exit code ${result.exitCode}.]`);
  }
  if (result.stillRunning.length > 0) {
    notes.push(
      `[Still running in the background: pid ${result.stillRunning.slice(0, 10).join(", ")}. Its later output is not kept.]`,
    );
  }
  if (output.file !== undefined) notes.push(`[All ${output.total} bytes of output: ${output.file}]`);
  if (output.note !== undefined) notes.push(`[${output.note}]`);
  const text = [output.text, ...notes].filter((part) => part !== "").join("\n");
  return {
    content: [{ type: "text", text: text === "" ? "(no output)" : text }],
    isError: result.ended !== "exit" || result.exitCode !== 0,
    ...(result.exitCode === null ? {} : { details: { exitCode: result.exitCode } }),
  };
}

function whyNotStarted(error: Error | undefined, cwd: string): string {
  if (errorCode(error) === "ENOENT") {
    return existsSync(cwd)
      ? "there is no bash on this machine."
      : `the working folder "${cwd}" does not exist any more.`;
  }
  return errorCode(error) === "E2BIG" ? "it is too long; put it into a file." : reasonOf(error);
}

/** At once, then at most every UPDATE_MS, the last one always. */
function throttled(clock: NonNullable<ToolDeps["clock"]>, run: () => void): { request(): void; stop(): void } {
  let last = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  const fire = (): void => {
    cancel = undefined;
    last = clock.now();
    run();
  };
  return {
    request() {
      if (cancel) return;
      const wait = last + UPDATE_MS - clock.now();
      if (wait <= 0) fire();
      else cancel = clock.after(wait, fire);
    },
    stop() {
      cancel?.();
    },
  };
}
