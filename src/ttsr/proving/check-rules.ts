/** `rules check`: everything that can be wrong with rules, said at once and before they are armed. */
import { TOP_AGENT } from "../../capability/agents.js";
import { isStreamRule, type Rule, type RuleDiagnostic } from "../../capability/rule.js";
import type { RuleSet } from "../../capability/rule-capability.js";
import { faultsOfExamples, proveRule } from "./prove.js";
import { armAlone, type Lab } from "./run-sample.js";
import { remarksOnScope } from "./scope-tools.js";
import { type Recheck, slowInRegExp } from "./slow-in-regexp.js";

/** `rules check --json`, one rule of it. */
export interface CheckedRule {
  name: string;
  path: string;
  status: "ok" | "warning" | "broken";
  diagnostics: Omit<RuleDiagnostic, "path">[];
}

const BUNDLED = "bundled";

/**
 * @param onProgress how many rules are done
 * @param recheck where it is installed
 * @returns one verdict a file, in order of discovery; files that were not read come as broken
 */
export async function checkRules(
  set: RuleSet,
  lab: Lab,
  onProgress: (done: number, all: number) => void = () => undefined,
  recheck?: Recheck,
): Promise<CheckedRule[]> {
  // The pack that comes with the program is proved by its own tests.
  const files = filesOf(set).filter(({ rule }) => rule.provider !== BUNDLED);
  const checked: CheckedRule[] = [];
  for (const [index, { rule, broken, idle }] of files.entries()) {
    const { armed, diagnostics } = armAlone(rule, lab);
    const found = [...set.diagnostics.filter(({ path }) => path === rule.path), ...diagnostics];
    // A rule that cannot fire at all fails its examples as well; that is no news.
    const usable = armed || !found.some(isError);
    const proof = usable && isStreamRule(rule) ? faultsOfExamples(rule, await proveRule(rule, lab, true)) : [];
    const slow = recheck ? await slowInRegExp(rule, recheck) : [];
    checked.push(verdictOn(rule, [...idle, ...found, ...proof, ...remarksOnScope(rule, lab), ...slow], broken));
    onProgress(index + 1, files.length);
  }
  for (const { path, reason } of set.skipped) {
    const diagnostics = [{ severity: "error" as const, code: "skipped", message: `It was not read: ${reason}.` }];
    checked.push({ name: path, path, status: "broken", diagnostics });
  }
  return checked;
}

interface File {
  rule: Rule;
  broken?: string;
  /** That nothing of it acts, though nothing in it is wrong. */
  idle: RuleDiagnostic[];
}

function filesOf(set: RuleSet): File[] {
  return [
    ...set.items.map((rule): File => ({ rule, idle: [] })),
    ...set.broken.map(({ rule, reason }): File => ({ rule, broken: reason, idle: [] })),
    ...set.off.map(({ rule, reason }): File => ({ rule, idle: [switchedOff(rule, reason, set)] })),
    ...set.shadowed.map(({ rule, by }): File => ({ rule, idle: [shadowed(rule, by)] })),
    ...set.untrusted.map(({ rule }): File => ({ rule, idle: [] })),
  ];
}

/** Whoever switches a bundled rule off by a file of the same name, or by the settings, wants just that. */
function switchedOff(rule: Rule, reason: string, { shadowed }: RuleSet): RuleDiagnostic {
  const wanted =
    rule.enabled !== false || shadowed.some(({ by, rule: { provider } }) => by === rule && provider === BUNDLED);
  if (reason.startsWith("agents:")) {
    const message = `It is for other agents than ${TOP_AGENT}, so it never fires in a session of your own (agents: ${(rule.agents ?? []).join(", ")}).`;
    return { severity: "info", code: "other-agents", message, path: rule.path };
  }
  const message = `The rule is switched off, so it never fires (${reason}).`;
  return { severity: wanted ? "info" : "warning", code: "off", message, path: rule.path };
}

function shadowed(rule: Rule, by: Rule): RuleDiagnostic {
  return {
    severity: "warning",
    code: "shadowed",
    message: `Another rule has the same name, "${rule.name}", and comes first (${by.path}), so this one never fires.`,
    path: rule.path,
    suggestion: "Rename one of the files, or delete one.",
  };
}

function verdictOn(rule: Rule, found: readonly RuleDiagnostic[], broken: string | undefined): CheckedRule {
  const known = broken === undefined || found.some(isError) ? found : [...found, fault(rule, "broken", broken)];
  const diagnostics = known.map(({ path: _, ...rest }) => rest);
  const status = known.some(isError)
    ? "broken"
    : known.some(({ severity }) => severity === "warning")
      ? "warning"
      : "ok";
  return { name: rule.name, path: rule.path, status, diagnostics };
}

function isError({ severity }: RuleDiagnostic): boolean {
  return severity === "error";
}

function fault(rule: Rule, code: string, message: string): RuleDiagnostic {
  return { severity: "error", code, message, path: rule.path };
}
