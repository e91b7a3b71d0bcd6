/**
 * Triggers that cost nothing here and would stall a program that gave them to `RegExp`: worth knowing for whoever copies them. Asks the package
 * `recheck`, where the user has installed it; it is too large to come along.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Rule, RuleDiagnostic } from "../../capability/rule.js";
import { TriggerError } from "../matcher/refusal.js";
import { parseTrigger } from "../matcher/source.js";

/** As much of `recheck` as is used here. */
export type Recheck = (
  source: string,
  flags: string,
  options: { timeout: number },
) => Promise<{ status: string; complexity?: { type?: string } }>;

/** Milliseconds for one trigger. */
const TIMEOUT_MS = 5_000;

/** @param folder the user's config folder, absolute. @returns undefined where `recheck` is not installed in it */
export function loadRecheck(folder: string): Recheck | undefined {
  try {
    const loaded: unknown = createRequire(join(folder, "package.json"))("recheck");
    const check: unknown = typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, "check") : undefined;
    return typeof check === "function" ? (check as Recheck) : undefined;
  } catch {
    // Not installed: the advice is left out.
    return undefined;
  }
}

/** @returns advice on each trigger that backtracks without end in plain `RegExp` */
export async function slowInRegExp(rule: Rule, recheck: Recheck): Promise<RuleDiagnostic[]> {
  const found: RuleDiagnostic[] = [];
  for (const [index, pattern] of rule.ttsrTrigger.entries()) {
    const type = await complexityOf(pattern, recheck);
    if (type === undefined) continue;
    const line = rule.triggerLines?.[index];
    found.push({
      severity: "info",
      code: "slow-in-regexp",
      message: `The trigger ${JSON.stringify(pattern)} is linear here, and ${type} in plain RegExp: do not copy it into other programs.`,
      path: rule.path,
      ...(line === undefined ? {} : { line }),
    });
  }
  return found;
}

/** @returns how the time grows with the text, where it grows faster than the text */
async function complexityOf(pattern: string, recheck: Recheck): Promise<string | undefined> {
  try {
    const { source, flags } = parseTrigger(pattern);
    const { status, complexity } = await recheck(source, flags, { timeout: TIMEOUT_MS });
    return status === "vulnerable" ? (complexity?.type ?? "slow") : undefined;
  } catch (error) {
    if (error instanceof TriggerError) return undefined;
    throw error;
  }
}
