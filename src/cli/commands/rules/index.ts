/** `ttsr-agent rules`: one file a subcommand, all of the same shape. */
import type { Command } from "commander";
import type { ExitCode } from "../../../platform/errors.js";
import { addBacktest } from "./backtest.js";
import { addCheck } from "./check.js";
import { addList } from "./list.js";
import { addScan } from "./scan.js";
import { addShow } from "./show.js";
import { addTest } from "./test.js";
import { addTrust } from "./trust.js";

const SUBCOMMANDS = [addList, addShow, addCheck, addTest, addScan, addBacktest, addTrust];

export function addRules(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command("rules")
    .description("the rules that would hold in this folder")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules check");
  for (const add of SUBCOMMANDS) add(command, done);
}
