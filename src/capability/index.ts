/** What a user, a repository and the program itself offer, found by id and de-duplicated by name. */
import { UserError } from "../platform/errors.js";
import { type RuleContext, type RuleSet, ruleCapability } from "./rule-capability.js";

export type { Rule } from "./rule.js";
export type { LoadResult, RuleContext, RuleSet } from "./rule-capability.js";
export { RuleCapability, ruleCapability } from "./rule-capability.js";

/**
 * Loads everything of one kind. There is one kind today, "rules".
 * @throws UserError for an unknown id
 */
export async function loadCapability(id: "rules", context: RuleContext): Promise<RuleSet> {
  if (id !== ruleCapability.id)
    throw new UserError("unknown-capability", `There is no capability "${id}"; the only one is "rules".`, 2);
  return ruleCapability.load(context);
}
