import type { Usage } from "../../agent/messages.js";
import { type JsonObject, number } from "../json.js";

/**
 * @param told the wire's `usageMetadata`: `promptTokenCount` holds what came from the cache, but not what server tools put into the
 *   context; `candidatesTokenCount` does not hold the thoughts
 */
export function usageOf(told: JsonObject): Usage {
  const cacheRead = number(told["cachedContentTokenCount"]) ?? 0;
  const prompt = (number(told["promptTokenCount"]) ?? 0) + (number(told["toolUsePromptTokenCount"]) ?? 0);
  const reasoning = number(told["thoughtsTokenCount"]) ?? 0;
  return {
    input: Math.max(0, prompt - cacheRead),
    output: (number(told["candidatesTokenCount"]) ?? 0) + reasoning,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
