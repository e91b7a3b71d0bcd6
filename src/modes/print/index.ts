/** The headless face: answers and exits. Standard output holds the answer (or JSON) and nothing else. */
import type { AgentEvent, RunStatus } from "../../agent/events.js";
import type { ExitCode } from "../../platform/errors.js";
import { sanitizeTerminal } from "../../platform/sanitize-terminal.js";
import type { AgentSession, RunSummary } from "../../sdk.js";
import { noticeOf } from "./notices.js";

export type OutputFormat = "text" | "json" | "stream-json";

export const OUTPUT_FORMATS: readonly OutputFormat[] = ["text", "json", "stream-json"];

export interface PrintStreams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** `-v`. */
  verbose?: boolean;
}

const EXIT: Readonly<Record<RunStatus, ExitCode>> = { ok: 0, error: 1, budget: 4, denied: 5, aborted: 130 };

/**
 * Sends one prompt and writes what comes of it.
 * @returns the exit code of `cli.md`; a rule's interrupt that was followed by a good answer is 0
 */
export async function runPrint(
  session: AgentSession,
  prompt: string,
  format: OutputFormat,
  { stdout, stderr, verbose = false }: PrintStreams,
): Promise<ExitCode> {
  let readerGone = false;
  // `… | head -1`: the reader has what it wanted. Stop quietly; the session is saved.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    readerGone = true;
    session.abort();
  });
  const write = (value: unknown): void => {
    if (!readerGone) stdout.write(`${JSON.stringify(value)}\n`);
  };

  const listen = (event: AgentEvent): void => {
    if (format === "stream-json") {
      write(event);
      return;
    }
    const line = noticeOf(event, verbose);
    if (line !== undefined) stderr.write(`${line}\n`);
  };
  session.subscribe(listen);
  if (format === "stream-json") {
    const { provider, model } = session.state.model;
    write({ type: "session", id: session.id, cwd: session.cwd, model: `${provider}/${model}` });
  }
  for (const notice of session.startNotices) listen(notice);

  const summary = await session.prompt(prompt);
  if (format === "text") {
    if (summary.text !== "" && !readerGone)
      stdout.write(`${stdout.isTTY ? sanitizeTerminal(summary.text) : summary.text}\n`);
  } else {
    const result = {
      type: "result",
      status: summary.status,
      text: summary.text,
      usage: summary.usage,
      ttsr: summary.ttsr,
      denials: summary.denials,
    };
    const reason = summary.error ? { error: summary.error } : {};
    write(format === "json" ? { ...result, ...reason, sessionId: session.id } : { ...result, ...reason });
  }
  if (summary.error) stderr.write(`${sanitizeTerminal(errorLine(summary.error))}\n`);
  await session.dispose();
  if (!readerGone) await drained(stdout);
  return readerGone ? 0 : exitCodeOf(summary);
}

function exitCodeOf(summary: RunSummary): ExitCode {
  return summary.status === "error" && summary.error?.code === "auth" ? 3 : EXIT[summary.status];
}

function errorLine(error: { message: string; requestId?: string }): string {
  return error.requestId === undefined ? error.message : `${error.message} (request ${error.requestId})`;
}

/** A pipe takes what is written later; the process must not end before. */
function drained(stdout: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stdout.write("", () => resolve());
  });
}
