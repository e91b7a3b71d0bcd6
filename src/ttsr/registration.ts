/** What a rule is worth before it is registered: what it watches, and what there is to tell its author (TTSR-1.3). */
import { isStreamRule, onlyDetects, type Rule } from "../capability/rule.js";
import { problemsOf } from "./ast/ast-rule.js";
import type { Languages } from "./ast/languages.js";
import { compileConditions } from "./calls/condition.js";
import { callSlips } from "./calls/slips.js";
import { mayHaveFile } from "./dead-scope.js";
import { deadVeto } from "./dead-veto.js";
import { globSlips } from "./glob-slips.js";
import { splitList } from "./globs.js";
import { compileTriggers, type TriggerMemory, type TriggerSource } from "./matcher/index.js";
import { detectFindings } from "./repetition/lint.js";
import type { TtsrDiagnostic } from "./types.js";
import { vetoFaults } from "./vetoes.js";
import { warmUpSlip } from "./warm-up.js";
import { type RuleWatch, watchOf } from "./watch.js";
import { zonesUnreachable } from "./zones/zone-filter.js";

export interface Judgement {
  /** undefined: the rule cannot be registered. */
  watch?: RuleWatch;
  diagnostics: TtsrDiagnostic[];
}

/** A finding as the matcher and the others tell it. */
interface Finding {
  severity: TtsrDiagnostic["severity"];
  code: string;
  message: string;
  suggestion?: string | undefined;
}

export interface JudgementPorts {
  /** Names that a bare word in a scope may mean; default: our own tools. */
  knownTools?: readonly string[];
  languages: Languages;
  /** Keeps the rule's compiled triggers. */
  memory: TriggerMemory;
}

export function judgeRule(rule: Rule, { knownTools, languages, memory }: JudgementPorts): Judgement {
  if (!isStreamRule(rule)) return { diagnostics: [] };
  const diagnostics: TtsrDiagnostic[] = [];
  const triggers = compileTriggers(sourcesOf(rule), {}, memory);
  for (const finding of triggers.diagnostics) diagnostics.push(diagnosticOf(rule, finding, { trigger: finding.index }));
  const faults = vetoFaults(rule, memory);
  for (const finding of faults) diagnostics.push(diagnosticOf(rule, finding, { veto: finding.index }));
  const { watch, problems, unreachable } = watchOf(rule, knownTools);
  const tell = (severity: TtsrDiagnostic["severity"], code: string, message: string, suggestion?: string): void => {
    diagnostics.push(diagnosticOf(rule, { severity, code, message, suggestion }));
  };
  for (const { message, suggestion } of problems) tell("error", "scope", message, suggestion);
  const onDetect = detectFindings(rule, knownTools);
  for (const { severity, code, message, suggestion } of onDetect) tell(severity, code, message, suggestion);
  if (unreachable && !onlyDetects(rule)) {
    const message = "This rule is unreachable: it has `globs`, but nothing that its scope names comes with a file.";
    tell(
      "warning",
      "unreachable",
      message,
      "Drop `globs`, or add a tool that has files, as in `tool:edit`, to the scope.",
    );
  }
  if (disjoint(rule)) {
    const message = "This rule is unreachable: no file has the endings of both its scope and its `globs`.";
    tell("warning", "unreachable", message, "Say in one place which files are meant.");
  }
  const dead = deadVeto(rule);
  if (dead !== undefined) {
    const message = `\`unless\` has "${dead}", which stands in everything that the trigger matches, so the rule never fires.`;
    tell("warning", "unreachable", message, "Look for what stands beside it.");
  }
  for (const { message, suggestion } of globSlips(rule)) tell("warning", "glob", message, suggestion);
  if (watch && !onlyDetects(rule) && zonesUnreachable(rule, watch.scope)) {
    const message = "This rule is unreachable: prose has no comments and no strings, and its scope is prose alone.";
    tell("warning", "unreachable", message, "Add `code` to `in`, or `tool` to the scope.");
  }
  const wrong = problemsOf(rule, languages, likelyFiles(rule));
  for (const { message } of wrong) tell("error", "syntax-pattern", message);
  for (const { message, suggestion } of wrong.length > 0 ? [] : deafSyntax(rule, watch)) {
    tell("warning", "unreachable", message, suggestion);
  }
  const syntax = (rule.astCondition?.length ?? 0) > 0 && wrong.length === 0;
  const detects = rule.detect !== undefined && !onDetect.some(({ severity }) => severity === "error");
  const { conditions: calls, problems: unusable } = compileConditions(rule);
  for (const message of unusable) tell("error", "call-condition", message);
  for (const slip of watch && calls.length > 0 ? callSlips(rule, watch.scope, calls) : []) {
    tell("warning", slip.code, slip.message, slip.suggestion);
  }
  const slip = warmUpSlip(rule);
  if (slip) tell("warning", "warm-up", slip.message, slip.suggestion);
  const holds = triggers.has(rule.name) || syntax || detects || calls.length > 0;
  if (!watch || !holds || faults.some(({ severity }) => severity === "error")) return { diagnostics };
  return { watch: calls.length > 0 ? { ...watch, calls } : watch, diagnostics };
}

/** What a rule on syntax has and gets nothing from: it looks at whole files, and knows what is code itself. */
function deafSyntax(rule: Rule, watch: RuleWatch | undefined): { message: string; suggestion: string }[] {
  if ((rule.astCondition?.length ?? 0) === 0) return [];
  const told: { message: string; suggestion: string }[] = [];
  if (watch && !watch.scope.tools.some(({ head }) => mayHaveFile(head?.whole ? head.text : undefined))) {
    told.push({
      message: "Its astCondition never fires: it looks at files, and nothing that its scope names comes with one.",
      suggestion: "Add `tool:edit, tool:write` to the scope.",
    });
  }
  if (rule.in && rule.ttsrTrigger.length === 0) {
    told.push({
      message: "`in` means nothing to an astCondition, which knows code from comments and strings by itself.",
      suggestion: "Take it out.",
    });
  }
  return told;
}

/** @param at which of the rule's patterns it is about; neither: the rule as a whole */
export function diagnosticOf(
  rule: Rule,
  { severity, code, message, suggestion }: Finding,
  at: { trigger?: number; veto?: number } = {},
): TtsrDiagnostic {
  const index = at.trigger ?? at.veto ?? -1;
  const line = (at.veto === undefined ? rule.triggerLines : rule.unlessLines)?.[index];
  const pattern = (at.veto === undefined ? rule.ttsrTrigger : rule.unless)?.[index];
  return {
    rule: rule.name,
    path: rule.path,
    severity,
    code,
    message,
    ...(line === undefined ? {} : { line }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

export function sourcesOf(rule: Rule): TriggerSource[] {
  return rule.ttsrTrigger.map((pattern, index) => ({ ruleId: rule.name, pattern, index }));
}

/** Endings of the files that the rule is about, as `.ts`, to know their languages; none where one of its patterns takes any. */
function likelyFiles(rule: Rule): string[] {
  return endingsOf([...rule.globs, ...filesInScope(rule.scope.flatMap(splitList))]) ?? [];
}

/** Whether each part of the scope that has files, and the globs, are about files of other endings. */
function disjoint({ scope, globs }: Rule): boolean {
  const wanted = endingsOf(globs);
  const tokens = scope.flatMap(splitList).filter((token) => !/^(?:text|thinking)$/.test(token));
  if (!wanted || wanted.length === 0 || tokens.length === 0) return false;
  return tokens.every((token) => {
    const own = endingsOf(filesInScope([token]));
    return own !== undefined && own.length > 0 && !own.some((ending) => wanted.includes(ending));
  });
}

function filesInScope(tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => /\(([\s\S]*)\)$/.exec(token)?.[1] ?? []);
}

/** @returns as `.ts`; undefined where one of the patterns takes files of any ending */
function endingsOf(patterns: readonly string[]): string[] | undefined {
  const wanted = patterns.flatMap(splitList).filter((pattern) => !pattern.startsWith("!"));
  const found = wanted.map((pattern) => /\.(?:\{([^{}]*)\}|([A-Za-z0-9]+))$/.exec(pattern));
  if (found.includes(null)) return undefined;
  return found.flatMap((each) => (each?.[1] ?? each?.[2] ?? "").split(",")).map((ending) => `.${ending.trim()}`);
}
