import type { Tool } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import type { TtsrSettings } from "../../src/ttsr/types.js";

export const SETTINGS: TtsrSettings = {
  enabled: true,
  contextMode: "discard",
  repeatMode: "always",
  repeatGap: 3,
  interruptMode: "always",
  retryDelayMs: 50,
  budget: { perRule: 2, perRun: 5, perSession: 20 },
};

/** A rule whose name is its first trigger unless said otherwise. */
export function rule(trigger: string | string[], more: Partial<Rule> = {}): Rule {
  const ttsrTrigger = [trigger].flat();
  return {
    name: ttsrTrigger[0] ?? "none",
    path: "/p/.rules/r.md",
    provider: "project",
    content: "Do not.",
    ttsrTrigger,
    scope: [],
    globs: [],
    hash: "h1",
    ...more,
  };
}

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: "",
    parameters: {},
    readOnly: false,
    validate: (value) => ({ ok: true, value }),
    describe: async () => ({ kind: "other", title: name, paths: [] }),
    execute: async () => ({ content: [], isError: false }),
    ...more,
  };
}

export const TOOLS: Record<string, Tool> = {
  bash: tool("bash", { authored: [{ kind: "text", argument: "command" }] }),
  write: tool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" }),
  edit: tool("edit", { authored: [{ kind: "edits", argument: "edits" }], pathArgument: "path" }),
  read: tool("read", { readOnly: true, pathArgument: "path", authored: [] }),
  grep: tool("grep", { readOnly: true }),
};

/** Every way to cut a text into two, its single units, and the text as it is. */
export function cuts(text: string): string[][] {
  const two = Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => [text.slice(0, i + 1), text.slice(i + 1)]);
  return [[text], text.split(""), ...two];
}
