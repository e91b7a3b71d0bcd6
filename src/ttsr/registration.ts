/** What a rule is worth before it is registered: what it watches, and what there is to tell its author (TTSR-1.3). */
import { isStreamRule, onlyDetects, type Rule } from "../capability/rule.js";
import { problemsOf } from "./ast/ast-rule.js";
import type { Languages } from "./ast/languages.js";
import { compileConditions } from "./calls/condition.js";
import { callSlips } from "./calls/slips.js";
import { globSlips } from "./glob-slips.js";
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
  for (const { message, suggestion } of globSlips(rule)) tell("warning", "glob", message, suggestion);
  if (watch && !onlyDetects(rule) && zonesUnreachable(rule, watch.scope)) {
    const message = "This rule is unreachable: prose has no comments and no strings, and its scope is prose alone.";
    tell("warning", "unreachable", message, "Add `code` to `in`, or `tool` to the scope.");
  }
  const wrong = problemsOf(rule, languages, likelyFiles(rule));
  for (const { message } of wrong) tell("error", "syntax-pattern", message);
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

/** Files that the rule's patterns could mean, to know the languages that it is about. */
function likelyFiles(rule: Rule): string[] {
  return [...rule.globs, ...rule.scope].flatMap((pattern) => pattern.match(/\.[A-Za-z]+/g) ?? []);
}
