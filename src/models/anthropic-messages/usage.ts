/** Usage as this wire tells it: in the first event and, newer, in the last but one. */
import type { Json, Usage } from "../../agent/messages.js";
import { fields, type JsonObject, number } from "../json.js";

/** @returns `told` with what is not null in `more` laid over it */
export function mergeUsage(told: JsonObject, more: Json | undefined): JsonObject {
  return { ...told, ...Object.fromEntries(Object.entries(fields(more)).filter(([, value]) => value !== null)) };
}

/** The top level is this request as it was read; `iterations` add up what was billed beside it. `input_tokens` leaves the cache out. */
export function usageOf(told: JsonObject): Usage {
  const reasoning = number(fields(told["output_tokens_details"])["thinking_tokens"]) ?? 0;
  return {
    input: number(told["input_tokens"]) ?? 0,
    output: number(told["output_tokens"]) ?? 0,
    cacheRead: number(told["cache_read_input_tokens"]) ?? 0,
    cacheWrite: number(told["cache_creation_input_tokens"]) ?? 0,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
