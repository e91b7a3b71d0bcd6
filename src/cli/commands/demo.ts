import type { Command } from "commander";
import type { ExitCode } from "../../platform/errors.js";

/** `ttsr-agent demo` */
export function addDemo(program: Command, done: (code: ExitCode) => void): void {
  program
    .command("demo")
    .description("watch a rule interrupt a scripted model: offline, in a folder of its own")
    .option("--fast", "without the waits")
    .option("-p, --print", "without a terminal interface")
    .addHelpText("after", "\nExample:\n  ttsr-agent demo --fast -p")
    .action(async ({ fast, print }: { fast?: boolean; print?: boolean }) => {
      const { runDemo } = await import("../demo.js");
      const terminal = process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb";
      done(await runDemo({ fast: fast === true, print: print === true || !terminal }));
    });
}
