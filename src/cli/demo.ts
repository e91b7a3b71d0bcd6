/** `ttsr-agent demo` */
import type { ExitCode } from "../platform/errors.js";
import { openDemo } from "./open-demo.js";

export interface DemoOptions {
  /** Without the waits. */
  fast: boolean;
  print: boolean;
}

export async function runDemo({ fast, print }: DemoOptions): Promise<ExitCode> {
  if (!print) {
    const { startDemo } = await import("./interactive.js");
    return startDemo(fast);
  }
  const { prompt, greeting, session } = await openDemo({ fast });
  for (const line of greeting) process.stderr.write(`${line}\n`);
  const { runPrint } = await import("../modes/print/index.js");
  return runPrint(session, prompt, "text", { stdout: process.stdout, stderr: process.stderr });
}
