/** The texts that put a rule before the model (TTSR-6.3). Templates are markdown files; values are escaped so that none can close the tag. */
import { injectedBody } from "../capability/injected-body.js";
import type { Rule } from "../capability/rule.js";
import attachedTemplate from "../prompts/system/rule-attached.md";
import blockedTemplate from "../prompts/system/ttsr-blocked.md";
import interruptTemplate from "../prompts/system/ttsr-interrupt.md";
import againTemplate from "../prompts/system/ttsr-interrupt-again.md";
import reminderTemplate from "../prompts/system/ttsr-reminder.md";
import type { TtsrMatch } from "./types.js";

const TEMPLATES = {
  interrupt: interruptTemplate,
  again: againTemplate,
  reminder: reminderTemplate,
  blocked: blockedTemplate,
};

/** Places of one rule that are told: two files of a patch, two calls of an answer. */
const MOST_PLACES = 5;

/** @returns the matches of the rule in these, each place once, as many as are told */
export function placesOf({ name }: Rule, matches: readonly TtsrMatch[]): TtsrMatch[] {
  const places = new Map<string, TtsrMatch>();
  for (const match of matches) {
    const told = cutAt(match);
    if (match.rule.name === name && !places.has(told)) places.set(told, match);
    if (places.size === MOST_PLACES) break;
  }
  return [...places.values()];
}

/**
 * @param matches those of the rule among them say what was cut
 * @param whole false where the rule's text already stands in the context: then only what was cut and what to do instead is said
 */
export function ruleText(
  kind: keyof typeof TEMPLATES,
  rule: Rule,
  matches: readonly TtsrMatch[],
  whole: boolean,
): string {
  const values: Record<string, string> = {
    name: escapeAttribute(rule.name),
    path: escapeAttribute(rule.path),
    cut: escapeBody(placesOf(rule, matches).map(cutAt).join("\nand ")),
    instead: rule.instead ? `Do this instead: ${escapeBody(oneLine(rule.instead))}` : "",
    content: whole ? escapeBody(injectedBody(rule)) : alreadySaid(rule),
  };
  return filled(TEMPLATES[kind], values);
}

/** @param file the one that brings the rule in, relative to the project */
export function attachedText(rule: Rule, file: string): string {
  return filled(attachedTemplate, {
    name: escapeAttribute(rule.name),
    path: escapeAttribute(rule.path),
    file: escapeBody(oneLine(file)),
    content: escapeBody(injectedBody(rule)),
  });
}

/** Lines that are empty once the values are in are left out. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template
    .trim()
    .split("\n")
    .map((line) => line.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? ""))
    .filter((line) => line !== "")
    .join("\n");
}

function alreadySaid(rule: Rule): string {
  return `The rule "${escapeBody(rule.name)}" stands above in full.`;
}

function cutAt(match: TtsrMatch): string {
  return `${whereOf(match)}: ${match.excerpt.trim()}`;
}

function whereOf({ lane, repeats }: TtsrMatch): string {
  const itself = repeats === undefined ? "" : `, which repeats itself (${repeats})`;
  if (lane.source !== "tool") return `your ${lane.source === "text" ? "answer" : "thinking"}${itself}`;
  const file = lane.filePath ? ` of ${oneLine(lane.filePath)}` : "";
  return `${lane.toolName ?? "a tool"} call${file}${lane.argument ? ` (${lane.argument})` : ""}`;
}

function escapeAttribute(text: string): string {
  return oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Any spelling of the tag, full-width letters and brackets and spaces between included, loses its bracket. */
const TAG =
  /[<\uFF1C\uFE64](\s*[/\uFF0F]?\s*(?:s|\uFF53|\uFF33)\s*(?:y|\uFF59|\uFF39)\s*(?:s|\uFF53|\uFF33)\s*(?:t|\uFF54|\uFF34)\s*(?:e|\uFF45|\uFF25)\s*(?:m|\uFF4D|\uFF2D)\s*[-\uFF0D\u2010-\u2015])/giu;

function escapeBody(text: string): string {
  return text.replace(TAG, "&lt;$1");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
