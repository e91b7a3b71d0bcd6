/** The options of `cli.md`, read and checked. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ThinkingLevel } from "../agent/messages.js";
import { OUTPUT_FORMATS, type OutputFormat } from "../modes/print/index.js";
import { PERMISSION_MODES, type PermissionMode } from "../permissions/types.js";
import { reasonOf, UserError } from "../platform/errors.js";

export interface AgentOptions {
  print?: boolean;
  outputFormat: OutputFormat;
  model?: string;
  thinking?: ThinkingLevel;
  continue?: boolean;
  resume?: string | true;
  session: boolean;
  permissionMode?: PermissionMode;
  allow: string[];
  deny: string[];
  trust?: boolean;
  /** `--rules <dir>` gives a list, `--no-rules` gives false. */
  rules: string[] | boolean;
  builtinRules: boolean;
  set: string[];
  /** `--tools <list>` gives the text, `--no-tools` gives false. */
  tools: string | boolean;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  maxTurns?: number;
  maxCost?: number;
  timeout?: number;
  cwd?: string;
  verbose?: boolean;
}

const THINKING: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh"];

/** Adds the options of the main command. */
export function addAgentOptions(command: Command): Command {
  return command
    .argument("[prompt...]", "what to do; sent first")
    .option("-p, --print", "answer without a terminal interface and exit")
    .addOption(
      new Option("--output-format <format>", "with -p: what standard output holds")
        .choices(OUTPUT_FORMATS)
        .default("text"),
    )
    .option(
      "-m, --model <provider/model[:thinking]>",
      "e.g. anthropic/claude-sonnet-4-5:high, ollama/qwen3-coder, demo/showcase",
    )
    .addOption(new Option("--thinking <level>", "how hard the model thinks").choices(THINKING))
    .option("-c, --continue", "go on with the newest session of this folder")
    .option("-r, --resume [id]", "go on with a session: by its id, or one that you choose")
    .option("--no-session", "keep nothing on disk")
    .addOption(new Option("--permission-mode <mode>", "what runs without asking").choices(PERMISSION_MODES))
    .option(
      "--allow <pattern>",
      "a tool or command that need not ask, e.g. 'bash(npm test*)'; may be repeated",
      collect,
      [],
    )
    .option("--deny <pattern>", "a tool or command that never runs; may be repeated", collect, [])
    .option("--trust", "trust this folder's rules and settings for this run")
    .option("--rules <dir>", "a further folder of rules; may be repeated", collectRules)
    .option("--no-rules", "no rules at all")
    .option("--no-builtin-rules", "not the rules that come with the program")
    .option("--set <key=value>", "any setting, e.g. ttsr.contextMode=keep; may be repeated", collect, [])
    .option("--tools <list>", "only these tools, separated by commas")
    .option("--no-tools", "no tools at all")
    .option("--system-prompt <text|@file>", "instead of the program's own")
    .option("--append-system-prompt <text|@file>", "after the program's own")
    .option("--max-turns <n>", "end the run after so many turns", wholeNumber)
    .option("--max-cost <usd>", "end the run when it has cost so much", positive)
    .option("--timeout <seconds>", "end the run after so many seconds", positive)
    .option("-C, --cwd <dir>", "work in this folder")
    .option("-v, --verbose", "with -p: also the model that was chosen and every tool call, on standard error");
}

/** `@file` stands for the file's text. */
export function textOrFile(value: string, flag: string, cwd: string): string {
  if (!value.startsWith("@")) return value;
  const path = resolve(cwd, value.slice(1));
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new UserError("bad-flag", `${flag} names ${path}, which cannot be read: ${reasonOf(cause)}.`, 2, { cause });
  }
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

function collectRules(value: string, previous: string[] | boolean | undefined): string[] {
  return Array.isArray(previous) ? [...previous, value] : [value];
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("It takes a whole number from 1.");
  return number;
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError("It takes a number above 0.");
  return number;
}
