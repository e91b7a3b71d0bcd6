/**
 * Thinking on this wire, under its many names. `reasoning_details` (OpenRouter and other gateways) carry signatures and encrypted pieces;
 * they are gathered and sent back as they were.
 */
import type { Json } from "../../agent/messages.js";
import { fields, type JsonObject, list, number, text } from "../json.js";

/** Fields that hold thinking as text, in the order in which they are believed: servers that send several send the same in each. */
const FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

/** @returns the thinking of one delta; "" where there is none */
export function thinkingOf(delta: JsonObject): string {
  for (const field of FIELDS) {
    const told = text(delta[field]);
    if (told) return told;
  }
  const parts = list(delta["content"]).flatMap((part) => {
    const block = fields(part);
    return text(block["type"]) === "thinking" ? list(block["thinking"]) : [];
  });
  const mistral = parts.map((part) => text(fields(part)["text"]) ?? "").join("");
  if (mistral !== "") return mistral;
  return list(delta["reasoning_details"])
    .map((detail) => text(fields(detail)["text"]) ?? text(fields(detail)["summary"]) ?? "")
    .join("");
}

/** The details of one answer, put together piece by piece. */
export class ReasoningDetails {
  readonly #details: JsonObject[] = [];

  push(pieces: Json | undefined): void {
    for (const piece of list(pieces)) this.#add(fields(piece));
  }

  get all(): readonly JsonObject[] {
    return this.#details;
  }

  /** The newest signature or encrypted text. */
  get proof(): string | undefined {
    const signed = this.#details.findLast((detail) => text(detail["signature"]) || text(detail["data"]));
    return signed ? text(signed["signature"]) || text(signed["data"]) : undefined;
  }

  #add(piece: JsonObject): void {
    const at = this.#details.findIndex((detail) => samePlace(detail, piece));
    const before = this.#details[at];
    if (!before) {
      this.#details.push(piece);
      return;
    }
    const merged: Record<string, Json> = { ...before };
    for (const [key, value] of Object.entries(piece)) {
      if (value === null) continue;
      const grows = key === "text" || key === "summary" || key === "data";
      const old = text(merged[key]);
      merged[key] = grows && old !== undefined && typeof value === "string" ? old + value : value;
    }
    this.#details[at] = merged;
  }
}

function samePlace(a: JsonObject, b: JsonObject): boolean {
  return a["type"] === b["type"] && (number(a["index"]) ?? 0) === (number(b["index"]) ?? 0);
}
