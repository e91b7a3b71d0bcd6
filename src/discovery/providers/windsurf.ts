import type { Rule } from "../../capability/rule.js";
import { always, type Dialect, onlyByHand, plainAlways } from "../dialect.js";
import type { Fields } from "../fields.js";
import { repositoryProvider } from "../repository.js";

const MODES = ["always_on", "glob", "model_decision", "manual"] as const;

/**
 * Windsurf, https://docs.windsurf.com/windsurf/cascade/memories: `trigger` alone says when a rule acts; `globs` count with `glob`, the
 * `description` is what the model decides by. A file without `trigger` acts when somebody names it. `.windsurfrules` is the old single file.
 */
const dialect: Dialect = { tool: "Windsurf", unquotedGlobs: true, known: ["trigger"], mean };

function mean(rule: Rule, fields: Fields): string | undefined {
  switch (fields.choice("trigger", MODES)) {
    case "always_on":
      return always(rule);
    case "glob":
      delete rule.alwaysApply;
      return rule.globs.length === 0 ? "its trigger is glob, and it has no globs" : undefined;
    case "model_decision":
      delete rule.alwaysApply;
      rule.globs = [];
      return rule.description === undefined ? "its trigger is model_decision, and it has no description" : undefined;
    case "manual":
      return "its trigger is manual: Windsurf uses it only when somebody names it";
    default:
      return onlyByHand(rule, "Windsurf");
  }
}

export const windsurfProvider = repositoryProvider("windsurf", 60, [
  { folder: ".windsurf/rules", endings: [".md"], dialect },
  { file: ".windsurfrules", name: "windsurfrules", dialect: plainAlways("Windsurf") },
]);
