/** The subcommands. Each is one file with the same shape; adding one is adding it to this list. */
import type { Command } from "commander";
import type { ExitCode } from "../../platform/errors.js";
import { addConfig } from "./config.js";
import { addDemo } from "./demo.js";
import { addDoctor } from "./doctor.js";
import { addModels } from "./models.js";
import { addRules } from "./rules/index.js";
import { addSessions } from "./sessions.js";

const SUBCOMMANDS = [addConfig, addDemo, addDoctor, addModels, addRules, addSessions];

/** @param done takes the exit code of the subcommand that ran */
export function addSubcommands(program: Command, done: (code: ExitCode) => void): void {
  for (const add of SUBCOMMANDS) add(program, done);
}
