import type { Command } from "commander";
import {
  isOfRepository,
  isStreamRule,
  type Rule,
  type RuleDiagnostic,
  type RuleState,
} from "../../../capability/rule.js";
import type { ExitCode } from "../../../platform/errors.js";
import { sanitizeTerminal } from "../../../platform/sanitize-terminal.js";
import { type RuleHistory, ruleHistory } from "../../../session/rule-history.js";
import type { BareStatus } from "../../../session/rule-statuses.js";
import { type TriggerOutlook, triggerOutlooks } from "../../../ttsr/proving/outlook.js";
import { type ExampleVerdict, proveRule } from "../../../ttsr/proving/prove.js";
import { armAlone } from "../../../ttsr/proving/run-sample.js";
import { remarksOnScope } from "../../../ttsr/proving/scope-tools.js";
import { WHEN_REPEATED } from "../../../ttsr/repetition/loop-watch.js";
import { scopeWords } from "../../../ttsr/scope.js";
import { vetoReach } from "../../../ttsr/vetoes.js";
import { systemDirs } from "../../dirs.js";
import { count, printJson, printLine } from "../../output.js";
import { progressLine } from "../../progress.js";
import { jsonLines } from "./json-lines.js";
import { loadRules, openLab } from "./load.js";
import { ruleNamed } from "./named.js";

/** UTF-16 units of an example that are printed where it does not hold; --json has all of it. */
const EXAMPLE = 300;
/** Columns of a usual terminal, and those of a label. */
const WIDTH = 80;
const LABEL = 10;
/** Of an example that holds: what is left of a row. */
const EXAMPLE_ROW = WIDTH - 16;

/** `ttsr-agent rules show` */
export function addShow(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("show")
    .description(
      "one rule: what it looks for, where it looks, when it fires, what is wrong with it, and what it did so far",
    )
    .argument("<rule>", "its name, or its file")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules show no-eval")
    .action(async (word: string, { json }: { json?: boolean }) => {
      const shown = await look(word);
      if (json) printJson(asJson(shown));
      else print(shown);
      done(0);
    });
}

interface Shown {
  rule: Rule;
  /** Undefined for a file that is in no rules folder. */
  status: BareStatus | undefined;
  triggers: TriggerOutlook[];
  diagnostics: RuleDiagnostic[];
  examples: ExampleVerdict[];
  history: RuleHistory;
}

async function look(word: string): Promise<Shown> {
  const { set, statuses } = await loadRules({ trusted: true });
  const { rule, told } = ruleNamed(word, set);
  const lab = openLab();
  const progress = progressLine("sessions read");
  try {
    return {
      rule,
      status: await statusOf(rule, statuses),
      triggers: triggerOutlooks(rule),
      diagnostics: [...told, ...armAlone(rule, lab).diagnostics, ...remarksOnScope(rule, lab)],
      examples: await proveRule(rule, lab, true),
      history: ruleHistory(systemDirs().state, rule.name, progress.at),
    };
  } finally {
    progress.end();
  }
}

/** What is wrong with a rule is told whether or not it is trusted; that it would act is not true where it is not. */
async function statusOf(rule: Rule, ifTrusted: readonly BareStatus[]): Promise<BareStatus | undefined> {
  const ofRule = ({ path }: BareStatus): boolean => path === rule.path;
  const status = ifTrusted.find(ofRule);
  if (!status || !ACTING.has(status.state) || !isOfRepository(rule)) return status;
  return (await loadRules({ trusted: false })).statuses.find(ofRule);
}

const ACTING: ReadonlySet<RuleState> = new Set(["armed", "observe", "advice"]);

function asJson({ rule, status, triggers, diagnostics, examples, history }: Shown): unknown {
  const { ttsrTrigger: _, triggerLines: __, unlessLines: ___, content, ...rest } = rule;
  return {
    ...rest,
    ...(status === undefined ? {} : { state: status.state }),
    ...(status?.reason === undefined ? {} : { reason: status.reason }),
    triggers,
    diagnostics: diagnostics.map(({ severity, code, message, line, suggestion }) => ({
      severity,
      code,
      message,
      line,
      suggestion,
    })),
    examples: examples.map(({ kind, example, ok, reason }) => ({ kind, ...example, ok, reason })),
    history,
    content,
  };
}

function print({ rule, status, triggers, diagnostics, examples, history }: Shown): void {
  const say = (line: string): void => printLine(sanitizeTerminal(line));
  const why = status?.reason === undefined ? "" : ` (${status.reason})`;
  say(`${rule.name}${status === undefined ? "" : `  ${status.state}${why}`}`);
  say(rule.path);
  if (rule.description) say(`\n${rule.description}`);
  say(`\n${isStreamRule(rule) ? `looks at: ${placesOf(rule)}` : `is read:  ${readWhen(rule)}`}`);
  for (const { pattern, settles, tier } of triggers) {
    say(`fires on: ${pattern}`);
    say(`          ${settles}${tier === 2 ? "; tier 2" : ""}`);
  }
  const sayJson = (value: unknown): void => {
    const [first, ...more] = jsonLines(value, WIDTH - LABEL);
    say(`fires on: ${first}`);
    for (const line of more) say(`${" ".repeat(LABEL)}${line}`);
  };
  for (const pattern of rule.astCondition ?? []) {
    if (typeof pattern === "string") say(`fires on: ${pattern}`);
    else sayJson(pattern);
    say("          in the syntax of the file as the call would leave it");
  }
  if (rule.detect === "repetition") {
    say("fires on: prose that repeats itself (detect: repetition)");
    for (const clause of WHEN_REPEATED) say(`          ${clause}`);
  }
  for (const schema of rule.callCondition ?? []) {
    sayJson(schema);
    say("          a call whose arguments are valid against it, when they are complete");
  }
  for (const pattern of rule.unless ?? []) say(`unless:   ${pattern}${reachOf(rule)}`);
  const { warmupMatches = 0 } = rule;
  if (warmupMatches > 1)
    say(`warm-up:  acts from occurrence ${warmupMatches} of a conversation on; those before only count`);
  const said = SAID.flatMap((key) => (rule[key] === undefined ? [] : [`${key} ${rule[key]}`]));
  if (said.length > 0) say(`also:     ${said.join(", ")}`);
  if (rule.instead) say(`instead:  ${rule.instead}`);
  for (const { severity, code, line, message, suggestion } of diagnostics) {
    // That stands above, beside the trigger.
    if (code === "needs-end") continue;
    const place = line === undefined ? "" : ` (line ${line})`;
    say(`${severity}${place}: ${message}${suggestion ? ` ${suggestion}` : ""}`);
  }
  if (examples.length > 0) say("\nexamples:");
  for (const { ok, kind, example, reason } of examples) {
    say(`  ${ok ? "ok " : "NOT"} ${kind === "fire" ? "fires on " : "silent on"} ${quoted(example.text, ok)}`);
    if (reason !== undefined) say(`      ${reason}`);
  }
  if (isStreamRule(rule)) say(`\n${historyLine(history)}`);
  say(`\n${rule.content.trim()}`);
}

/** What a rule may say otherwise than the settings, and what a colour shows. */
const SAID = ["interruptMode", "repeatMode", "repeatGap", "contextMode", "severity"] as const;

/** @returns how far from a match it excuses it, where that is not the usual */
function reachOf(rule: Rule): string {
  const reach = vetoReach(rule);
  if (!reach || (rule.unlessWithin === undefined && rule.unlessAfter === undefined)) return "";
  const below = reach.after === 0 ? "" : `, ${count(reach.after, "line")} below`;
  return `  (within ${count(reach.within, "line")} above${below})`;
}

/** Advice, which looks at nothing. */
function readWhen({ alwaysApply, globs, description }: Rule): string {
  if (alwaysApply) return "always, in the system prompt";
  const ways = [
    ...(description ? ["when the model wants to: the system prompt lists it"] : []),
    ...(globs.length > 0 ? [`before the first call that touches ${globs.join(", ")}`] : []),
  ];
  return ways.length === 0 ? "never" : ways.join("; ");
}

/** On one row where it only stands for what is in the file. */
function quoted(text: string, short: boolean): string {
  if (!short) return JSON.stringify(text.length > EXAMPLE ? `${text.slice(0, EXAMPLE)}…` : text);
  const whole = JSON.stringify(text);
  if (whole.length <= EXAMPLE_ROW) return whole;
  // No half of an escape or of a pair.
  return `${whole.slice(0, EXAMPLE_ROW - 2).replace(/\\(?:u[0-9a-f]{0,3})?$|[\uD800-\uDBFF]$/, "")}…"`;
}

function placesOf(rule: Rule): string {
  const { globs, in: zones, agents } = rule;
  const places = [scopeWords(rule)];
  if (globs.length > 0) places.push(`files ${globs.join(", ")}${countedFrom(rule)}`);
  if (zones) places.push(`in ${zones.join(", ")}`);
  if (agents) places.push(`agents ${agents.join(", ")}`);
  return places.join("; ");
}

/** Patterns of a rule that lies in a folder above count from there. */
function countedFrom({ below }: Rule): string {
  return below === undefined || below === "" ? "" : ` (counted from ${below.split("/").fill("..").join("/")})`;
}

function historyLine({ hits, interrupts, discardedTokens, sessions, last, read }: RuleHistory): string {
  if (hits === 0) return read === 0 ? "so far:   no session yet" : `so far:   never fired in ${count(read, "session")}`;
  const done = `${count(hits, "hit")}, ${count(interrupts, "interrupt")}, ${count(discardedTokens, "token")} cut`;
  return `so far:   ${done}, in ${sessions} of ${count(read, "session")}; last on ${(last ?? "").slice(0, 10)}`;
}
