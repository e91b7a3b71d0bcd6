/** How a model of this wire is asked to think. The rules by model are those of Anthropic's model and migration pages (2026-11). */
import type { Json, ThinkingLevel } from "../../agent/messages.js";
import { type ModelTarget, THINKING_TOKENS } from "../wire.js";

export interface ThinkingFields {
  thinking?: { readonly [key: string]: Json };
  output_config?: { readonly [key: string]: Json };
}

/** The smallest budget that the API takes, and what must remain for the answer. Tokens. */
const LEAST = 1024;

/** Versions as `major * 100 + minor`. */
const FIRST_THINKING = 307;
const FIRST_ADAPTIVE = 406;
const FIRST_XHIGH = 407;
/** From here thinking is on unless it is switched off … */
const ON_BY_DEFAULT = 500;
/** … and from here it cannot be. */
const ALWAYS_ON = 505;

/** @param maxTokens the request's output limit, in which thinking is included */
export function thinkingFields(level: ThinkingLevel, target: ModelTarget, maxTokens: number): ThinkingFields {
  const version = versionOf(target.model);
  const thinks = target.reasoning ?? (version !== undefined && version >= FIRST_THINKING);
  if (!thinks) return {};
  if (version !== undefined && version >= FIRST_ADAPTIVE) return adaptive(level, target.model, version);
  if (level === "off") return {};
  const budget = Math.min(THINKING_TOKENS[level], maxTokens - LEAST);
  return budget < LEAST ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}

function adaptive(level: ThinkingLevel, model: string, version: number): ThinkingFields {
  if (level === "off") {
    if (version < ON_BY_DEFAULT) return {};
    const switchable = version < ALWAYS_ON && /opus|sonnet|haiku/.test(model);
    return switchable ? { thinking: { type: "disabled" } } : { output_config: { effort: "low" } };
  }
  const effort = level === "minimal" ? "low" : level === "xhigh" && version < FIRST_XHIGH ? "high" : level;
  // Newer models leave the text out unless asked for it; stream rules and the user are to see it.
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
}

/** @returns "claude-sonnet-4-6" → 406, "claude-3-7-sonnet-20250219" → 307; undefined for other names */
function versionOf(model: string): number | undefined {
  const found = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  return found?.[1] === undefined ? undefined : Number(found[1]) * 100 + Number(found[2] ?? 0);
}
