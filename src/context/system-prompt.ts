/** The system prompt, in the order of `cli.md`. Byte-stable within a session: no clock, no user name. */
import { injectedBody } from "../capability/injected-body.js";
import { isStreamRule, type Rule } from "../capability/rule.js";
import interrupts from "../prompts/system/interrupts.md";
import role from "../prompts/system/role.md";
import toolUse from "../prompts/system/tool-use.md";
import type { ContextFile } from "./context-files.js";

export interface SystemPromptParts {
  cwd: string;
  platform: string;
  contextFiles: readonly ContextFile[];
  /** Rules without a trigger: `alwaysApply` ones are part of the prompt, described ones are listed by name. */
  rules: readonly Rule[];
  hasTools: boolean;
  /** `--system-prompt` stands in for the role and the use of tools. */
  replace?: string;
  append?: string;
}

export function buildSystemPrompt(parts: SystemPromptParts): string {
  const advice = parts.rules.filter((rule) => !isStreamRule(rule) && rule.enabled !== false);
  const always = advice.filter((rule) => rule.alwaysApply);
  const listed = advice.filter((rule) => !rule.alwaysApply && rule.description);
  const sections = [
    parts.replace ?? role,
    parts.replace === undefined && parts.hasTools ? toolUse : "",
    interrupts,
    `# Environment\nWorking folder: ${parts.cwd}\nPlatform: ${parts.platform}`,
    ...parts.contextFiles.map((file) => `# From ${file.path}\n${file.text}`),
    ...always.map((rule) => `# Rule ${rule.name}\n${injectedBody(rule)}`),
    listed.length === 0 ? "" : `# Rules to read when they fit\n${listed.map(listLine).join("\n")}`,
    parts.append ?? "",
  ];
  return sections
    .map((section) => section.trim())
    .filter((section) => section !== "")
    .join("\n\n");
}

function listLine({ name, path, description = "" }: Rule): string {
  return `- ${name} (${path}): ${description.replaceAll(/\s+/g, " ")}`;
}
