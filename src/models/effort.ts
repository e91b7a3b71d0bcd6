/** How hard a model is asked to think on the wires of OpenAI, and what its family takes. */
import type { ThinkingLevel } from "../agent/messages.js";
import type { ModelTarget } from "./wire.js";

type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/**
 * The efforts of each family, weakest first, by OpenAI's model pages (2026-11). The first pattern that holds counts; a family that is
 * not here gets the level as it is, and nothing at all when thinking is off.
 */
const FAMILIES: readonly [RegExp, readonly Effort[]][] = [
  [/^gpt-5\.1-codex-max/, ["none", "low", "medium", "high", "xhigh"]],
  [/^gpt-5\.1/, ["none", "low", "medium", "high"]],
  [/^gpt-5\.\d+/, ["none", "low", "medium", "high", "xhigh"]],
  [/^gpt-5-codex/, ["low", "medium", "high"]],
  [/^gpt-5/, ["minimal", "low", "medium", "high"]],
  [/^o\d/, ["low", "medium", "high"]],
  [/^gpt-oss/, ["low", "medium", "high"]],
];

/** Families that cannot think. Asking them for reasoning, or for its encrypted form, is a 400. */
const PLAIN = /^(gpt-3|gpt-4|chatgpt-4|gpt-image|text-)/;

const ORDER: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh"];

/** @returns whether the model may be asked to think; what nobody told us is judged by its name */
export function thinks(target: Pick<ModelTarget, "model" | "reasoning">): boolean {
  return target.reasoning ?? !PLAIN.test(family(target.model));
}

/**
 * @returns the effort nearest to `level` that the model's family takes (upwards first, so that a weaker one is never a surprise);
 *   undefined to leave the choice to the server
 */
export function effortFor(level: ThinkingLevel, model: string): Effort | undefined {
  const efforts = FAMILIES.find(([pattern]) => pattern.test(family(model)))?.[1];
  if (level === "off") return efforts?.[0];
  if (efforts === undefined || efforts.includes(level)) return level;
  const wanted = ORDER.indexOf(level);
  return efforts.find((effort) => ORDER.indexOf(effort) > wanted) ?? efforts.at(-1);
}

/** Gateways put the vendor before the name: `openai/gpt-5`. */
function family(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1);
}
