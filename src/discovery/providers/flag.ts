import type { RuleProvider } from "../../capability/rule-capability.js";
import { UserError } from "../../platform/errors.js";
import { resolvePath } from "../../platform/paths.js";
import { addFolder, emptyResult } from "../load-folder.js";

/** The folders of `--rules`, in the order typed. Trusted by being typed. */
export const flagProvider: RuleProvider = {
  id: "flag",
  priority: 95,
  /** @throws UserError `no-rules-folder` where a folder that was typed is not there */
  async load({ cwd, ruleDirs = [], reading }) {
    const result = emptyResult();
    for (const typed of ruleDirs) {
      if (addFolder(result, resolvePath(typed, cwd), { provider: "flag", reading })) continue;
      throw new UserError("no-rules-folder", `--rules ${typed}: there is no such folder.`, 2);
    }
    return result;
  },
  places: ({ cwd, ruleDirs = [] }) => ruleDirs.map((typed) => resolvePath(typed, cwd)),
};
