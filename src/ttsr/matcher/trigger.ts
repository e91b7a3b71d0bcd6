import { lint } from "./lint.js";
import { type Reach, reachOf } from "./reach.js";
import { settle } from "./settle.js";
import { type ParsedSource, parseTrigger, TriggerError } from "./source.js";
import type { Diagnostic, TriggerSource } from "./types.js";

/** One trigger, ready to run. Both expressions carry the flag `g`: they are searched from an index, with all text before it in sight. */
export interface Trigger {
  ruleId: string;
  index: number;
  /** Monotone in the prefix. */
  settled: RegExp;
  /** For the end of the text. */
  original: RegExp;
  reach: Reach;
}

/** @returns the trigger, or only diagnostics where one of them is an error */
export function compileTrigger(from: TriggerSource): { trigger?: Trigger; diagnostics: Diagnostic[] } {
  const { ruleId, index, pattern } = from;
  try {
    const parsed = parseTrigger(pattern);
    const { settled, original } = expressions(parsed);
    settled.lastIndex = 0;
    const diagnostics = lint(pattern, parsed, settled.test(""), original).map((finding) => ({
      ruleId,
      index,
      ...finding,
    }));
    if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics };
    const reach = reachOf(parsed.tree.alternatives, parsed.flags);
    return { trigger: { ruleId, index, settled, original, reach }, diagnostics };
  } catch (error) {
    if (!(error instanceof TriggerError)) throw error;
    const { code, message, start, end } = error;
    return { diagnostics: [{ ruleId, index, code, severity: "error", message, span: { start, end } }] };
  }
}

/**
 * Where the match began that settled at the end of `text`.
 * @param text what was known when it settled, or its tail
 * @returns an offset in `text`; undefined when the match began before the tail
 */
export function findStart(pattern: string, text: string, settledBy: "unit" | "end"): number | undefined {
  const { settled, original } = expressions(parseTrigger(pattern));
  return (settledBy === "end" ? original : settled).exec(text)?.index;
}

function expressions(parsed: ParsedSource): { settled: RegExp; original: RegExp } {
  const flags = `${parsed.flags}g`;
  return { settled: new RegExp(settle(parsed), flags), original: new RegExp(parsed.source, flags) };
}
