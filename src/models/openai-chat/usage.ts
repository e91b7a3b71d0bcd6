/** Token counts of this wire's many servers in our terms. */
import type { Usage } from "../../agent/messages.js";
import { fields, type JsonObject, number } from "../json.js";

/**
 * `prompt_tokens` includes what came from the cache, ours does not. `completion_tokens` includes reasoning, but at xAI, whose total says
 * so.
 */
export function usageOf(told: JsonObject): Usage {
  const prompt = number(told["prompt_tokens"]) ?? 0;
  const completion = number(told["completion_tokens"]) ?? 0;
  const promptDetails = fields(told["prompt_tokens_details"]);
  const reasoning =
    number(fields(told["completion_tokens_details"])["reasoning_tokens"]) ?? number(told["reasoning_tokens"]) ?? 0;
  const cacheRead =
    number(promptDetails["cached_tokens"]) ??
    number(told["prompt_cache_hit_tokens"]) ??
    number(told["cached_tokens"]) ??
    0;
  const cacheWrite = number(promptDetails["cache_write_tokens"]) ?? number(promptDetails["cache_creation_tokens"]) ?? 0;
  const total = number(told["total_tokens"]) ?? 0;
  const onTop = reasoning > 0 && total === prompt + completion + reasoning;
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: onTop ? completion + reasoning : completion,
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
