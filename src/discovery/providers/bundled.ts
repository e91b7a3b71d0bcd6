import { join } from "node:path";
import type { RuleProvider } from "../../capability/rule-capability.js";
import { addFolder, emptyResult } from "../load-folder.js";
import { packageRoot } from "../package-root.js";

/** The rules that come with the program; `--no-builtin-rules` and `ttsr.builtinRules: false` leave them out. */
export const bundledProvider: RuleProvider = {
  id: "bundled",
  priority: 1,
  async load({ builtinRules = true }) {
    const result = emptyResult();
    const root = builtinRules ? packageRoot() : undefined;
    if (root !== undefined) addFolder(result, join(root, "rules"), "bundled");
    return result;
  },
};
