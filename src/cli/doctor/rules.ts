import { loadCapability } from "../../capability/index.js";
import { loadSettings } from "../../config/settings.js";
import { TrustStore } from "../../config/trust.js";
import { registerRuleProviders } from "../../discovery/index.js";
import { reasonOf } from "../../platform/errors.js";
import { projectRoot } from "../../platform/project-root.js";
import { registerRules } from "../../session/rule-statuses.js";
import { ruleSwitches } from "../../session/ttsr-settings.js";
import { TtsrManager } from "../../ttsr/manager.js";
import { languages, withoutFailed } from "../commands/rules/load.js";
import { type Check, fail, ok, warn } from "./check.js";
import type { CheckContext } from "./context.js";

export async function checkRules({ cwd, env, dirs }: CheckContext): Promise<Check[]> {
  try {
    registerRuleProviders();
    const trusted = new TrustStore(dirs.state).knows(projectRoot(cwd));
    const loaded = loadSettings({ cwd, env, dirs, trusted });
    const { settings } = loaded;
    // What a start would load: files of a trusted folder that have changed are off until they are accepted.
    const found = await loadCapability("rules", { cwd, dirs, trusted: false, ...ruleSwitches(loaded) });
    const set = await withoutFailed(found, dirs.state);
    const rules = registerRules(set, new TtsrManager(settings.ttsr, { languages }));
    const armed = rules.filter(({ state }) => state === "armed").length;
    const checks = settings.ttsr.enabled
      ? [ok("rules", `${armed} armed of ${rules.length} found`)]
      : [warn("rules", "stream rules are switched off", "Set ttsr.enabled to true in settings.yml.")];
    const broken = rules.filter(({ state }) => state === "broken");
    for (const { path, reason = "it cannot be read" } of broken)
      checks.push(fail("rule", `${path}: ${reason}`, "Mend the file; /rules and `ttsr-agent rules list` show it."));
    const untrusted = rules.filter(({ state }) => state === "untrusted");
    if (untrusted.length > 0) {
      checks.push(
        warn(
          "rules",
          `${untrusted.length} of this folder are off: it, or a change in it, is not trusted`,
          "Accept them with `ttsr-agent rules trust`.",
        ),
      );
    }
    return checks;
  } catch (error) {
    return [fail("rules", reasonOf(error), "Mend that and look again.")];
  }
}
