import type { Command } from "commander";
import type { ExitCode } from "../../../platform/errors.js";
import { ruleNotices } from "../../../session/rule-statuses.js";
import { printJson, printLine, printTable } from "../../output.js";
import { loadRules } from "./load.js";

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
  printTable(
    statuses.map(({ state, name, provider, reason, description }) => [state, name, provider, reason ?? description]),
  );
  for (const { code, message } of ruleNotices(set, manager)) if (code !== "rules-untrusted") printLine(`\n${message}`);
}
