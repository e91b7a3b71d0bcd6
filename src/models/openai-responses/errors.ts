/** How servers of this wire tell a failure: in the body of an HTTP error, in an `error` event, in `response.failed`. */
import type { Told } from "../classify.js";
import { type JsonObject, number, objectOf, parseObject, text } from "../json.js";

/**
 * Reads `{error: {code, type, message}}` (OpenAI, Azure, OpenRouter), `{code, error: "…"}` (xAI), `{code, message}` (an `error` event),
 * `{detail: "…"}` and `{message: "…"}` (local servers).
 */
export function readError(body: string): { code?: string; message?: string; retryAfterMs?: number } | undefined {
  const told = parseObject(body);
  const failure = told && failureIn(told);
  if (!failure) return undefined;
  return { ...(failure.code ? { code: failure.code } : {}), ...(failure.message ? { message: failure.message } : {}) };
}

/** @returns what an object says of a failure, or undefined where it says nothing */
export function failureIn(told: JsonObject): Told | undefined {
  const inner = objectOf(told["error"]);
  const message = text(inner?.["message"]) ?? text(told["error"]) ?? text(told["message"]) ?? text(told["detail"]);
  const code = codeIn(inner) ?? codeIn(told);
  if (message === undefined && code === undefined) return undefined;
  const status = number(inner?.["code"]) ?? number(told["status"]) ?? number(told["code"]);
  return {
    message: message ?? "",
    ...(code ? { code } : {}),
    ...(status !== undefined && status >= 400 ? { status } : {}),
  };
}

/** `code` is the narrower word, but may be null or a number; a `type` of `error` is only the event's name. */
function codeIn(told: JsonObject | undefined): string | undefined {
  const type = text(told?.["type"]);
  return text(told?.["code"]) || (type === "error" || type?.startsWith("response.") ? undefined : type) || undefined;
}
