/** Careful reading of JSON that somebody else wrote. */
import { isTooDeep } from "../agent/json-depth.js";
import type { Json } from "../agent/messages.js";

export type JsonObject = { readonly [key: string]: Json };

/** @returns the value, or undefined where the text is no JSON, or nested so deep that nobody could write it down again */
export function parseJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Told by the caller, who knows what it means here.
    return undefined;
  }
}

/** @returns the object, or undefined where the text is no JSON object */
export function parseObject(text: string): JsonObject | undefined {
  return objectOf(parseJson(text));
}

/** @returns the object; undefined where there is none */
export function objectOf(value: Json | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** @returns the array; an empty one where there is none */
export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** @returns the object; an empty one where there is none */
export function fields(value: Json | undefined): JsonObject {
  return objectOf(value) ?? {};
}

/** @returns the string; undefined where there is none */
export function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** @returns the number; undefined where there is none */
export function number(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const SURROGATE = /[\uD800-\uDFFF]/;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** @returns the text without halves of surrogate pairs, for which servers refuse a whole conversation */
export function wellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(LONE_SURROGATE, "\uFFFD") : text;
}

/** The same for every string in a value. */
export function wellFormedJson(value: Json): Json {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(wellFormedJson);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), wellFormedJson(item)]));
}
