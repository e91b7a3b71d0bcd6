import { join, sep } from "node:path";
import type { Command } from "commander";
import type { RuleState } from "../../../capability/rule.js";
import type { ExitCode } from "../../../platform/errors.js";
import { type BareStatus, ruleNotices } from "../../../session/rule-statuses.js";
import type { TtsrManager } from "../../../ttsr/manager.js";
import { remarksOnScope } from "../../../ttsr/proving/scope-tools.js";
import { count, onOneLine, printJson, printLine, printTable } from "../../output.js";
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
    printJson(
      statuses.map((rule) => {
        const tier = tierOf(rule, manager);
        return { ...rule, alwaysApply: always.has(rule.path), ...(tier === undefined ? {} : { tier }) };
      }),
    );
    return;
  }
  if (statuses.length === 0) printLine("No rules. Put one into .rules/NAME.md; the README shows how.");
  else {
    const room = roomForWords(statuses);
    printTable(statuses.map((rule) => [rule.state, rule.name, rule.provider, aboutRule(rule, manager, room)]));
    printLine(`\n${summary(statuses)}`);
  }
  if (set.untrusted.length > 0) {
    printLine('\nUntrusted rules do not act; "ttsr-agent rules trust" accepts them as they are now.');
  }
  for (const { code, message } of ruleNotices(set, manager))
    if (code !== "rules-untrusted") printLine(`\n${onOneLine(fromHere(message))}`);
  const lab = openLab();
  for (const { path, message, suggestion = "" } of set.items.flatMap((rule) => remarksOnScope(rule, lab)))
    printLine(`\n${onOneLine(fromHere(path))}: ${onOneLine(message)} ${suggestion}`.trimEnd());
}

/** @param text that begins with a path. @returns with the path from the working folder, where it is below it */
function fromHere(text: string): string {
  const here = join(process.cwd(), sep);
  return text.startsWith(here) ? text.slice(here.length) : text;
}

/** Of two rules of one name only the one that acts has a tier. */
function tierOf({ name, state }: BareStatus, manager: TtsrManager): 1 | 2 | undefined {
  return state === "armed" || state === "observe" ? manager.tierOf(name) : undefined;
}

/** Columns below which a description is no longer worth much. */
const FEW = 20;

/** @returns columns that a terminal has left for the descriptions; what is piped is for programs, and whole */
function roomForWords(statuses: readonly BareStatus[]): number {
  const { isTTY, columns } = process.stdout;
  const taken = (["state", "name", "provider"] as const).map((key) => {
    return Math.max(...statuses.map((rule) => rule[key].length)) + 2;
  });
  const room = columns - taken.reduce((sum, width) => sum + width, 0);
  return isTTY && room >= FEW ? room : Number.POSITIVE_INFINITY;
}

/** What does not act says why, and what is broken shows its pattern: it may be a rule that nobody has open. */
function aboutRule(rule: BareStatus, manager: TtsrManager, room: number): string {
  const { state, reason, description, triggers } = rule;
  if (reason !== undefined)
    return state === "broken" && triggers.length > 0 ? `${reason} (${triggers.join("  ")})` : reason;
  const tier = tierOf(rule, manager) === 2 ? " [tier 2: tried in a worker]" : "";
  const least = Math.max(FEW, room - tier.length);
  return `${description.length > least ? `${description.slice(0, least - 1)}…` : description}${tier}`.trim();
}

const STATES: readonly RuleState[] = ["armed", "observe", "advice", "broken", "untrusted", "off", "shadowed"];

/** @returns as in "3 rules: 2 armed, 1 broken." */
function summary(statuses: readonly BareStatus[]): string {
  const parts = STATES.flatMap((state) => {
    const number = statuses.filter((rule) => rule.state === state).length;
    return number === 0 ? [] : [`${number} ${state}`];
  });
  return `${count(statuses.length, "rule")}: ${parts.join(", ")}.`;
}
