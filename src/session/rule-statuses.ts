/** Registers rules, and keeps what became of each file that was seen. */
import { isStreamRule, type Rule, type RuleDiagnostic, type RuleState } from "../capability/rule.js";
import type { RuleSet, Untrusted } from "../capability/rule-capability.js";
import type { TtsrManager } from "../ttsr/manager.js";
import type { Notice } from "./notice.js";
import type { RuleStatus } from "./ui.js";

/** A rule as discovery and registration left it; what happened to it in the session is the ledger's. */
export type BareStatus = Omit<
  RuleStatus,
  "hits" | "interrupts" | "discardedTokens" | "falseAlarms" | "muted" | "pause"
>;

const WHY_UNTRUSTED: Readonly<Record<Untrusted, string>> = {
  new: "the folder is not trusted",
  added: "new since the folder was trusted",
  changed: "changed since it was accepted",
  written: "written by the agent and not accepted",
};

/** Registers every rule that has a trigger (TTSR-1.1), in the place of those before. @returns one status a file, the acting ones first */
export function registerRules(set: RuleSet, manager: TtsrManager): BareStatus[] {
  const registered = manager.setRules(set.items);
  const statuses = set.items.map((rule) => {
    if (!isStreamRule(rule)) return statusOf(rule, "advice");
    if (registered.has(rule.name)) return statusOf(rule, rule.observe ? "observe" : "armed");
    const why = manager.diagnostics().find((each) => each.path === rule.path && each.severity === "error")?.message;
    return statusOf(rule, "broken", why ?? "none of its triggers can be read");
  });
  return [
    ...statuses,
    ...set.broken.map(({ rule, reason }) => statusOf(rule, "broken", reason)),
    ...set.off.map(({ rule, reason }) => statusOf(rule, "off", reason)),
    ...set.shadowed.map(({ rule, by }) => statusOf(rule, "shadowed", `by ${by.path}`)),
    ...set.untrusted.map(({ rule, reason }) => statusOf(rule, "untrusted", WHY_UNTRUSTED[reason])),
  ];
}

function statusOf(rule: Rule, state: RuleState, reason?: string): BareStatus {
  const { name, path, provider, scope, globs, description = "", ttsrTrigger: triggers } = rule;
  return {
    name,
    path,
    provider,
    state,
    triggers,
    scope,
    globs,
    description,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Faults that are told one by one. */
const MOST_TOLD = 10;
/** Names in one line. */
const MOST_NAMES = 20;

/** What is to be told of the rules before the first prompt: faults, and what is off because nobody has accepted it. */
export function ruleNotices(set: RuleSet, manager: TtsrManager): Notice[] {
  const notices = faultsOf(set, manager);
  const names = set.untrusted.map(({ rule }) => rule.name);
  if (names.length > 0) {
    const files = names.length === 1 ? "rule is" : "rules are";
    const what = `${names.length} ${files} off because this folder, or its change, is not trusted: ${listed(names)}.`;
    notices.push(warning("rules-untrusted", `${what} Use --trust for one run, or "ttsr-agent rules trust".`));
  }
  return notices;
}

/**
 * What nobody has accepted yet is told of when it is.
 * @param of tells whether a file is of interest; default: all are
 */
export function faultsOf(set: RuleSet, manager: TtsrManager, of: (path: string) => boolean = () => true): Notice[] {
  const untrusted = new Set(set.untrusted.map(({ rule }) => rule.path));
  const faults = [...set.diagnostics, ...manager.diagnostics()].filter(({ severity, path }) => {
    return severity !== "info" && of(path) && !untrusted.has(path);
  });
  const dead = deadFiles(set, manager);
  const all = [
    ...set.skipped
      .filter(({ path }) => of(path))
      .map(({ path, reason }) => warning("rule-skipped", `${path}: ${reason}.`)),
    ...faults.map((fault) => {
      const isWhy = fault.severity === "error" && dead.delete(fault.path);
      return warning("rule-fault", isWhy ? `${placed(fault)} The rule is off.` : placed(fault));
    }),
  ];
  if (all.length <= MOST_TOLD) return all;
  const rest = `${all.length - MOST_TOLD + 1} more faults of rules; "ttsr-agent rules check" tells them all.`;
  return [...all.slice(0, MOST_TOLD - 1), warning("rule-fault", rest)];
}

/** @returns the files of rules that were to act, and cannot */
function deadFiles(set: RuleSet, manager: TtsrManager): Set<string> {
  const unarmed = set.items.filter((rule) => isStreamRule(rule) && manager.ruleNamed(rule.name)?.path !== rule.path);
  return new Set([...set.broken.map(({ rule }) => rule), ...unarmed].map(({ path }) => path));
}

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return rest <= 0 ? names.join(", ") : `${names.slice(0, MOST_NAMES).join(", ")} and ${rest} more`;
}

function placed({ path, line, message, suggestion }: RuleDiagnostic): string {
  return `${path}${line === undefined ? "" : `:${line}`}: ${message}${suggestion ? ` ${suggestion}` : ""}`;
}

export function warning(code: string, message: string): Notice {
  return { type: "notice", level: "warning", code, message };
}
