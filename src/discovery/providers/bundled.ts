import { join } from "node:path";
import type { RuleProvider } from "../../capability/rule-capability.js";
import { bundledRules } from "../bundled-rules.js";
import { emptyResult } from "../load-folder.js";
import { packageRoot } from "../package-root.js";

/** The rules that come with the program; `--no-builtin-rules` and `ttsr.builtinRules: false` leave them out. */
export const bundledProvider: RuleProvider = {
  id: "bundled",
  priority: 1,
  async load({ builtinRules = true }) {
    const root = builtinRules ? packageRoot() : undefined;
    return root === undefined ? emptyResult() : bundledRules(join(root, "rules"));
  },
};
