import { type Dialect, onlyByHand, plainAlways } from "../dialect.js";
import { repositoryProvider } from "../repository.js";

/**
 * Cursor, https://cursor.com/docs/context/rules: `alwaysApply: true` is in every chat, whatever else stands there; else `globs` (a comma
 * list or a YAML list) attach it, else the agent picks it by its `description`, else the user names it. `.cursorrules` is the old single file.
 */
const dialect: Dialect = {
  tool: "Cursor",
  unquotedGlobs: true,
  mean: (rule) => onlyByHand(rule, "Cursor"),
};

export const cursorProvider = repositoryProvider("cursor", 70, [
  { folder: ".cursor/rules", endings: [".mdc"], dialect },
  { file: ".cursorrules", name: "cursorrules", dialect: plainAlways("Cursor") },
]);
