import type { Rule } from "../../src/capability/rule.js";
import type { TtsrMatch, TtsrSettings } from "../../src/ttsr/types.js";

/** The defaults of `cli.md`. */
export const DEFAULT_TTSR: TtsrSettings = {
  enabled: true,
  contextMode: "discard",
  repeatMode: "always",
  repeatGap: 10,
  interruptMode: "always",
  retryDelayMs: 50,
  budget: { perRule: 2, perRun: 5, perSession: 20 },
};

export function rule(name: string, more: Partial<Rule> = {}): Rule {
  return {
    name,
    path: `/project/.rules/${name}.md`,
    provider: "project",
    content: `The body of ${name}.`,
    ttsrTrigger: ["\\beval\\("],
    scope: [],
    globs: [],
    hash: `hash-${name}`,
    ...more,
  };
}

export function match(of: Rule, more: Partial<TtsrMatch> = {}): TtsrMatch {
  return {
    rule: of,
    trigger: 0,
    lane: {
      source: "tool",
      contentIndex: 0,
      toolCallId: "c1",
      toolName: "edit",
      argument: "added",
      filePath: "src/a.ts",
    },
    start: 10,
    end: 15,
    excerpt: "const f = eval(",
    ...more,
  };
}
