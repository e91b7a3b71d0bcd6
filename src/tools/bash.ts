import { randomBytes } from "node:crypto";
import * as v from "valibot";
import type { Tool, ToolResult } from "../agent/ports.js";
import { childEnv } from "../platform/child-env.js";
import { systemClock } from "../platform/clock.js";
import { type RunResult, runShell } from "../platform/process.js";
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";
import { errorResult, validateWith } from "./arguments.js";
import description from "./bash.md";
import type { ToolDeps } from "./deps.js";
import { type OutputText, OutputWindow } from "./output-window.js";

/** Seconds. */
const LONGEST = 3600;
/** Progress is told at most so often. Milliseconds. */
const UPDATE_EVERY_MS = 100;
const LATEST_BYTES = 4096;

export const bashArguments = v.strictObject({
  command: v.pipe(v.string(), v.minLength(1)),
  timeout: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST))),
});
type BashArguments = v.InferOutput<typeof bashArguments>;

export function createBashTool(deps: ToolDeps): Tool<BashArguments> {
  const clock = deps.clock ?? systemClock;
  return {
    name: "bash",
    description: description.trim(),
    readOnly: false,
    authored: [{ kind: "text", argument: "command" }],
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1 },
        timeout: { type: "integer", minimum: 1, maximum: LONGEST, description: "Seconds" },
      },
      required: ["command"],
      additionalProperties: false,
    },
    validate: (args) => validateWith(bashArguments, args),
    async describe({ command }) {
      return { kind: "command", title: "Run a command", paths: [], command };
    },
    async execute({ command, timeout }, { cwd, signal, update }) {
      const seconds = timeout ?? deps.bash.timeoutSeconds;
      const output = new OutputWindow(deps.spillDir, `${randomBytes(6).toString("hex")}.log`);
      let told = Number.NEGATIVE_INFINITY;
      const result = await runShell(command, {
        cwd,
        env: childEnv(deps.env ?? process.env),
        signal,
        timeoutMs: seconds * 1000,
        clock,
        onOutput(chunk) {
          output.push(chunk);
          if (clock.now() - told < UPDATE_EVERY_MS) return;
          told = clock.now();
          update(sanitizeTerminal(output.latest(LATEST_BYTES)));
        },
      });
      return toResult(result, output.finish(), seconds);
    },
  };
}

function toResult(run: RunResult, output: OutputText, seconds: number): ToolResult {
  const text = sanitizeTerminal(output.text).trimEnd();
  const notes = [...notesOf(run, seconds)];
  if (output.file !== undefined) notes.push(`[The whole output is in ${output.file}; read it with offset and limit.]`);
  if (output.lost !== undefined) notes.push(`[The whole output could not be kept: ${output.lost}.]`);
  const whole = [text, ...notes].filter((part) => part !== "").join("\n");
  if (run.ended !== "exit" || run.exitCode !== 0) {
    return { ...errorResult(whole), ...(run.exitCode === null ? {} : { details: { exitCode: run.exitCode } }) };
  }
  return { content: [{ type: "text", text: whole || "(no output)" }], isError: false, details: { exitCode: 0 } };
}

function* notesOf(run: RunResult, seconds: number): Generator<string> {
  switch (run.ended) {
    case "not-started":
      yield `[The command could not be started: ${run.error?.message ?? "unknown reason"}.]`;
      break;
    case "aborted":
      yield "[Interrupted by the user; the command was killed.]";
      break;
    case "timeout":
      yield `[Killed after ${seconds} s. Give a longer timeout (at most ${LONGEST}), or make the command shorter.]`;
      break;
    case "exit":
      if (run.signal !== null) yield `[Ended by ${run.signal}.]`;
      else if (run.exitCode !== 0) yield `[Exit code ${run.exitCode}.]`;
      break;
  }
  if (run.ended === "exit" && run.stillRunning.length > 0) {
    yield `[Still running in the background: ${run.stillRunning.join(", ")}. Killed when this program ends.]`;
  }
}
