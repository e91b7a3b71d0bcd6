import type { Command } from "commander";
import type { ExitCode } from "../../platform/errors.js";
import { printJson, printLine } from "../output.js";

/** `ttsr-agent doctor` */
export function addDoctor(program: Command, done: (code: ExitCode) => void): void {
  program
    .command("doctor")
    .description("check terminal, keys, servers, rules, sandbox and git; exit 1 when something must be mended")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ttsr-agent doctor")
    .action(async ({ json }: { json?: boolean }) => {
      const { checkContext, checkLines, runChecks } = await import("../doctor/index.js");
      const checks = await runChecks(checkContext(process.cwd()));
      const healthy = checks.every(({ status }) => status !== "fail");
      if (json) printJson({ ok: healthy, checks });
      else for (const line of checkLines(checks)) printLine(line);
      done(healthy ? 0 : 1);
    });
}
