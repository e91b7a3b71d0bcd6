import { always, type Dialect, plainAlways } from "../dialect.js";
import { repositoryProvider } from "../repository.js";

/**
 * Cline, https://docs.cline.bot/customization/cline-rules: `.clinerules` is a file, or a folder of `.md` and `.txt` files (its workflows,
 * hooks and skills are no rules). `paths` is the only condition; without it a rule is always there, and `paths: []` switches it off.
 */
const dialect: Dialect = {
  tool: "Cline",
  globsKey: "paths",
  mean(rule, fields) {
    if (rule.globs.length > 0) return undefined;
    return fields.has("paths") ? "paths: [] switches it off" : always(rule);
  },
};

export const clineProvider = repositoryProvider("cline", 55, [
  { folder: ".clinerules", endings: [".md", ".txt"], except: ["workflows", "hooks", "skills"], dialect },
  { file: ".clinerules", name: "clinerules", dialect: plainAlways("Cline") },
]);
