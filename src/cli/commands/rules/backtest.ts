import { relative } from "node:path";
import type { Command } from "commander";
import type { Rule } from "../../../capability/rule.js";
import { type ExitCode, UserError } from "../../../platform/errors.js";
import { sanitizeTerminal } from "../../../platform/sanitize-terminal.js";
import { Backtest, type BacktestHit, type BacktestResult } from "../../../ttsr/backtest/backtest.js";
import { readTranscript } from "../../../ttsr/backtest/transcript.js";
import { count, printJson, printLine } from "../../output.js";
import { progressLine } from "../../progress.js";
import { loadRules, openLab } from "./load.js";
import { refuseUseless, ruleNamed } from "./named.js";
import { readTranscriptFile, transcriptFiles } from "./transcript-files.js";

/** Hits of one rule that are printed. */
const SHOWN = 5;

/** `ttsr-agent rules backtest` */
export function addBacktest(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("backtest")
    .description(
      "how often rules would have fired in conversations of the past, where, and the tokens it would have cut",
    )
    .argument("[rules...]", "names or files; default: all that would be armed")
    .option("--sessions <where...>", "own, claude, pi, or files and folders of transcripts", ["own"])
    .option("--json", "as JSON, with every hit")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules backtest no-eval --sessions own claude ./transcripts")
    .action(async (words: string[], { sessions, json }: { sessions: string[]; json?: boolean }) => {
      const run = await backtest(await chosen(words), transcriptFiles(sessions));
      if (json) printJson(run);
      else print(run);
      done(0);
    });
}

interface Run {
  files: number;
  messages: number;
  skipped: { path: string; reason: string }[];
  rules: BacktestResult[];
}

async function chosen(words: readonly string[]): Promise<Rule[]> {
  const { set, manager } = await loadRules({ trusted: true });
  const rules = words.length === 0 ? manager.rules() : words.map((word) => ruleNamed(word, set).rule);
  for (const rule of rules) refuseUseless(rule, openLab());
  if (rules.length === 0) throw new UserError("no-rule", "There is no rule to try; put one into .rules/NAME.md.", 2);
  return rules;
}

async function backtest(rules: readonly Rule[], files: readonly string[]): Promise<Run> {
  const test = new Backtest(rules, openLab());
  const progress = progressLine("transcripts read");
  const skipped: Run["skipped"] = [];
  for (const [index, path] of files.entries()) {
    const read = readTranscriptFile(path);
    if ("reason" in read) {
      skipped.push({ path, reason: read.reason });
      continue;
    }
    const transcript = readTranscript(read.text);
    if (transcript.unreadable > 0)
      skipped.push({ path, reason: `${count(transcript.unreadable, "line")} not readable` });
    await test.add(path, transcript);
    progress.at(index + 1, files.length);
  }
  progress.end();
  return { files: files.length, messages: test.messages, skipped, rules: test.results() };
}

function print({ files, messages, skipped, rules }: Run): void {
  printLine(`${count(messages, "answer")} in ${count(files, "transcript")}.`);
  for (const { path, reason } of skipped) printLine(`not read: ${sanitizeTerminal(path)}: ${reason}`);
  if (messages === 0) {
    printLine("There is nothing to play; --sessions takes claude, pi, and files and folders of transcripts.");
    return;
  }
  const silent = rules.filter(({ hits }) => hits.length === 0).map(({ rule }) => rule);
  for (const { rule, hits } of rules.filter((each) => each.hits.length > 0)) {
    const quotes = hits.filter(({ quote }) => quote);
    const real = hits.filter(({ quote }) => !quote);
    const tokens = real.reduce((sum, hit) => sum + hit.tokensCut, 0);
    const cost = real.length === 0 ? "" : `; about ${tokens} tokens cut`;
    const apart =
      quotes.length === 0 ? "" : `, and ${count(quotes.length, "time")} where the model seems to speak of it`;
    printLine(`\n${rule}: would have fired ${count(real.length, "time")}${apart}${cost}.`);
    for (const hit of real.slice(0, SHOWN)) printHit(hit);
    if (real.length > SHOWN) printLine(`  … and ${real.length - SHOWN} more; --json shows all`);
    if (quotes.length > 0) printLine("  likely quotes:");
    for (const hit of quotes.slice(0, SHOWN)) printHit(hit);
  }
  if (silent.length > 0) printLine(`\nWould not have fired: ${silent.join(", ")}.`);
}

function printHit({ file, place, toolName, filePath, excerpt, source }: BacktestHit): void {
  const where = filePath ?? toolName ?? source;
  printLine(
    `  ${sanitizeTerminal(relative(process.cwd(), file))}, ${place}, ${sanitizeTerminal(where)}: …${sanitizeTerminal(excerpt.trim())}`,
  );
}
