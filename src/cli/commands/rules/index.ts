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

const MORE = `
Examples:
  ttsr-agent rules                          every rule, and what became of it
  ttsr-agent rules check .rules/*.md        before a commit, and in CI
  ttsr-agent rules test no-eval 'eval(x)'   whether it fires there; if not, why
  ttsr-agent rules scan --format sarif      what of it is in the tree already

Exit codes: 0 done, 1 a rule is broken (check), 2 wrong usage, 6 hits (scan).`;

export function addRules(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command("rules")
    .description("the rules that would hold in this folder: which there are, whether they work, what they find")
    .addHelpText("after", MORE);
  for (const add of SUBCOMMANDS) add(command, done);
}
