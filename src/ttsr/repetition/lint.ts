/** What a rule with `detect` says that cannot be, or means nothing to it: a rule must not die in silence. */
import { onlyDetects, type Rule } from "../../capability/rule.js";
import { splitList } from "../globs.js";
import { scopeOf } from "../scope.js";
import type { TtsrDiagnostic } from "../types.js";

type Finding = Pick<TtsrDiagnostic, "severity" | "code" | "message"> & { suggestion?: string };

/** @returns none for a rule without `detect`. An error: the rule can never fire. */
export function detectFindings(rule: Rule, knownTools?: readonly string[]): Finding[] {
  if (rule.detect === undefined) return [];
  const alone = onlyDetects(rule);
  return [...onScope(rule, alone, knownTools), ...onGlobs(rule, alone), ...(alone ? onTheRest(rule) : [])];
}

function onScope(rule: Rule, alone: boolean, knownTools: readonly string[] | undefined): Finding[] {
  const { scope, problems, toolsLeftOut } = scopeOf(rule, knownTools);
  const prose = scope.text || scope.thinking;
  if (!prose && (toolsLeftOut || scope.tools.length > 0)) {
    const message =
      "`detect` never fires: it looks at what the model says and thinks, and the scope names tools alone.";
    return [finding(alone, "unreachable", message, "Add `text` or `thinking` to the scope.")];
  }
  if (!toolsLeftOut || !prose) return [];
  const words = rule.scope.flatMap(splitList).filter((word) => word !== "text" && word !== "thinking");
  const named = words.filter((word) => !problems.some(({ token }) => token === word)).map((word) => `"${word}"`);
  const message = `A call is never cut for repeating itself, so ${named.join(", ")} in the scope means nothing.`;
  return [finding(false, "detect", message, "Leave it out.")];
}

function onGlobs(rule: Rule, alone: boolean): Finding[] {
  if (rule.globs.length === 0) return [];
  const message = "`detect` never fires: the rule has `globs`, and what the model says and thinks has no file.";
  return [finding(alone, "unreachable", message, "Drop `globs`.")];
}

/** Keys that a rule without a pattern has no use for. */
function onTheRest({ in: zones, unless, unlessWithin, unlessAfter }: Rule): Finding[] {
  const found: Finding[] = [];
  if (zones) {
    const message =
      "`in` means nothing to `detect`: it looks at paragraphs, and leaves out code, lists, tables and quotes.";
    found.push(finding(false, "detect", message, "Leave it out."));
  }
  if (unless || unlessWithin !== undefined || unlessAfter !== undefined) {
    const message = "`unless` means nothing to `detect`: it excuses what a trigger found, and the rule has none.";
    found.push(finding(false, "detect", message, "Leave it out."));
  }
  return found;
}

function finding(fatal: boolean, code: string, message: string, suggestion: string): Finding {
  return { severity: fatal ? "error" : "warning", code, message, suggestion };
}
