/** Tools that a rule's scope names. That one of them is unknown is no fault: an MCP server or an extension may bring it. */
import type { Json } from "../../agent/messages.js";
import type { Rule, RuleDiagnostic } from "../../capability/rule.js";
import { didYouMean } from "../../platform/did-you-mean.js";
import { splitList } from "../globs.js";
import { isBareTool } from "../scope.js";
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

/**
 * @returns one remark for each tool that the scope names by its bare name, for each that is not here now, and for each argument that its
 * tools do not have
 */
export function remarksOnScope(rule: Rule, lab: Pick<Lab, "tools">): RuleDiagnostic[] {
  return [...bareTools(rule), ...unknownTools(rule, lab), ...unknownArguments(rule, lab)];
}

/** It works, and looks like a slip to whoever reads the next rule: only the tools that are built in can be named so. */
function bareTools(rule: Rule): RuleDiagnostic[] {
  const bare = [...new Set(rule.scope.flatMap(splitList).filter((token) => isBareTool(token)))];
  return bare.map((token) => ({
    severity: "info",
    code: "bare-tool",
    message: `Its scope names the tool "${token}" without "tool:".`,
    path: rule.path,
    suggestion: `Write "tool:${token}".`,
  }));
}

function unknownTools(rule: Rule, { tools }: Pick<Lab, "tools">): RuleDiagnostic[] {
  const named = rule.scope.flatMap(splitList).flatMap((token) => toolIn(token) ?? []);
  const unknown = [...new Set(named)].filter((name) => !isKnown(name, tools));
  return unknown.map((name) => {
    const meant = toolMeant(name);
    return {
      severity: "info",
      code: "unknown-tool",
      message: `Its scope names the tool "${name}"; no tool of this name is known now.`,
      path: rule.path,
      ...(meant === undefined ? {} : { suggestion: `Did you mean "tool:${meant}"?` }),
    };
  });
}

/** @param name of a tool, or of one and its argument */
export function isKnown(name: string, tools: Lab["tools"]): boolean {
  return readings(name).some((one) => tools(one) !== undefined);
}

/** @returns the tool of ours that was probably meant */
export function toolMeant(name: string): string | undefined {
  return ourNameOf(name.split(".")[0] ?? "");
}

/** Of a condition on calls; nothing is said where one of its tools is not known, or all are meant. */
function unknownArguments(rule: Rule, { tools }: Pick<Lab, "tools">): RuleDiagnostic[] {
  const named = rule.scope.flatMap(splitList).map(toolIn);
  const theirs = named.map((name) => (name === undefined ? undefined : keysOf(tools(name)?.parameters)));
  if (theirs.length === 0 || theirs.includes(undefined)) return [];
  const known = [...new Set(theirs.flatMap((keys) => keys ?? []))];
  const asked = (rule.callCondition ?? []).flatMap(({ required, properties }) => [
    ...(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
    ...Object.keys(isRecord(properties) ? properties : {}),
  ]);
  return [...new Set(asked)]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = didYouMean(name, known);
      return {
        severity: "info",
        code: "unknown-argument",
        message: `Its \`callCondition\` is about "${name}", and ${named.join(", ")} ${named.length === 1 ? "has" : "have"} no such argument.`,
        path: rule.path,
        suggestion: near === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${near}"?`,
      };
    });
}

/** @returns undefined where a tool does not say what it takes */
function keysOf(parameters: Json | undefined): string[] | undefined {
  const properties = isRecord(parameters) ? parameters["properties"] : undefined;
  const keys = isRecord(properties) ? Object.keys(properties) : [];
  return keys.length === 0 ? undefined : keys;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
