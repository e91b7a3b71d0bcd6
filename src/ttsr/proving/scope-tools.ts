/** Tools that a rule's scope names. That one of them is unknown is no fault: an MCP server or an extension may bring it. */
import type { Rule, RuleDiagnostic } from "../../capability/rule.js";
import { didYouMean } from "../../platform/did-you-mean.js";
import { splitList } from "../globs.js";
import type { Lab } from "./run-sample.js";

/** Our own, and how others call theirs that do the same. */
const OURS: ReadonlyMap<string, readonly string[]> = new Map([
  ["bash", ["shell", "terminal", "exec", "run", "run_command", "execute_command", "exec_command"]],
  ["edit", ["multiedit", "multi_edit", "str_replace", "str_replace_editor", "replace", "search_replace", "edit_file"]],
  ["write", ["create", "write_file", "create_file", "write_to_file"]],
  ["read", ["read_file", "view"]],
  ["grep", ["search", "rg"]],
  ["glob", ["find", "list_files"]],
  ["ls", ["list_dir"]],
]);

/** @returns one remark for each tool that the scope names and that is not here now */
export function remarksOnScope(rule: Rule, { tools }: Pick<Lab, "tools">): RuleDiagnostic[] {
  const named = rule.scope.flatMap(splitList).flatMap((token) => toolIn(token) ?? []);
  const unknown = [...new Set(named)].filter((name) => !readings(name).some((one) => tools(one) !== undefined));
  return unknown.map((name) => {
    const meant = ourNameOf(name.split(".")[0] ?? "");
    return {
      severity: "info",
      code: "unknown-tool",
      message: `Its scope names the tool "${name}"; no tool of this name is known now.`,
      path: rule.path,
      ...(meant === undefined ? {} : { suggestion: `Did you mean "tool:${meant}"?` }),
    };
  });
}

/** A name with a wildcard may mean anything. A bare word that is no tool is told of where scopes are read. */
function toolIn(token: string): string | undefined {
  const [, name] = /^(?:tool|toolcall)\s*:\s*([^(]+)/.exec(token.trim()) ?? [];
  return name === undefined || name.includes("*") ? undefined : name.trim();
}

/** A dot may belong to the name or divide it from the argument. */
function readings(name: string): string[] {
  const parts = name.split(".");
  return parts.map((_, at) => parts.slice(0, at + 1).join("."));
}

function ourNameOf(name: string): string | undefined {
  const low = name.toLowerCase();
  for (const [ours, others] of OURS) if (low === ours || others.includes(low)) return ours;
  return didYouMean(low, [...OURS.keys()]);
}
