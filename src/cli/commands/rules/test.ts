import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Rule } from "../../../capability/rule.js";
import { type ExitCode, reasonOf, UserError } from "../../../platform/errors.js";
import { type SampleVerdict, trySample } from "../../../ttsr/proving/prove.js";
import { type Sample, sampleFor, samplesOf } from "../../../ttsr/proving/sample.js";
import type { TtsrMatch } from "../../../ttsr/types.js";
import { printJson, printLine } from "../../output.js";
import { readPiped } from "../../stdin.js";
import { loadRules, openLab } from "./load.js";
import { ruleNamed } from "./named.js";

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
    .description("whether, where and why a rule fires on a text, however the text is cut; exit 1 when the cut matters")
    .argument("<rule>", "its name, or its file")
    .argument("[text]", 'the text; "-" for standard input')
    .option("--file <file>", "the text of this file")
    .option("--path <path>", "as if it were written into this file")
    .option("--tool <name>", "as if this tool were called with it: edit, write, bash, or name.argument")
    .option("--source <source>", "as the model's text, thinking or tool")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules test no-eval 'const f = eval(src)' --path src/a.ts")
    .action(async (word: string, text: string | undefined, options: TestOptions) => {
      const { set } = await loadRules({ trusted: true });
      const rule = ruleNamed(word, set);
      const verdicts = await tryAll(rule, samples(rule, await textOf(text, options), options));
      if (options.json) printJson(asJson(verdicts));
      else print(rule, verdicts);
      done(verdicts.every(({ splitInvariant }) => splitInvariant !== false) ? 0 : 1);
    });
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
  if (source === "text" || source === "thinking") return [{ text, source }];
  if (tool !== undefined) return [sampleFor(text, tool, filePath)];
  const all = samplesOf(rule, { text, ...(filePath === undefined ? {} : { path: filePath }) });
  return source === undefined ? all : all.filter((sample) => sample.source === source);
}

async function tryAll(rule: Rule, all: readonly Sample[]): Promise<SampleVerdict[]> {
  const lab = openLab();
  const verdicts: SampleVerdict[] = [];
  for (const sample of all) verdicts.push(await trySample([rule], sample, lab));
  return verdicts;
}

function asJson(verdicts: readonly SampleVerdict[]): unknown {
  const matches = verdicts.flatMap((verdict) => verdict.matches);
  return {
    fires: matches.length > 0,
    splitInvariant: verdicts.every(({ splitInvariant }) => splitInvariant !== false),
    matches: matches.map(matchAsJson),
  };
}

function matchAsJson({ rule, trigger, lane, start, end, excerpt }: TtsrMatch): unknown {
  const { source, toolName, argument, filePath } = lane;
  return {
    rule: rule.name,
    trigger,
    start,
    end,
    settledAt: end,
    excerpt,
    source,
    ...(toolName === undefined ? {} : { toolName }),
    ...(argument === undefined ? {} : { argument }),
    ...(filePath === undefined ? {} : { filePath }),
  };
}

function print(rule: Rule, verdicts: readonly SampleVerdict[]): void {
  if (verdicts.length === 0) {
    printLine(`${rule.name} does not look there: its scope is ${rule.scope.join(", ") || "text, tool"}.`);
    return;
  }
  for (const { sample, matches, splitInvariant } of verdicts) {
    const where = placeOf(sample);
    if (matches.length === 0) printLine(`silent  ${where}`);
    for (const { trigger, start, end, excerpt } of matches) {
      printLine(`fires   ${where}, ${start} to ${end}: ${excerpt.trim()}`);
      printLine(`        because of ${rule.ttsrTrigger[trigger] ?? ""}`);
    }
    if (splitInvariant === false)
      printLine("        and another way of cutting the text gives another answer: please report this.");
  }
}

function placeOf({ source, toolName, argument, filePath }: Sample): string {
  if (source !== "tool") return source;
  return `${toolName}.${argument}${filePath === undefined ? "" : ` (${filePath})`}`;
}
