/** argv → a mode or a subcommand. The only place that ends the process. */
import { Command, CommanderError } from "commander";
import { type ExitCode, reasonOf, UserError } from "../platform/errors.js";
import { errorCode } from "../platform/paths.js";
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";
import { addSubcommands } from "./commands/index.js";
import { type AgentOptions, addAgentOptions } from "./options.js";
import { runAgent } from "./run-agent.js";
import { settleWords } from "./words.js";

declare const __VERSION__: string;

/** Runs the program. Sets the exit code; every failure that a user can meet is one sentence on standard error. */
export async function main(argv: readonly string[]): Promise<void> {
  // `… | head -1`: the reader has what it wanted; there is nothing to report and nobody to report to.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A face that is at work has something to save first, and listens itself.
    if (process.stdout.listenerCount("error") > 1) return;
    if (error.code === "EPIPE") process.exit(0);
    process.exit(report(error));
  });
  // What cannot be told cannot be told; the exit code stands.
  process.stderr.on("error", () => undefined);
  try {
    const code = await dispatch(argv);
    process.exitCode = code;
    // Timers of libraries, a pipe that nobody closes: the work is done, and what was written has been taken.
    await flushed(process.stdout);
    process.exit(code);
  } catch (error) {
    await flushed(process.stdout);
    process.exit(report(error));
  }
}

async function dispatch(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = new Command("ttsr-agent")
    .description("A coding agent whose rules hold: a rule cuts the model off the moment it is broken.")
    .version(__VERSION__, "--version", "print the version")
    .enablePositionalOptions()
    // The longest options leave less than commander's 40 columns of 80 to their words, which it would not wrap then.
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .showSuggestionAfterError(true)
    .addHelpText("after", EXAMPLES);
  addAgentOptions(program).action(async (prompt: string[], options: AgentOptions) => {
    code = await runAgent(prompt.join(" "), options);
  });
  addSubcommands(program, (result) => {
    code = result;
  });
  const words = settleWords(program, argv);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw new UserError("usage", usageSentence(error.message, commandIn(program, words)), 2, { cause: error });
  }
  return code;
}

const EXAMPLES = `
Examples:
  ttsr-agent                          start in this folder
  ttsr-agent "fix the failing test"   start with a prompt
  ttsr-agent -p "explain src/a.ts"    answer and exit
  git diff | ttsr-agent -p "review"   standard input goes after the prompt
  ttsr-agent demo                     watch a rule cut a scripted model off`;

/** @returns as in "ttsr-agent rules test" */
function commandIn(program: Command, words: readonly string[]): string {
  const path = [program];
  for (const word of words) {
    const next = path.at(-1)?.commands.find((command) => command.name() === word);
    if (!next) break;
    path.push(next);
  }
  return path.map((command) => command.name()).join(" ");
}

function usageSentence(message: string, command: string): string {
  const plain = message
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1);
  return `${/[.!?)]$/.test(sentence) ? sentence : `${sentence}.`} See ${command} --help.`;
}

/** @returns what is to be said of a fault that is not ours: where we stand, or what we write to, is gone */
function surroundings(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  if (error.syscall === "uv_cwd") return "The working folder does not exist any more; go to another one.";
  if (error.syscall !== "write") return undefined;
  return `Standard output cannot be written (${errorCode(error) ?? reasonOf(error)}); the answer is kept in the session.`;
}

function report(error: unknown): ExitCode {
  if (error instanceof UserError) {
    // Names from files and folders stand in these sentences.
    process.stderr.write(`ttsr-agent: ${sanitizeTerminal(error.message)}\n`);
    return error.exitCode;
  }
  const broken = surroundings(error);
  if (broken !== undefined) {
    process.stderr.write(`ttsr-agent: ${broken}\n`);
    return 1;
  }
  process.stderr.write(`ttsr-agent: Something went wrong in the program: ${sanitizeTerminal(reasonOf(error))}\n`);
  if (process.env["TTSR_AGENT_DEBUG"] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return 1;
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write("", () => resolve());
  });
}
