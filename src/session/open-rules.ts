/** Opens the rule book of a session: which answers of the user let a changed rule file hold (TTSR-1.7). */
import { loadCapability, type RuleContext, type RuleSet, ruleCapability } from "../capability/index.js";
import type { TrustStore } from "../config/trust.js";
import { someGroupRuns } from "../platform/process-groups.js";
import { projectRoot } from "../platform/project-root.js";
import type { TtsrManager } from "../ttsr/manager.js";
import type { Proofs } from "./proofs.js";
import { repositoryInputs } from "./repository-inputs.js";
import { RuleBook } from "./rule-book.js";
import { askWritten, settleTrust } from "./trust.js";
import type { SessionUi } from "./ui.js";

export interface OpenRules {
  context: RuleContext;
  set: RuleSet;
  manager: TtsrManager;
  store: TrustStore;
  /** The user was asked at the start whether this folder is trusted, and said no. */
  refused: boolean;
  /** Who answers questions; undefined: nobody. */
  ask: SessionUi["askTrust"] | undefined;
  isReadOnly(toolName: string): boolean;
  after(ms: number, run: () => void): () => void;
  proofs: Proofs;
}

export function openRules({
  context,
  set,
  manager,
  store,
  ask,
  isReadOnly,
  after,
  proofs,
  ...start
}: OpenRules): RuleBook {
  const { cwd } = context;
  const root = projectRoot(cwd);
  let { refused } = start;
  return new RuleBook({
    set,
    manager,
    places: ruleCapability.places(context),
    load: (held, added) => loadCapability("rules", { ...context, held, added }),
    isReadOnly,
    runsOn: someGroupRuns,
    mayAccept: () => store.knows(root),
    accept: (rules) => store.accept(root, rules),
    async askTrust(found) {
      // Who said no at the start is not asked again for every file.
      if (refused) return false;
      const { accepted } = await settleTrust({ cwd, store, rules: found, inputs: repositoryInputs(cwd), ask });
      refused = !accepted && ask !== undefined;
      return accepted;
    },
    askWritten: async (rules) => ask !== undefined && (await askWritten({ cwd, store, ask }, rules)),
    after,
    proofs,
  });
}
