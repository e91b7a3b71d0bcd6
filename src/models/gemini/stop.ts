/** What a `finishReason` or a `blockReason` of this wire means. */

/** The answer was held back because of what it says. */
const REFUSALS: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
  "MODEL_ARMOR",
  "JAILBREAK",
]);

/** The model lost its way in a call: nothing of it can run, and a second try often does. */
const BROKEN_CALLS: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
  "MALFORMED_RESPONSE",
]);

type Stop = "stop" | "length" | "refusal" | "broken-call" | "unknown";

export function stopFor(reason: string): Stop {
  if (reason === "STOP") return "stop";
  if (reason === "MAX_TOKENS") return "length";
  if (REFUSALS.has(reason)) return "refusal";
  return BROKEN_CALLS.has(reason) ? "broken-call" : "unknown";
}
