/** How this vendor tells a failure: as an HTTP body, as an event in the stream, as bare JSON after it. All have one shape. */
import type { Told } from "../classify.js";
import { fields, type JsonObject, list, number, objectOf, parseJson, text } from "../json.js";
import { durationOf } from "../retry-after.js";

/** Reads `{error: {code, message, status, details}}`, also as the only element of an array, as endpoints without SSE send it. */
export function readError(body: string): { code?: string; message?: string; retryAfterMs?: number } | undefined {
  const told = failureIn(body);
  if (!told) return undefined;
  const { code, message, retryAfterMs } = told;
  return { message, ...(code ? { code } : {}), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** @returns the failure that a JSON text tells, or undefined where it is none */
export function failureIn(body: string): Told | undefined {
  const value = parseJson(body);
  return failureOf(fields(objectOf(value) ?? list(value)[0]));
}

/** @returns the failure in an object with `error`, or undefined; `error: null` is none */
export function failureOf(told: JsonObject): Told | undefined {
  const plain = text(told["error"]);
  if (plain) return { message: plain };
  const error = objectOf(told["error"]);
  if (!error) return undefined;
  const status = number(error["code"]);
  const code = reasonIn(error) ?? text(error["status"]) ?? text(error["code"]);
  const retryAfterMs = retryDelayIn(error);
  return {
    message: text(error["message"]) ?? "",
    ...(status !== undefined && status >= 400 ? { status } : {}),
    ...(code ? { code } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function detail(error: JsonObject, type: string): JsonObject | undefined {
  return list(error["details"])
    .map((each) => fields(each))
    .find((each) => text(each["@type"])?.endsWith(type));
}

/** A wrong key is an `INVALID_ARGUMENT` like any other; only the detail tells. */
function reasonIn(error: JsonObject): string | undefined {
  return text(detail(error, "google.rpc.ErrorInfo")?.["reason"]);
}

function retryDelayIn(error: JsonObject): number | undefined {
  const delay = text(detail(error, "google.rpc.RetryInfo")?.["retryDelay"]);
  return delay === undefined ? undefined : durationOf(delay);
}
