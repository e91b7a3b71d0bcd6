/** What the `rules` commands work on: the rules of this folder, registered as a session would. */
import { loadCapability, type RuleSet } from "../../../capability/index.js";
import { loadSettings } from "../../../config/settings.js";
import { TrustStore } from "../../../config/trust.js";
import { registerRuleProviders } from "../../../discovery/index.js";
import { Proofs } from "../../../session/proofs.js";
import { obeysProjectSettings } from "../../../session/repository-inputs.js";
import { type BareStatus, registerRules } from "../../../session/rule-statuses.js";
import { ruleSwitches, ttsrSettingsOf } from "../../../session/ttsr-settings.js";
import { createTools, SeenFiles } from "../../../tools/index.js";
import { Languages } from "../../../ttsr/ast/languages.js";
import { TtsrManager } from "../../../ttsr/manager.js";
import type { Lab } from "../../../ttsr/proving/run-sample.js";
import { systemDirs } from "../../dirs.js";

declare const __VERSION__: string;

/** Registered once a process. */
export const languages = new Languages(systemDirs().config);

export interface LoadedRules {
  set: RuleSet;
  manager: TtsrManager;
  statuses: BareStatus[];
}

/** @param trusted as if this folder were trusted: nothing of it is obeyed by looking at it */
export async function loadRules({ trusted }: { trusted: boolean }): Promise<LoadedRules> {
  registerRuleProviders();
  const cwd = process.cwd();
  const dirs = systemDirs();
  const obeyed = trusted || obeysProjectSettings(cwd, new TrustStore(dirs.state));
  const loaded = loadSettings({ cwd, dirs, trusted: obeyed });
  const found = await loadCapability("rules", { cwd, dirs, trusted, ...ruleSwitches(loaded) });
  const set = await withoutFailed(found, dirs.state);
  const manager = new TtsrManager(ttsrSettingsOf(loaded), { languages });
  return { set, manager, statuses: registerRules(set, manager) };
}

/** @returns the set as it is in a session once all examples are tried: rules that fail theirs are broken */
export async function withoutFailed(set: RuleSet, state: string): Promise<RuleSet> {
  const proofs = new Proofs(state, __VERSION__, openLab());
  await proofs.prove(set.items);
  return proofs.withoutFailed(set);
}

/** @returns our own tools, as far as samples need to know them (none of them is ever run), and the languages that there are */
export function openLab(): Lab {
  const tools = createTools({
    workspace: process.cwd(),
    seen: new SeenFiles(),
    bash: { timeoutSeconds: 1 },
    spillDir: "",
  });
  return { tools: (name) => tools.find((tool) => tool.name === name), languages };
}
