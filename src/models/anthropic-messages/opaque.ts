/** Blocks that are not ours to act on (server tools and their results, compaction, kinds yet unknown), put together as they stream. */
import type { Json } from "../../agent/messages.js";
import { fields, type JsonObject, list, parseJson, text } from "../json.js";

/** One such block while it is open. */
export class OpaqueBlockBuilder {
  #block: Record<string, Json>;
  #input = "";

  /** @param block the `content_block` of its start */
  constructor(block: JsonObject) {
    this.#block = { ...block };
  }

  /** Strings grow, citations are gathered, anything else is laid over. */
  apply(delta: JsonObject): void {
    for (const [key, value] of Object.entries(delta)) {
      const has = this.#block[key];
      if (key === "type") continue;
      if (key === "partial_json") this.#input += text(value) ?? "";
      else if (key === "citation") this.#block["citations"] = [...list(this.#block["citations"]), value];
      else if (typeof value === "string" && typeof has === "string") this.#block[key] = has + value;
      else if (value !== null) this.#block[key] = value;
    }
  }

  /** @returns the block as it would stand in an answer that does not stream */
  build(): JsonObject {
    if (this.#input === "") return this.#block;
    return { ...this.#block, input: parseJson(this.#input) ?? fields(this.#block["input"]) };
  }
}
