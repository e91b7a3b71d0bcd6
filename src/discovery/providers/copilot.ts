import { always, type Dialect, onlyByHand, plainAlways } from "../dialect.js";
import { repositoryProvider } from "../repository.js";

/** They all mean every file: https://docs.github.com/en/copilot/how-tos/configure-custom-instructions */
const EVERY_FILE: ReadonlySet<string> = new Set(["*", "**", "**/*"]);

/**
 * GitHub Copilot: `applyTo` (a comma list, or a list) names the files; without it a file is used by hand, or by its `description`
 * (https://code.visualstudio.com/docs/copilot/customization/custom-instructions). `excludeAgent: coding-agent` is said to agents like us.
 */
const dialect: Dialect = {
  tool: "GitHub Copilot",
  globsKey: "applyTo",
  unquotedGlobs: true,
  known: ["excludeAgent", "name"],
  mean(rule, fields) {
    if (fields.list("excludeAgent").includes("coding-agent")) return "excludeAgent: coding-agent keeps it from agents";
    return rule.globs.some((glob) => EVERY_FILE.has(glob)) ? always(rule) : onlyByHand(rule, "GitHub Copilot");
  },
};

export const copilotProvider = repositoryProvider("copilot", 50, [
  { folder: ".github/instructions", endings: [".instructions.md"], dialect },
  {
    file: ".github/copilot-instructions.md",
    name: "copilot-instructions",
    dialect: plainAlways("GitHub Copilot"),
  },
]);
