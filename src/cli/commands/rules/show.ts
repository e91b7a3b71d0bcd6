import type { Command } from "commander";
import type { ExitCode } from "../../../platform/errors.js";
import { proveRule } from "../../../ttsr/proving/prove.js";
import { printLine } from "../../output.js";
import { loadRules, openLab } from "./load.js";
import { ruleNamed } from "./named.js";

/** `ttsr-agent rules show` */
export function addShow(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("show")
    .description("one rule: what it looks for and where, what is wrong with it, and what its examples say")
    .argument("<rule>", "its name, or its file")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules show no-eval")
    .action(async (word: string) => {
      await show(word);
      done(0);
    });
}

async function show(word: string): Promise<void> {
  const { set, manager, statuses } = await loadRules({ trusted: true });
  const rule = ruleNamed(word, set);
  const status = statuses.find(({ path }) => path === rule.path);
  printLine(
    `${rule.name}${status === undefined ? "" : `  ${status.state}${status.reason ? ` (${status.reason})` : ""}`}`,
  );
  printLine(rule.path);
  if (rule.description) printLine(`\n${rule.description}`);
  printLine(
    `\nlooks at: ${rule.scope.join(", ") || "text, tool"}${rule.globs.length > 0 ? ` of ${rule.globs.join(", ")}` : ""}`,
  );
  for (const trigger of rule.ttsrTrigger) printLine(`fires on: ${trigger}`);
  if (rule.instead) printLine(`instead:  ${rule.instead}`);
  const told = [...set.diagnostics, ...manager.diagnostics()].filter(({ path }) => path === rule.path);
  for (const { severity, line, message, suggestion } of told) {
    printLine(
      `${severity}${line === undefined ? "" : ` (line ${line})`}: ${message}${suggestion ? ` ${suggestion}` : ""}`,
    );
  }
  const verdicts = await proveRule(rule, openLab(), true);
  if (verdicts.length > 0) printLine("\nexamples:");
  for (const { ok, kind, example, reason } of verdicts) {
    printLine(`  ${ok ? "ok " : "NOT"} ${kind === "fire" ? "fires on " : "silent on"} ${JSON.stringify(example.text)}`);
    if (reason !== undefined) printLine(`      ${reason}`);
  }
  printLine(`\n${rule.content.trim()}`);
}
