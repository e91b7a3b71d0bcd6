import type { MatchView, RuleView } from "../agent/events.js";
import type { Rule } from "../capability/rule.js";
import type { TtsrMatch } from "./types.js";

/** @returns the rule as JSON output, hooks and logs see it (`cli.md`) */
export function viewRule(rule: Rule): RuleView {
  return { name: rule.name, path: rule.path, description: rule.description ?? "" };
}

/** @returns the match as JSON output, hooks and logs see it (`cli.md`) */
export function viewMatch(match: TtsrMatch): MatchView {
  const { source, toolName, argument, filePath } = match.lane;
  return {
    rule: match.rule.name,
    source,
    ...(toolName === undefined ? {} : { toolName }),
    ...(argument === undefined ? {} : { argument }),
    ...(filePath === undefined ? {} : { filePath }),
    excerpt: match.excerpt,
    start: match.start,
    end: match.end,
  };
}

/** @returns the rules of a batch, each once, in order of their first match */
export function rulesOf(batch: readonly TtsrMatch[]): Rule[] {
  return [...new Set(batch.map((match) => match.rule))];
}
