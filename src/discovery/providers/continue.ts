import { reasonOf } from "../../platform/errors.js";
import { always, type Dialect, onlyByHand } from "../dialect.js";
import { repositoryProvider } from "../repository.js";

/**
 * Continue, https://docs.continue.dev/customize/deep-dives/rules: `globs` and `regex` (on the text of the file) must both hold where both
 * are given. `alwaysApply: true` is always there; `false` leaves it to them or to the `description`; without the key a rule with neither is
 * always there.
 */
const dialect: Dialect = {
  tool: "Continue",
  known: ["regex", "name", "version", "schema", "invokable"],
  mean(rule, fields) {
    const patterns = fields.texts("regex").map(({ text }) => text);
    if (rule.alwaysApply) return always(rule);
    for (const { text, line } of fields.texts("regex")) {
      const fault = faultOf(text);
      if (fault !== undefined)
        fields.report(
          "warning",
          "syntax",
          `"regex" cannot be used, so the rule is attached to no file: ${fault}.`,
          line,
        );
    }
    if (rule.globs.length + patterns.length === 0)
      return rule.alwaysApply === undefined ? always(rule) : onlyByHand(rule, "Continue");
    if (patterns.length > 0) rule.fileContent = patterns;
    if (rule.globs.length === 0) rule.globs = ["**"];
    return undefined;
  },
};

function faultOf(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

export const continueProvider = repositoryProvider("continue", 45, [
  { folder: ".continue/rules", endings: [".md"], dialect },
]);
