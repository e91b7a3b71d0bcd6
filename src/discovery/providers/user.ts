import { join } from "node:path";
import type { RuleProvider } from "../../capability/rule-capability.js";
import { resolveDirs } from "../../platform/dirs.js";
import { addFolder, emptyResult } from "../load-folder.js";

/** `rules/` of the user's config folder. Always trusted; links may lead anywhere, for people keep such folders under links. */
export const userProvider: RuleProvider = {
  id: "user",
  priority: 100,
  async load({ dirs = resolveDirs(process.env), reading }) {
    const result = emptyResult();
    addFolder(result, join(dirs.config, "rules"), { provider: "user", reading });
    return result;
  },
  places: ({ dirs = resolveDirs(process.env) }) => [join(dirs.config, "rules")],
};
