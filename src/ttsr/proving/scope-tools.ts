/** Tools that a rule's scope names. That one of them is unknown is no fault: an MCP server or an extension may bring it. */
import type { Rule, RuleDiagnostic } from "../../capability/rule.js";
import { splitList } from "../globs.js";
import type { Lab } from "./run-sample.js";

const NO_TOOL: readonly string[] = ["text", "thinking", "tool", "toolcall"];

/** @returns one remark for each tool that the scope names and that is not here now */
export function remarksOnScope(rule: Rule, { tools }: Pick<Lab, "tools">): RuleDiagnostic[] {
  const named = rule.scope.flatMap(splitList).flatMap((token) => toolIn(token) ?? []);
  const unknown = [...new Set(named)].filter((name) => !readings(name).some((one) => tools(one) !== undefined));
  return unknown.map((name) => ({
    severity: "info",
    code: "unknown-tool",
    message: `Its scope names the tool "${name}"; no tool of this name is known now.`,
    path: rule.path,
  }));
}

/** A name with a wildcard may mean anything. */
function toolIn(token: string): string | undefined {
  const [, word = "", name] = /^([A-Za-z_][\w-]*)(?::([^(]+))?/.exec(token.trim()) ?? [];
  const tool = name ?? (NO_TOOL.includes(word) ? "" : word);
  return tool === "" || tool.includes("*") ? undefined : tool;
}

/** A dot may belong to the name or divide it from the argument. */
function readings(name: string): string[] {
  const parts = name.split(".");
  return parts.map((_, at) => parts.slice(0, at + 1).join("."));
}
