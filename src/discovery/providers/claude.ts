import { always, type Dialect } from "../dialect.js";
import { repositoryProvider } from "../repository.js";

/**
 * Claude Code, https://code.claude.com/docs/en/memory#path-specific-rules: `paths` (a text or a list) is the only key; a file without it
 * is loaded at the start of every session. Folders in folders are read.
 */
const dialect: Dialect = {
  tool: "Claude Code",
  globsKey: "paths",
  mean(rule) {
    return rule.globs.length === 0 ? always(rule) : undefined;
  },
};

export const claudeProvider = repositoryProvider("claude", 65, [
  { folder: ".claude/rules", endings: [".md"], dialect },
]);
