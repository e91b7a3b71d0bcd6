import type { RuleProvider } from "../../capability/rule-capability.js";
import { addFolder, addText, emptyResult } from "../load-folder.js";

/** Rules that extensions ship or add at run time. Trusted as the extensions are: the user has installed them. */
export const extensionProvider: RuleProvider = {
  id: "extension",
  priority: 85,
  async load({ added = [], reading }) {
    const result = emptyResult();
    for (const source of added) {
      if ("text" in source) addText(result, source.text, { provider: "extension", reading, ...source });
      else if (!addFolder(result, source.folder, { provider: "extension", reading })) {
        const reason = `the extension ${source.owner} names it, and there is no such folder`;
        result.skipped.push({ path: source.folder, provider: "extension", reason });
      }
    }
    return result;
  },
};
