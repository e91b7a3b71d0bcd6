import type { Command } from "commander";
import type { ExitCode } from "../../../platform/errors.js";
import { type BareStatus, ruleNotices } from "../../../session/rule-statuses.js";
import { remarksOnScope } from "../../../ttsr/proving/scope-tools.js";
import { printJson, printLine, printTable } from "../../output.js";
import { loadRules, openLab } from "./load.js";

/** `ttsr-agent rules list` */
export function addList(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("list", { isDefault: true })
    .description("every rule file that is seen, and what became of it")
    .option("--json", "as JSON")
    .option("--trust", "as if this folder were trusted")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules list --json")
    .action(async ({ json, trust }: { json?: boolean; trust?: boolean }) => {
      await list(json === true, trust === true);
      done(0);
    });
}

async function list(json: boolean, trusted: boolean): Promise<void> {
  const { set, manager, statuses } = await loadRules({ trusted });
  const always = new Set(set.items.filter((rule) => rule.alwaysApply).map((rule) => rule.path));
  if (json) {
    printJson(statuses.map((rule) => ({ ...rule, alwaysApply: always.has(rule.path) })));
    return;
  }
  if (statuses.length === 0) printLine("No rules. Put one into .rules/NAME.md; the README shows how.");
  printTable(statuses.map((rule) => [rule.state, rule.name, rule.provider, aboutRule(rule)]));
  if (set.untrusted.length > 0) {
    printLine('\nUntrusted rules do not act; "ttsr-agent rules trust" accepts them as they are now.');
  }
  for (const { code, message } of ruleNotices(set, manager)) if (code !== "rules-untrusted") printLine(`\n${message}`);
  const lab = openLab();
  for (const { path, message } of set.items.flatMap((rule) => remarksOnScope(rule, lab)))
    printLine(`\n${path}: ${message}`);
}

/** What does not act says why, and what is broken shows its pattern: it may be a rule that nobody has open. */
function aboutRule({ state, reason, description, triggers }: BareStatus): string {
  if (reason === undefined) return description;
  return state === "broken" && triggers.length > 0 ? `${reason} (${triggers.join("  ")})` : reason;
}
