/** Whether a rule watches a lane (TTSR-2.5, 2.7, 3.1, 3.2). */
import type { Rule } from "../capability/rule.js";
import type { CallCondition } from "./calls/condition.js";
import { mayHaveFile } from "./dead-scope.js";
import { compileGlobs, type PathTest, splitList } from "./globs.js";
import { isRuleFile } from "./rule-files.js";
import { mayName, namesLane, type Scope, type ScopeProblem, scopeOf, type ToolScope } from "./scope.js";
import type { LaneInfo, LaneOptions } from "./types.js";

export interface RuleWatch {
  rule: Rule;
  scope: Scope;
  globs?: PathTest;
  /** On finished calls, in the order of the file. */
  calls?: readonly CallCondition[];
}

/** `wait`: it depends on the file, which is not known yet. */
export type Decision = "yes" | "no" | "wait";

/** @returns the watch, undefined where no token of the scope is right, and what is wrong with the scope */
export function watchOf(
  rule: Rule,
  knownTools?: readonly string[],
): { watch?: RuleWatch; problems: ScopeProblem[]; unreachable: boolean } {
  const { scope, problems } = scopeOf(rule, knownTools);
  const watchesNothing = !scope.text && !scope.thinking && scope.tools.length === 0;
  if (watchesNothing) return { problems, unreachable: false };
  const patterns = rule.globs.flatMap(splitList);
  const watch = { rule, scope, ...(patterns.length === 0 ? {} : { globs: compileGlobs(patterns, rule.below) }) };
  return {
    watch,
    problems,
    unreachable: patterns.length > 0 && !scope.tools.some(({ head }) => mayHaveFile(nameOf(head))),
  };
}

/** @returns the one name that the token stands for; undefined: it may be several */
function nameOf(head: ToolScope["head"]): string | undefined {
  return head?.whole ? head.text : undefined;
}

/** Tools that only look, where nobody says better. */
const READ_ONLY: ReadonlySet<string> = new Set(["read", "grep", "glob", "ls"]);

export function decide(watch: RuleWatch, info: LaneInfo, options: LaneOptions): Decision {
  if (info.source !== "tool") return watch.scope[info.source] && !watch.globs ? "yes" : "no";
  const toolName = info.toolName ?? "";
  const removed = isRemoved(info);
  const readOnly = options.readOnly ?? READ_ONLY.has(toolName);
  const path = info.filePath;
  const names = namesOf(toolName, options);
  let decision: Decision = "no";
  for (const tool of watch.scope.tools) {
    if ((readOnly && !tool.explicit) || !names.some((name) => namesLane(tool, name, info.argument, removed))) continue;
    const tests = [tool.path, watch.globs].filter((test) => test !== undefined);
    if (path === undefined) {
      if (tests.length === 0 && (tool.explicit || !options.expectsPath)) return "yes";
      decision = "wait";
    } else if ((tool.explicit || !isRuleFile(path)) && tests.every((test) => test(path))) return "yes";
  }
  return decision;
}

/** Whether the rule names the tool of this lane, so that what is exempt by default is watched too. */
export function namesTool({ scope }: RuleWatch, info: LaneInfo, options: LaneOptions): boolean {
  const names = namesOf(info.toolName ?? "", options);
  return scope.tools.some((tool) => tool.explicit && names.some((name) => namesLane(tool, name, info.argument, false)));
}

/** Whether the rule may watch some lane of this tool or source, whatever its argument and file. */
export function mayWatch(
  watch: RuleWatch,
  source: LaneInfo["source"],
  toolName: string,
  options: LaneOptions,
): boolean {
  if (source !== "tool") return watch.scope[source] && !watch.globs;
  const readOnly = options.readOnly ?? READ_ONLY.has(toolName);
  const names = namesOf(toolName, options);
  return watch.scope.tools.some((tool) => {
    return (tool.explicit || !readOnly) && names.some((name) => mayName(tool, name));
  });
}

/** A rule on `edit` means what is edited, by whatever name the tool goes. */
function namesOf(toolName: string, { like }: LaneOptions): string[] {
  return like === undefined ? [toolName] : [toolName, like];
}

/** The removed lines of an edit, which only a rule that names them watches (TTSR-2.4). A custom tool may have an argument of that name. */
function isRemoved(info: LaneInfo): boolean {
  return info.argument === "removed" && (info.part !== undefined || info.toolName === "edit");
}
