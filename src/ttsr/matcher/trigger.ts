import { conjuncts } from "./conjunction.js";
import { lint } from "./lint.js";
import { type Reach, reachOf } from "./reach.js";
import { settle } from "./settle.js";
import { type ParsedSource, parseTrigger, TriggerError } from "./source.js";
import type { Diagnostic, TriggerSource } from "./types.js";

/** Both expressions carry the flag `g`: they are searched from an index, with all text before it in sight. */
export interface Part {
  /** Monotone in the prefix. */
  settled: RegExp;
  /** For the end of the text. */
  original: RegExp;
  reach: Reach;
}

/** One trigger, ready to run: it holds when each of its parts has matched somewhere. Nearly always there is one. */
export interface Trigger {
  ruleId: string;
  index: number;
  parts: readonly Part[];
}

/** @returns the trigger, or only diagnostics where one of them is an error */
export function compileTrigger(from: TriggerSource): { trigger?: Trigger; diagnostics: Diagnostic[] } {
  const { ruleId, index, pattern } = from;
  try {
    const parsed = parseTrigger(pattern);
    const whole = partOf(parsed);
    const diagnostics = lint(pattern, parsed, whole.settled.test(""), whole.original).map((finding) => ({
      ruleId,
      index,
      ...finding,
    }));
    if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics };
    const split = conjuncts(parsed)?.map((source) => partOf(parseTrigger(`${prefixOf(parsed.flags)}${source}`)));
    return { trigger: { ruleId, index, parts: split ?? [whole] }, diagnostics };
  } catch (error) {
    if (!(error instanceof TriggerError)) throw error;
    const { code, message, start, end } = error;
    return { diagnostics: [{ ruleId, index, code, severity: "error", message, span: { start, end } }] };
  }
}

function partOf(parsed: ParsedSource): Part {
  const flags = `${parsed.flags}g`;
  return {
    settled: new RegExp(settle(parsed), flags),
    original: new RegExp(parsed.source, flags),
    reach: reachOf(parsed.tree.alternatives, parsed.flags),
  };
}

function prefixOf(flags: string): string {
  return flags === "" ? "" : `(?${flags})`;
}
