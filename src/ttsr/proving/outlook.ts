/** What each trigger of a rule is once it is compiled: which tier runs it, and when it can be known to hold. */
import type { Rule } from "../../capability/rule.js";
import { compileTriggers } from "../matcher/index.js";

export interface TriggerOutlook {
  pattern: string;
  /** 1-based line of the rule's file. */
  line?: number;
  /** 1: followed character by character; 2: tried in a worker; absent: refused. */
  tier?: 1 | 2;
  /** A clause, as in "on its last character". */
  settles: string;
}

/** What the lints of the matcher mean for the time at which a trigger fires; the first that was found counts. */
const LATER: readonly (readonly [code: string, settles: string])[] = [
  ["end-only", "only when the text is complete"],
  ["needs-end", "when what follows is known: a character later, or at the end of the text"],
];

/** @returns one entry for each trigger, in the order of the file */
export function triggerOutlooks({ name, ttsrTrigger, triggerLines = [] }: Rule): TriggerOutlook[] {
  return ttsrTrigger.map((pattern, index) => {
    const set = compileTriggers([{ ruleId: name, pattern, index: 0 }]);
    const tier = set.tierOf(name);
    const codes = new Set<string>(set.diagnostics.map(({ code }) => code));
    const line = triggerLines[index];
    return {
      pattern,
      ...(line === undefined ? {} : { line }),
      ...(tier === "rejected" ? {} : { tier }),
      settles: settles(tier, codes),
    };
  });
}

function settles(tier: 1 | 2 | "rejected", codes: ReadonlySet<string>): string {
  if (tier === "rejected") return "never: it cannot be used";
  if (tier === 2 && !codes.has("end-only")) return "at the end of its line, in a worker with a time limit";
  return LATER.find(([code]) => codes.has(code))?.[1] ?? "on its last character";
}
