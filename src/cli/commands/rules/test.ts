import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { onlyJudgesCalls, type Rule } from "../../../capability/rule.js";
import { type ExitCode, reasonOf, UserError } from "../../../platform/errors.js";
import { sanitizeTerminal } from "../../../platform/sanitize-terminal.js";
import type { BareStatus } from "../../../session/rule-statuses.js";
import { type SampleVerdict, trySample } from "../../../ttsr/proving/prove.js";
import type { Lab } from "../../../ttsr/proving/run-sample.js";
import { argumentsIn, type Sample, sampleFor, samplesOf } from "../../../ttsr/proving/sample.js";
import { isKnown, toolMeant } from "../../../ttsr/proving/scope-tools.js";
import { placeName, type Silence, whyNoCall, whyNoMatch, whySilent } from "../../../ttsr/proving/why-silent.js";
import { scopeWords } from "../../../ttsr/scope.js";
import type { TtsrMatch } from "../../../ttsr/types.js";
import { printJson, printLine } from "../../output.js";
import { progressLine } from "../../progress.js";
import { readPiped } from "../../stdin.js";
import { loadRules, openLab } from "./load.js";
import { refuseUseless, ruleNamed } from "./named.js";

interface TestOptions {
  file?: string;
  path?: string;
  tool?: string;
  source?: string;
  json?: boolean;
}

/** `ttsr-agent rules test` */
export function addTest(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("test")
    .description("whether a rule fires on a text, where and because of what; and if not, what keeps it from it")
    .argument("<rule>", "its name, or its file")
    .argument("[text]", 'the text; "-" for standard input')
    .option("--file <file>", "the text of this file")
    .option("--path <path>", "as if it were written into this file")
    .option("--tool <name>", "as if this tool were called with it: edit, write, bash, or name.argument")
    .option("--source <source>", "as the model's text, thinking or tool")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  ttsr-agent rules test no-eval 'const f = eval(src)' --path src/a.ts\n\nWhat the rule matches stands between »«; characters are counted from 0. Without\n--path, --tool and --source the text is tried in each place that the rule looks\nat. It is also cut at every position, as a stream may be; exit 1 when that\nchanges the answer.",
    )
    .action(async (word: string, text: string | undefined, options: TestOptions) => {
      const { set, statuses } = await loadRules({ trusted: true });
      const { rule } = ruleNamed(word, set);
      const lab = openLab();
      refuseUseless(rule, lab);
      tellIdle(statuses.find(({ path }) => path === rule.path));
      if (options.tool !== undefined && !isKnown(options.tool, lab.tools)) tellUnknown(options.tool);
      // Files that nobody names are made up from the rule's own patterns.
      if (options.path === undefined && options.file === undefined) delete rule.below;
      const verdicts = await tryAll(rule, samples(rule, await textOf(text, options), options), lab);
      if (options.json) printJson(asJson(verdicts));
      else print(rule, verdicts, lab);
      done(verdicts.every(({ splitInvariant }) => splitInvariant !== false) ? 0 : 1);
    });
}

/** What it would do is told all the same. */
function tellIdle(status: BareStatus | undefined): void {
  if (status?.reason === undefined) return;
  const { name, state, reason } = status;
  const line = `${name} is ${state} (${reason.replace(/\.$/, "")}), so it does not act; this is what it would do.`;
  process.stderr.write(`${sanitizeTerminal(line)}\n`);
}

/** It may be one of an MCP server, so the text is tried all the same. */
function tellUnknown(tool: string): void {
  const meant = toolMeant(tool);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  process.stderr.write(`No tool "${sanitizeTerminal(tool)}" is known now.${hint}\n`);
}

async function textOf(text: string | undefined, { file }: TestOptions): Promise<string> {
  if (file !== undefined) {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      throw new UserError("no-file", `--file ${file} cannot be read (${reasonOf(error)}).`, 2, { cause: error });
    }
  }
  if (text !== undefined && text !== "-") return text;
  const piped = await readPiped(process.stdin, true);
  if (piped === "") throw new UserError("no-text", "There is no text to test; give one, or --file, or pipe it in.", 2);
  return piped;
}

function samples(rule: Rule, text: string, { tool, path, source, file }: TestOptions): Sample[] {
  const filePath = path ?? file;
  if (source !== undefined && source !== "text" && source !== "thinking" && source !== "tool") {
    throw new UserError("bad-flag", `--source is text, thinking or tool, not "${source}".`, 2);
  }
  if (rule.callCondition && argumentsIn(text) && (source ?? "tool") === "tool") {
    return samplesOf(rule, { text, ...(path === undefined ? {} : { path }), ...(tool === undefined ? {} : { tool }) });
  }
  if (onlyJudgesCalls(rule)) {
    const message = `${rule.name} looks at calls as a whole; give the arguments of one as JSON, as in '{"path":"src/a.ts"}'.`;
    throw new UserError("no-call", message, 2);
  }
  if (source === "text" || source === "thinking") return [{ text, source }];
  if (tool !== undefined) return [sampleFor(text, tool, filePath)];
  const all = samplesOf(rule, { text, ...(filePath === undefined ? {} : { path: filePath }) });
  return source === undefined ? all : all.filter((sample) => sample.source === source);
}

/** One place in which the text was tried. */
interface Tried extends SampleVerdict {
  /** Where the rule is silent though its trigger matches. */
  silence: Silence | undefined;
}

async function tryAll(rule: Rule, all: readonly Sample[], lab: Lab): Promise<Tried[]> {
  const tried: Tried[] = [];
  const progress = progressLine("places tried");
  for (const sample of all) {
    const verdict = await trySample([rule], sample, lab);
    const silence = verdict.matches.length > 0 ? undefined : await whySilent(rule, sample, lab);
    tried.push({ ...verdict, silence });
    progress.at(tried.length, all.length);
  }
  progress.end();
  return tried;
}

function asJson(tried: readonly Tried[]): unknown {
  const matches = tried.flatMap((verdict) => verdict.matches);
  return {
    fires: matches.length > 0,
    splitInvariant: tried.every(({ splitInvariant }) => splitInvariant !== false),
    matches: matches.map(matchAsJson),
    excluded: tried.flatMap(({ silence }) =>
      silence ? [{ ...matchAsJson(silence.match), because: silence.reasons }] : [],
    ),
  };
}

function matchAsJson({ rule, trigger, lane, start, end, excerpt, repeats }: TtsrMatch): object {
  const { source, toolName, argument, filePath } = lane;
  return {
    rule: rule.name,
    trigger,
    start,
    end,
    settledAt: end,
    excerpt,
    ...(repeats === undefined ? {} : { repeats }),
    source,
    ...(toolName === undefined ? {} : { toolName }),
    ...(argument === undefined ? {} : { argument }),
    ...(filePath === undefined ? {} : { filePath }),
  };
}

function print(rule: Rule, tried: readonly Tried[], lab: Lab): void {
  const say = (line: string): void => printLine(sanitizeTerminal(line));
  if (tried.length === 0) say(`silent  ${rule.name} looks at nothing that this text could be: ${scopeOf(rule)}.`);
  for (const { sample, matches, splitInvariant, silence } of tried) {
    const where = placeName(sample);
    // Of a call as a whole the match is no part of what was typed.
    const text = sample.call ? "" : sample.text;
    if (matches.length === 0) {
      say(`silent  in ${where}${silence ? "" : `: ${whyNoMatch(rule, sample, lab)}`}`);
      for (const value of silence ? [] : whyNoCall(rule, sample)) say(`        ${value}`);
    }
    for (const match of matches) {
      const cause = causeOf(match);
      const at = match.lane.argument === undefined ? "" : `, at ${match.lane.argument}`;
      say(`fires   in ${where}${cause.startsWith(CALL) ? at : `, characters ${match.start} to ${match.end}`}`);
      say(`        ${marked(match, text)}`);
      say(`        because of ${cause}`);
    }
    if (silence) {
      say(`        ${marked(silence.match, text)}`);
      say(`        would match, but ${silence.reasons.join(", and ")}`);
    }
    if (splitInvariant === false)
      say("        and another way of cutting the text gives another answer: please report this.");
  }
}

const CALL = "its callCondition";

function causeOf({ rule, trigger, repeats }: TtsrMatch): string {
  const { ttsrTrigger, astCondition = [], callCondition = [] } = rule;
  const pattern = ttsrTrigger[trigger] ?? repeats;
  if (pattern !== undefined) return pattern;
  const bySyntax = trigger - ttsrTrigger.length;
  if (bySyntax < astCondition.length) return `its astCondition${oneOf(bySyntax, astCondition.length)}`;
  return CALL + oneOf(bySyntax - astCondition.length, callCondition.length);
}

function oneOf(index: number, count: number): string {
  return count < 2 ? "" : ` (${index + 1} of ${count})`;
}

function scopeOf(rule: Rule): string {
  const files = rule.globs.length === 0 ? "" : `, and its \`globs\` are ${rule.globs.join(", ")}`;
  return `its scope is ${scopeWords(rule)}${files}`;
}

/** UTF-16 units of a match over several lines that are printed. */
const SHOWN = 120;

/** @returns the line up to where the stream would be cut, the match in »«; of a match that begins on an earlier line its beginning */
function marked({ start, end, excerpt, repeats, lane }: TtsrMatch, text: string): string {
  const found = text.slice(start, end);
  if (found.includes("\n") && repeats === undefined && lane.argument !== undefined) {
    const joined = found.split("\n").join(" ⏎ ");
    return `»${joined.length > SHOWN ? `${joined.slice(0, SHOWN)}…` : joined}«`;
  }
  const before = excerpt.slice(0, Math.max(0, excerpt.length - (end - start)));
  return `${before.trimStart()}»${excerpt.slice(before.length)}«`;
}
