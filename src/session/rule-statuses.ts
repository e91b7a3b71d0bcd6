/** Registers rules, and keeps what became of each file that was seen. */
import type { Rule, RuleDiagnostic, RuleState } from "../capability/rule.js";
import type { RuleSet } from "../capability/rule-capability.js";
import type { TtsrManager } from "../ttsr/manager.js";
import type { StartNotice } from "./agent-session.js";
import type { RuleStatus } from "./ui.js";

type BareStatus = Omit<RuleStatus, "hits" | "interrupts" | "discardedTokens" | "muted">;

/** Registers every rule that has a trigger (TTSR-1.1). @returns one status a file, the acting ones first */
export function registerRules(set: RuleSet, manager: TtsrManager): BareStatus[] {
  const statuses = set.items.map((rule) => {
    if (rule.ttsrTrigger.length === 0) return statusOf(rule, "advice");
    if (manager.addRule(rule)) return statusOf(rule, rule.observe ? "observe" : "armed");
    const why = manager.diagnostics().find((each) => each.path === rule.path && each.severity === "error")?.message;
    return statusOf(rule, "broken", why ?? "none of its triggers can be read");
  });
  return [
    ...statuses,
    ...set.broken.map(({ rule, reason }) => statusOf(rule, "broken", reason)),
    ...set.off.map(({ rule, reason }) => statusOf(rule, "off", reason)),
    ...set.shadowed.map(({ rule, by }) => statusOf(rule, "shadowed", `by ${by.path}`)),
    ...set.untrusted.map(({ rule, reason }) =>
      statusOf(rule, "untrusted", reason === "new" ? "the folder is not trusted" : "changed since it was accepted"),
    ),
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

/** What is to be told of the rules before the first prompt: faults, and what is off because nobody has accepted it. */
export function ruleNotices(set: RuleSet, manager: TtsrManager): StartNotice[] {
  const faults = [...set.diagnostics, ...manager.diagnostics()].filter((each) => each.severity !== "info");
  const notices = faults.map((fault) => warning("rule-fault", placed(fault)));
  for (const { path, reason } of set.skipped) notices.push(warning("rule-skipped", `${path}: ${reason}`));
  const names = set.untrusted.map(({ rule }) => rule.name);
  if (names.length > 0) {
    const files = names.length === 1 ? "rule is" : "rules are";
    const what = `${names.length} ${files} off because this folder, or its change, is not trusted: ${names.join(", ")}.`;
    notices.push(warning("rules-untrusted", `${what} Use --trust for one run, or "ttsr-agent rules trust".`));
  }
  return notices;
}

function placed({ path, line, message, suggestion }: RuleDiagnostic): string {
  return `${path}${line === undefined ? "" : `:${line}`}: ${message}${suggestion ? ` ${suggestion}` : ""}`;
}

function warning(code: string, message: string): StartNotice {
  return { type: "notice", level: "warning", code, message };
}
