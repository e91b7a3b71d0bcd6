import type { Command } from "commander";
import { loadCapability, type RuleSet } from "../../capability/index.js";
import { loadSettings } from "../../config/settings.js";
import { TrustStore } from "../../config/trust.js";
import { registerRuleProviders } from "../../discovery/index.js";
import { type ExitCode, UserError } from "../../platform/errors.js";
import { projectRoot } from "../../platform/project-root.js";
import { registerRules, ruleNotices } from "../../session/rule-statuses.js";
import { TtsrManager } from "../../ttsr/manager.js";
import { systemDirs } from "../dirs.js";
import { printJson, printLine, printTable } from "../output.js";

/** `ttsr-agent rules` */
export function addRules(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command("rules")
    .description("the rules that would hold in this folder")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules trust");
  command
    .command("list", { isDefault: true })
    .description("every rule file that is seen, and what became of it")
    .option("--json", "as JSON")
    .option("--trust", "as if this folder were trusted")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules list --json")
    .action(async ({ json, trust }: { json?: boolean; trust?: boolean }) => {
      await list(json === true, trust === true);
      done(0);
    });
  command
    .command("trust")
    .description("accept this repository's rules, settings and context files as they are now")
    .option("--revoke", "take it back")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules trust")
    .action(async ({ revoke }: { revoke?: boolean }) => {
      await trust(revoke === true);
      done(0);
    });
}

async function found(trusted: boolean): Promise<RuleSet> {
  registerRuleProviders();
  const { settings } = loadSettings({ cwd: process.cwd(), dirs: systemDirs(), trusted });
  const { builtinRules, disabledRules } = settings.ttsr;
  return loadCapability("rules", {
    cwd: process.cwd(),
    dirs: systemDirs(),
    trusted,
    builtinRules,
    disabledRules: { names: disabledRules, byProject: false },
  });
}

async function list(json: boolean, trusted: boolean): Promise<void> {
  const set = await found(trusted);
  const { settings } = loadSettings({ cwd: process.cwd(), dirs: systemDirs() });
  const manager = new TtsrManager(settings.ttsr);
  const always = new Set(set.items.filter((rule) => rule.alwaysApply).map((rule) => rule.path));
  const statuses = registerRules(set, manager).map((rule) => ({ ...rule, alwaysApply: always.has(rule.path) }));
  if (json) {
    printJson(statuses);
    return;
  }
  if (statuses.length === 0) printLine("No rules. Put one into .rules/NAME.md; the README shows how.");
  printTable(
    statuses.map(({ state, name, provider, reason, description }) => [state, name, provider, reason ?? description]),
  );
  for (const { code, message } of ruleNotices(set, manager)) if (code !== "rules-untrusted") printLine(`\n${message}`);
}

async function trust(revoke: boolean): Promise<void> {
  const store = new TrustStore(systemDirs().state);
  const root = projectRoot(process.cwd());
  if (revoke) {
    if (!store.revoke(root))
      throw new UserError("not-trusted", `${root} is not trusted, so there is nothing to take back.`, 1);
    printLine(`${root} is not trusted any more.`);
    return;
  }
  const set = await found(true);
  const rules = [set.items, set.off, set.broken, set.shadowed]
    .flat()
    .map((each) => ("rule" in each ? each.rule : each))
    .filter((rule) => rule.provider === "project");
  store.trust(root, rules);
  printLine(`${root} is trusted with ${rules.length} ${rules.length === 1 ? "rule" : "rules"} as they are now.`);
}
