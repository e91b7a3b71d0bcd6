/** Why a rule is silent where its trigger would match: which of its own limits keeps it from looking. */
import { onlyDetects, type Rule } from "../../capability/rule.js";
import { languageOf } from "../ast/languages.js";
import { Budget, TooMuch } from "../calls/budget.js";
import { compileConditions } from "../calls/condition.js";
import { compileGlobs } from "../globs.js";
import { scopeWords } from "../scope.js";
import type { TtsrMatch } from "../types.js";
import { Bench, type Lab, WHOLE } from "./run-sample.js";
import type { Sample } from "./sample.js";

export interface Silence {
  /** What it would match without its limits. */
  match: TtsrMatch;
  /** Each of them alone is enough to keep it silent. Clauses, as in "its `globs` (*.ts) do not cover a.py". */
  reasons: string[];
}

interface Limit {
  /** The rule without it. */
  lift(rule: Rule, sample: Sample): Rule;
  say(rule: Rule, sample: Sample): string;
}

/** The limits themselves are not read here: the rule is tried without each, so that what is said is what happens. */
const LIMITS: readonly Limit[] = [
  {
    lift: (rule, sample) => ({ ...rule, scope: [scopeOf(sample)] }),
    say: (rule, sample) => `its scope (${scopeWords(rule)}) does not take in ${placeName(sample)}`,
  },
  {
    lift: (rule) => ({ ...rule, globs: [] }),
    say: ({ globs }, { filePath }) => {
      const shown = globs.join(", ");
      return filePath === undefined
        ? `it has \`globs\` (${shown}), and there is no file`
        : `its \`globs\` (${shown}) do not cover ${filePath}`;
    },
  },
  {
    lift: (rule) => ({ ...rule, in: ["any"] }),
    say: ({ in: zones }, { source, toolName }) =>
      zones === undefined || zones.length === 0
        ? source === "tool"
          ? `it is what a command searches for, and only a rule that names the tool (tool:${toolName}) looks there`
          : "it stands in a code span or a quote, and only `in: any` looks there"
        : `it stands outside of what \`in: ${zones.join(", ")}\` names`,
  },
  {
    lift: ({ unless: _, ...rule }) => rule,
    say: ({ unless = [] }) => `\`unless\` (${unless.join("  ")}) excuses it`,
  },
];

/** @returns undefined where the trigger does not match this text at all, or the rule fires */
export async function whySilent(rule: Rule, sample: Sample, lab: Lab): Promise<Silence | undefined> {
  const fires = async (limits: readonly Limit[]): Promise<TtsrMatch | undefined> => {
    const lifted = limits.reduce((each, limit) => limit.lift(each, sample), rule);
    const [match] = await new Bench([lifted], lab).run(sample, WHOLE);
    return match;
  };
  const match = await fires(LIMITS);
  if (!match) return undefined;
  const reasons: string[] = [];
  for (const limit of LIMITS) {
    if (!(await fires(LIMITS.filter((each) => each !== limit)))) reasons.push(limit.say(rule, sample));
  }
  return reasons.length === 0 ? undefined : { match, reasons };
}

/** @returns a clause, as in "its trigger does not match", for a sample of which nothing is known but that the rule is silent on it */
export function whyNoMatch(rule: Rule, { source, filePath, call }: Sample, { languages }: Lab): string {
  if (call) return "its `callCondition` does not hold";
  if (rule.astCondition && rule.ttsrTrigger.length === 0 && !rule.detect) {
    if (filePath === undefined) return "its `astCondition` looks at files alone";
    const language = languageOf(filePath);
    if (language === undefined) return "its `astCondition` cannot look at it: no language has files of this name";
    const missing = languages?.missing(language);
    if (missing === undefined) return `its \`astCondition\` does not match it, read as ${language}`;
    if (rule.globs.length > 0 && !compileGlobs(rule.globs, rule.below)(filePath))
      return `its \`globs\` (${rule.globs.join(", ")}) do not cover ${filePath}`;
    return `its \`astCondition\` cannot look at it: ${missing.charAt(0).toLowerCase()}${missing.slice(1).replace(/\.$/, "")}`;
  }
  if (!onlyDetects(rule))
    return rule.detect ? "its trigger does not match, and nothing repeats" : "its trigger does not match";
  return source === "tool" ? "a call is never cut for repeating itself" : "nothing in it goes round in circles";
}

/** @returns for a call on which no `callCondition` of the rule holds: of each the value that keeps it from it, in a clause */
export function whyNoCall(rule: Rule, { call }: Sample): string[] {
  if (!call) return [];
  const size = JSON.stringify(call).length;
  const budget = new Budget();
  try {
    return compileConditions(rule).conditions.map((condition) => condition.whyNot(call, size, budget));
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return ["the call is too large to be judged"];
  }
}

/** @returns as in "bash.command", "write.content of src/a.ts" or "a call of task" */
export function placeName({ source, toolName, argument, filePath, call }: Sample): string {
  if (call) return `a call of ${toolName}`;
  if (source !== "tool") return source === "text" ? "the model's text" : "the model's thinking";
  return `${toolName}.${argument}${filePath === undefined ? "" : ` of ${filePath}`}`;
}

function scopeOf({ source, toolName, argument, call }: Sample): string {
  if (call) return `tool:${toolName}`;
  return source === "tool" ? `tool:${toolName}.${argument}` : source;
}
