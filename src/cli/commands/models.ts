import type { Command } from "commander";
import { listModels } from "../../models/index.js";
import { systemClock } from "../../platform/clock.js";
import type { ExitCode } from "../../platform/errors.js";
import { systemDirs } from "../dirs.js";
import { printJson, printLine, printTable } from "../output.js";

/** `ttsr-agent models` */
export function addModels(program: Command, done: (code: ExitCode) => void): void {
  program
    .command("models")
    .description("the models that can be named after --model")
    .option("--all", "also those that no key or server is there for")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ttsr-agent models --all")
    .action(async ({ all, json }: { all?: boolean; json?: boolean }) => {
      const list = await listModels({ env: process.env, dirs: systemDirs(), fetch, clock: systemClock });
      const shown = list.models.filter((model) => all || model.ready);
      if (json) {
        printJson({ ...list, models: shown });
      } else {
        printTable(
          shown.map((model) => [
            model.spec,
            tokens(model.contextWindow),
            model.ready ? model.name : (model.missing ?? ""),
          ]),
        );
        if (!all) printLine("\n--all shows the others, and what each needs.");
      }
      done(0);
    });
}

function tokens(window: number | undefined): string {
  return window === undefined ? "" : `${Math.round(window / 1000)}k`;
}
