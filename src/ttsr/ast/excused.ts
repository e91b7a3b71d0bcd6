/** Exceptions of rules on syntax (TTSR-3.5): the lines of the file in which a veto counts are there already. */
import type { Rule } from "../../capability/rule.js";
import { vetoReach } from "../vetoes.js";

/**
 * @param text of the file
 * @param at where the match stands in it; UTF-16 units
 * @param vetoed whether an exception of the rule holds on a text
 */
export function isExcused(
  rule: Rule,
  text: string,
  { start, end }: { start: number; end: number },
  vetoed: (rule: Rule, text: string) => boolean,
): boolean {
  const reach = vetoReach(rule);
  if (!reach) return false;
  let from = lineStart(text, start);
  for (let count = 0; count < reach.within && from > 0; count++) from = lineStart(text, from - 1);
  let to = end;
  // Lines behind it count from the end of its own.
  for (let count = reach.after === 0 ? 0 : reach.after + 1; count > 0 && to < text.length; count--) {
    const next = text.indexOf("\n", to);
    to = next < 0 ? text.length : next + 1;
  }
  return vetoed(rule, text.slice(from, to));
}

function lineStart(text: string, index: number): number {
  return index <= 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}
