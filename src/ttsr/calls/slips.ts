/** Conditions on calls that can be used, and hardly say what was meant. */
import { onlyJudgesCalls, type Rule } from "../../capability/rule.js";
import { namesArgument } from "../dead-scope.js";
import type { Scope } from "../scope.js";
import type { CallCondition } from "./condition.js";

interface Slip {
  code: "unreachable" | "no-text" | "not-required";
  message: string;
  suggestion: string;
}

export function callSlips(rule: Rule, scope: Scope, conditions: readonly CallCondition[]): Slip[] {
  const slips: Slip[] = [];
  if (scope.tools.length === 0) {
    const message = "Its `callCondition` is unreachable: it looks at calls, and the scope names no tool.";
    slips.push({
      code: "unreachable",
      message,
      suggestion: "Add `tool`, or one tool as in `tool:task`, to the scope.",
    });
  } else if (scope.tools.every(({ head }) => head !== undefined && namesArgument(head.text))) {
    const message = "Its `callCondition` is unreachable: it looks at calls as a whole, and the scope names arguments.";
    slips.push({ code: "unreachable", message, suggestion: "Name the tool alone, as in `tool:bash`." });
  }
  const ofTexts = (["in", "unless"] as const).filter((key) => (rule[key]?.length ?? 0) > 0);
  if (onlyJudgesCalls(rule) && ofTexts.length > 0) {
    const message = `\`${ofTexts.join("` and `")}\` means nothing to a \`callCondition\`, which looks at values and not at lines.`;
    slips.push({ code: "no-text", message, suggestion: "Say it in the schema, with `not`." });
  }
  const optional = [...new Set(conditions.flatMap((condition) => condition.optional))];
  if (optional.length > 0) {
    const names = optional.map((name) => JSON.stringify(name)).join(", ");
    const message = `Its \`callCondition\` holds on a call without ${names} too: a schema asks for nothing that its \`required\` does not name.`;
    slips.push({ code: "not-required", message, suggestion: `Add \`required: [${optional.join(", ")}]\`.` });
  }
  return slips;
}
