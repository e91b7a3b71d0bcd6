import { relative } from "node:path";
import type { Command } from "commander";
import type { ExitCode } from "../../../platform/errors.js";
import { type CheckedRule, checkRules } from "../../../ttsr/proving/check-rules.js";
import { loadRecheck } from "../../../ttsr/proving/slow-in-regexp.js";
import { systemDirs } from "../../dirs.js";
import { count, onOneLine, printJson, printLine } from "../../output.js";
import { progressLine } from "../../progress.js";
import { loadRules, openLab } from "./load.js";
import { filesAsSet } from "./named.js";

/** Infos that are worth a line to people, too. */
const SHOWN: ReadonlySet<string> = new Set([
  "bare-tool",
  "unknown-tool",
  "unknown-argument",
  "slow-in-regexp",
  "other-agents",
  "whole-text-anchors",
]);

/** `ttsr-agent rules check` */
export function addCheck(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("check")
    .description("find what is wrong with rules before they are armed; exit 1 when one is broken")
    .argument("[files...]", "rule files, or folders of them; default: every rule of this folder and of yours")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules check .rules/*.md")
    .action(async (files: string[], { json }: { json?: boolean }) => {
      const checked = await check(files);
      const ok = checked.every(({ status }) => status !== "broken");
      if (json) printJson({ ok, rules: checked });
      else print(checked);
      done(ok ? 0 : 1);
    });
}

async function check(files: readonly string[]): Promise<CheckedRule[]> {
  const progress = progressLine("rules checked");
  try {
    const { set } = files.length === 0 ? await loadRules({ trusted: true }) : { set: filesAsSet(files) };
    return await checkRules(set, openLab(), progress.at, loadRecheck(systemDirs().config));
  } finally {
    progress.end();
  }
}

function print(checked: readonly CheckedRule[]): void {
  for (const { name, path, status, diagnostics } of checked) {
    const told = diagnostics
      .filter(({ severity, code }) => severity !== "info" || SHOWN.has(code))
      .sort((a, b) => (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY) || 0);
    if (told.length === 0) continue;
    printLine(`${(status === "ok" ? "info" : status).padEnd(7)}  ${onOneLine(name)}`);
    for (const { line, message, suggestion } of told) {
      const place = `${relative(process.cwd(), path)}${line === undefined ? "" : `:${line}`}`;
      printLine(
        `         ${onOneLine(place)}: ${onOneLine(message)}${suggestion === undefined ? "" : ` ${suggestion}`}`,
      );
    }
  }
  const broken = checked.filter(({ status }) => status === "broken").length;
  const warned = checked.filter(({ status }) => status === "warning").length;
  if (checked.length === 0) printLine("No rules. Put one into .rules/NAME.md; the README shows how.");
  else
    printLine(
      `${count(checked.length, "rule")}: ${checked.length - broken - warned} ok, ${warned} with warnings, ${broken} broken.`,
    );
}
