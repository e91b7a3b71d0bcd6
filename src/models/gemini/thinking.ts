/** How the families of this vendor are told to think. */
import type { Json, ThinkingLevel } from "../../agent/messages.js";
import { type ModelTarget, THINKING_TOKENS } from "../wire.js";

/** @returns the major version in the model's name, undefined for other families (Gemma, tuned models) */
export function generation(model: string): number | undefined {
  const version = /gemini-(\d+)/.exec(model)?.[1];
  return version === undefined ? undefined : Number(version);
}

/**
 * @returns `thinkingConfig`: a number of tokens for 2.5, a level from 3 on; undefined for what cannot think or is not known to.
 *   Limits by Google's page on thinking (2026-11): 2.5 Pro 128–32,768 and never off; Flash 0–24,576; Flash-Lite 0, 512–24,576; 3 Pro
 *   low and high only, 3.x Pro never minimal; no model of 3 can be switched off.
 */
export function thinkingConfig(level: ThinkingLevel, target: ModelTarget): Record<string, Json> | undefined {
  if (target.reasoning === false) return undefined;
  const shown = level === "off" ? {} : { includeThoughts: true };
  const major = generation(target.model);
  if (major !== undefined && major >= 3) return { ...shown, thinkingLevel: levelFor(level, target.model) };
  if (/gemini-2\.5/.test(target.model) || target.reasoning)
    return { ...shown, thinkingBudget: budgetFor(level, target.model) };
  return undefined;
}

function levelFor(level: ThinkingLevel, model: string): "MINIMAL" | "LOW" | "MEDIUM" | "HIGH" {
  const pro = /-pro/.test(model);
  switch (level) {
    case "off":
    case "minimal":
      return pro ? "LOW" : "MINIMAL";
    case "low":
      return "LOW";
    case "medium":
      return /gemini-3-pro/.test(model) ? "HIGH" : "MEDIUM";
    default:
      return "HIGH";
  }
}

function budgetFor(level: ThinkingLevel, model: string): number {
  const pro = /-pro/.test(model);
  if (level === "off") return pro ? 128 : 0;
  return Math.min(THINKING_TOKENS[level], pro ? 32_768 : 24_576);
}
