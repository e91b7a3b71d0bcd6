/** What a session obeys: settings, model and rules, as far as the user trusts the repository (TTSR-1.7). */

import type { Clock } from "../agent/ports.js";
import { loadCapability, type RuleContext } from "../capability/index.js";
import { type LoadedSettings, loadSettings, projectSettingsFile } from "../config/settings.js";
import type { TrustStore } from "../config/trust.js";
import type { Dirs } from "../platform/dirs.js";
import { chooseModel, type ModelWish } from "./choose-model.js";
import { acceptedInputs, repositoryInputs } from "./repository-inputs.js";
import type { SessionManager } from "./session-manager.js";
import { settleTrust } from "./trust.js";
import { ruleSwitches } from "./ttsr-settings.js";
import type { SessionUi } from "./ui.js";

export interface LoadOptions extends ModelWish {
  /** `key=value`, as behind `--set`. */
  settings?: readonly string[];
  /** Trusts the repository for this session; never written down. */
  trust?: boolean;
  rules?: { off?: boolean; dirs?: readonly string[]; bundled?: boolean };
  /** Who answers questions. */
  ui?: Pick<SessionUi, "askTrust">;
}

export interface LoadGround {
  cwd: string;
  env: NodeJS.ProcessEnv;
  dirs: Dirs;
  clock: Clock;
  store: TrustStore;
  log: SessionManager;
}

/** What of the repository holds depends on trust, and what there is to trust on what the repository has. */
export async function loadWhatHolds(options: LoadOptions, { cwd, env, dirs, clock, store, log }: LoadGround) {
  const inputs = repositoryInputs(cwd);
  const before = log.buildContext();
  const load = async (obeyed: ReadonlySet<string>) => {
    const trusted = obeyed.has(projectSettingsFile(cwd));
    const loaded = loadSettings({ cwd, env, dirs, overrides: options.settings ?? [], trusted });
    // Before any question: without a model there is nothing to trust the folder for.
    const found = await chooseModel(options, { env, dirs, clock, loaded, before });
    const context = ruleContext(options, { cwd, dirs, trusted: options.trust === true, loaded });
    return { obeyed, loaded, found, context, ruleSet: await loadCapability("rules", context) };
  };
  const all = new Set(inputs.map(({ path }) => path));
  const first = await load(options.trust === true ? all : acceptedInputs(cwd, store, inputs));
  if (options.trust === true) return { ...first, refused: false };
  const { accepted, refused } = await settleTrust({
    cwd,
    store,
    rules: first.ruleSet,
    inputs,
    ask: options.ui?.askTrust,
  });
  return { ...(accepted ? await load(all) : first), refused };
}

function ruleContext(
  { rules = {} }: LoadOptions,
  { cwd, dirs, trusted, loaded }: { cwd: string; dirs: Dirs; trusted: boolean; loaded: LoadedSettings },
): RuleContext {
  const switches = ruleSwitches(loaded);
  return {
    ...switches,
    cwd,
    dirs,
    trusted,
    ruleDirs: rules.dirs ?? [],
    rules: rules.off !== true,
    builtinRules: rules.bundled !== false && switches.builtinRules,
  };
}
