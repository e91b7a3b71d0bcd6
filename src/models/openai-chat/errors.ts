/** What the servers of this wire say when they fail, over HTTP and in the stream. */
import type { Json } from "../../agent/messages.js";
import type { Told } from "../classify.js";
import { fields, list, number, objectOf, parseJson, text } from "../json.js";

/** @returns what an HTTP error body says; undefined where its shape is not known */
export function readError(body: string): { code?: string; message?: string; retryAfterMs?: number } | undefined {
  const parsed = parseJson(body);
  const root = fields(list(parsed)[0] ?? parsed);
  const told = readErrorValue(root["error"] ?? parsed ?? null);
  const message = told.message || text(root["message"]) || text(root["detail"]);
  if (message === undefined || message === "") return undefined;
  return { message, ...(told.code === undefined ? {} : { code: told.code }) };
}

/** @param error an object with `message` and `code`, or a text; `metadata.raw` holds what stood behind a gateway */
export function readErrorValue(error: Json): Told {
  const plain = text(error);
  if (plain !== undefined) return { message: plain };
  const told = objectOf(error) ?? {};
  const raw = text(fields(told["metadata"])["raw"]);
  const message = [text(told["message"]) ?? "", raw ?? ""].filter((part) => part !== "").join(": ");
  const status = number(told["code"]) ?? number(told["status"]);
  const code = text(told["code"]) ?? text(told["type"]);
  return {
    message,
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
  };
}
