/** What a user, a repository and the program itself have to offer, as found on disk. */
import { ruleCapability } from "../capability/index.js";
import { bundledProvider } from "./providers/bundled.js";
import { flagProvider } from "./providers/flag.js";
import { projectProvider } from "./providers/project.js";
import { userProvider } from "./providers/user.js";

export { addSilentExample } from "./silent-example.js";

/** Registers every rule provider with `ruleCapability`. Called by the sdk on import; calling it again changes nothing. */
export function registerRuleProviders(): void {
  for (const provider of [userProvider, flagProvider, projectProvider, bundledProvider])
    ruleCapability.register(provider);
}
