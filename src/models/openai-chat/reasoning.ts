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
    const at = this.#details.findLastIndex((detail) => samePlace(detail, piece));
    const before = this.#details[at];
    if (!before || !grows(before, piece)) {
      this.#details.push(piece);
      return;
    }
    const merged: Record<string, Json> = { ...before };
    for (const [key, value] of Object.entries(piece)) {
      if (value === null) continue;
      const old = text(merged[key]);
      const words = (key === "text" || key === "summary") && typeof value === "string";
      merged[key] = words && old !== undefined ? old + value : value;
    }
    this.#details[at] = merged;
  }
}

/** Several answers of a model behind the gateway count from 0 each; then their ids tell them apart. */
function samePlace(a: JsonObject, b: JsonObject): boolean {
  const [one, other] = [text(a["id"]), text(b["id"])];
  if (one && other && one !== other) return false;
  return a["type"] === b["type"] && (number(a["index"]) ?? 0) === (number(b["index"]) ?? 0);
}

/** Encrypted data comes whole, and so a second one is another; words after a signature are no longer what was signed. */
function grows(before: JsonObject, piece: JsonObject): boolean {
  if (text(before["data"])) return before["data"] === piece["data"];
  return !text(before["signature"]) || !(text(piece["text"]) || text(piece["summary"]));
}
