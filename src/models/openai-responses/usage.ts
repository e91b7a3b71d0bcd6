import type { Usage } from "../../agent/messages.js";
import { type JsonObject, number, objectOf } from "../json.js";

/** @param told the wire's `usage`: `input_tokens` holds what was read from and written to the cache, `output_tokens` the reasoning */
export function usageOf(told: JsonObject): Usage {
  const inputs = objectOf(told["input_tokens_details"]);
  const outputs = objectOf(told["output_tokens_details"]);
  const input = number(told["input_tokens"]) ?? 0;
  const output = number(told["output_tokens"]) ?? 0;
  const cacheRead = number(inputs?.["cached_tokens"]) ?? 0;
  const cacheWrite = number(inputs?.["cache_write_tokens"]) ?? 0;
  const reasoning = number(outputs?.["reasoning_tokens"]) ?? 0;
  // Some vendors count reasoning beside the output; their total says so.
  const beside = reasoning > 0 && number(told["total_tokens"]) === input + output + reasoning;
  return {
    input: Math.max(0, input - cacheRead - cacheWrite),
    output: beside ? output + reasoning : output,
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
