/** How another tool's rule file says, in its own keys, what a rule without a trigger means here. */
import type { Rule } from "../capability/rule.js";
import type { Fields } from "./fields.js";

export interface Dialect {
  /** The tool, as people call it. */
  tool: string;
  /** There is no front matter: the whole text is the body. */
  plain?: boolean;
  /** The key that names files; `globs` where it is not given. Our own key is not read then. */
  globsKey?: string;
  /** The tool takes its globs without quotes, which YAML does not: no fault of the author's. */
  unquotedGlobs?: boolean;
  /** Other keys that the tool reads, and that are no slip. */
  known?: readonly string[];
  /**
   * What the tool's keys mean together: sets `alwaysApply`, `globs` and the like of the rule, which was read by our own keys.
   * @returns one sentence where the tool itself would leave the file out: why
   */
  mean(rule: Rule, fields: Fields): string | undefined;
}

/** Every conversation has it, whatever files it names. */
export function always(rule: Rule): undefined {
  rule.alwaysApply = true;
}

/** One file without front matter that its tool puts into every conversation. */
export function plainAlways(tool: string): Dialect {
  return { tool, plain: true, mean: always };
}

/** @returns why nothing of the file is used, where neither files nor a description nor `alwaysApply` bring it in */
export function onlyByHand(rule: Rule, tool: string): string | undefined {
  if (rule.alwaysApply || rule.globs.length > 0 || rule.description !== undefined) return undefined;
  return `${tool} uses it only when somebody names it: it has neither files, nor a description, nor alwaysApply`;
}
