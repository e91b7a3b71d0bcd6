/** How far the settings of a repository reach: to the rules that it brings, and no further (TTSR-1.7). */
import { isOfRepository } from "../capability/rule.js";
import type { RuleContext } from "../capability/rule-capability.js";
import type { LoadedSettings } from "../config/settings.js";
import type { SettingsOf } from "../ttsr/types.js";

/** @returns the settings that hold for a rule */
export function ttsrSettingsOf({ settings, ownTtsr }: LoadedSettings): SettingsOf {
  return (rule) => (rule && !isOfRepository(rule) ? ownTtsr : settings.ttsr);
}

/** @returns which rules the settings switch off */
export function ruleSwitches({
  settings,
  ownTtsr,
}: LoadedSettings): Required<Pick<RuleContext, "builtinRules" | "disabledRules">> {
  return {
    builtinRules: settings.ttsr.builtinRules,
    disabledRules: { all: ownTtsr.disabledRules, ofRepository: settings.ttsr.disabledRules },
  };
}
