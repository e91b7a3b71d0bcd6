/** `rules check`: everything that can be wrong with rules, said at once and before they are armed. */
import { isStreamRule, type Rule, type RuleDiagnostic } from "../../capability/rule.js";
import type { RuleSet } from "../../capability/rule-capability.js";
import type { TtsrManager } from "../manager.js";
import { faultsOfExamples, proveRule } from "./prove.js";
import type { Lab } from "./run-sample.js";
import { remarksOnScope } from "./scope-tools.js";

/** `rules check --json`, one rule of it. */
export interface CheckedRule {
  name: string;
  path: string;
  status: "ok" | "warning" | "broken";
  diagnostics: Omit<RuleDiagnostic, "path">[];
}

/**
 * @param manager has the set's rules registered, so that it knows which of their triggers compile
 * @param onProgress how many rules are done
 * @returns one verdict a file, in order of discovery; files that were not read come as broken
 */
export async function checkRules(
  set: RuleSet,
  manager: TtsrManager,
  lab: Lab,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<CheckedRule[]> {
  const registered = new Set(manager.rules().map(({ path }) => path));
  const files = filesOf(set);
  const checked: CheckedRule[] = [];
  for (const [index, { rule, broken }] of files.entries()) {
    const found = [...set.diagnostics, ...manager.diagnostics()].filter(({ path }) => path === rule.path);
    // A rule that cannot fire at all fails its examples as well; that is no news.
    const usable = registered.has(rule.path) || !found.some(isError);
    const proof = usable && isStreamRule(rule) ? faultsOfExamples(rule, await proveRule(rule, lab, true)) : [];
    const silent = isStreamRule(rule) && !broken && !registered.has(rule.path) && !found.some(isError);
    const dead: RuleDiagnostic[] = silent ? [fault(rule, "not-armed", "None of its triggers can be used.")] : [];
    checked.push(verdictOn(rule, [...found, ...dead, ...proof, ...remarksOnScope(rule, lab)], broken));
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
  broken: string | undefined;
}

function filesOf(set: RuleSet): File[] {
  const plain = (rule: Rule): File => ({ rule, broken: undefined });
  return [
    ...set.items.map(plain),
    ...set.broken.map(({ rule, reason }) => ({ rule, broken: reason })),
    ...set.off.map(({ rule }) => plain(rule)),
    ...set.shadowed.map(({ rule }) => plain(rule)),
    ...set.untrusted.map(({ rule }) => plain(rule)),
  ];
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
