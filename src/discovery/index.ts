/** What a user, a repository and the program itself have to offer, as found on disk. */
import { ruleCapability } from "../capability/index.js";
import type { Dialect } from "./dialect.js";
import { bundledProvider } from "./providers/bundled.js";
import { claudeProvider } from "./providers/claude.js";
import { clineProvider } from "./providers/cline.js";
import { continueProvider } from "./providers/continue.js";
import { copilotProvider } from "./providers/copilot.js";
import { cursorProvider } from "./providers/cursor.js";
import { extensionProvider } from "./providers/extension.js";
import { flagProvider } from "./providers/flag.js";
import { ompProvider } from "./providers/omp.js";
import { projectProvider } from "./providers/project.js";
import { userProvider } from "./providers/user.js";
import { windsurfProvider } from "./providers/windsurf.js";
import { dialectAmong } from "./repository.js";

const OF_REPOSITORY = [
  projectProvider,
  ompProvider,
  cursorProvider,
  claudeProvider,
  windsurfProvider,
  clineProvider,
  copilotProvider,
  continueProvider,
];

export { addSilentExample } from "./silent-example.js";

/** Registers every rule provider with `ruleCapability`. Called by the sdk on import; calling it again changes nothing. */
export function registerRuleProviders(): void {
  for (const provider of [userProvider, flagProvider, extensionProvider, ...OF_REPOSITORY, bundledProvider])
    ruleCapability.register(provider);
}

/** @returns whose format a rule file is in, by where it stands (absolute); undefined: ours */
export function dialectOf(path: string): Dialect | undefined {
  return dialectAmong(OF_REPOSITORY, path);
}
