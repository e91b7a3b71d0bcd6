/** One output item each: what has come of it so far, and how its events become parts. The decoder finds the item, the item the block. */
import { fields, type JsonObject, list, objectOf, text } from "../json.js";
import type { PartWriter } from "../part-writer.js";

/** An item that is being written. Every method may come more than once, in any order, or never. */
export interface OutputItem {
  readonly type: string;
  readonly callId?: string;
  /** A piece. @param slot which of the item's texts it belongs to */
  delta(slot: string, words: string): void;
  /** A whole text: whatever of it has not come as pieces is written now. */
  whole(slot: string, words: string): void;
  /** Ends the block. @param item as the server tells it when it is finished; empty where it never does */
  done(item: JsonObject): void;
}

/** Remembers what came of each text of an item, so that a text told whole at the end adds only what is missing. */
class Texts {
  readonly #sofar = new Map<string, string>();

  add(slot: string, piece: string): void {
    this.#sofar.set(slot, this.of(slot) + piece);
  }

  of(slot: string): string {
    return this.#sofar.get(slot) ?? "";
  }

  /**
   * @returns whether the finished item may still add to this text: where pieces came under other numbers than the item has, its texts
   *   would be written twice
   */
  takes(slot: string, none: boolean): boolean {
    return none || this.#sofar.has(slot);
  }

  get none(): boolean {
    return this.#sofar.size === 0;
  }

  all(): string[] {
    return [...this.#sofar.values()];
  }

  /** @returns what of `whole` is still to be written; undefined where the pieces say something else */
  missing(slot: string, whole: string): string | undefined {
    const sofar = this.of(slot);
    return whole.startsWith(sofar) ? whole.slice(sofar.length) : undefined;
  }
}

/** `message`: its texts are one text block; a refusal is not text, but kept beside it. */
export class MessageItem implements OutputItem {
  readonly type = "message";
  readonly #texts = new Texts();
  readonly #refusals = new Texts();
  #index: number | undefined;

  constructor(
    private readonly writer: PartWriter,
    private readonly onRefusal: (words: string) => void,
  ) {}

  delta(slot: string, words: string): void {
    if (words === "") return;
    if (slot.startsWith("refusal")) {
      this.#refusals.add(slot, words);
      return;
    }
    this.#texts.add(slot, words);
    this.#index ??= this.writer.openText();
    this.writer.text(this.#index, words);
  }

  whole(slot: string, words: string): void {
    const texts = slot.startsWith("refusal") ? this.#refusals : this.#texts;
    this.delta(slot, texts.missing(slot, words) ?? "");
  }

  done(item: JsonObject): void {
    const none = this.#texts.none;
    for (const [at, value] of list(item["content"]).entries()) {
      const part = fields(value);
      if (this.#texts.takes(`text:${at}`, none)) this.whole(`text:${at}`, text(part["text"]) ?? "");
      this.whole(`refusal:${at}`, text(part["refusal"]) ?? "");
    }
    const id = text(item["id"]);
    if (this.#index !== undefined) {
      const phase = text(item["phase"]);
      if (id) this.writer.replay(this.#index, { id, ...(phase ? { phase } : {}) });
      this.writer.end(this.#index);
    }
    const refusals = this.#refusals.all();
    if (refusals.length === 0) return;
    const content = refusals.map((refusal) => ({ type: "refusal", refusal }));
    const own = id && this.#index === undefined ? { id } : {};
    this.writer.opaque({ type: "message", ...own, role: "assistant", content, status: "completed" });
    this.onRefusal(refusals.join(" "));
  }
}

/** `reasoning`: all parts of its summary, and its raw text where a server shows it, are one thinking block. */
export class ReasoningItem implements OutputItem {
  readonly type = "reasoning";
  readonly #texts = new Texts();
  #index: number | undefined;

  constructor(
    private readonly writer: PartWriter,
    added: JsonObject,
  ) {
    // What is encrypted from the start is a block, also where no word of it is shown: it must stand before what follows from it.
    if (text(added["encrypted_content"])) this.#index = writer.openThinking();
  }

  delta(slot: string, words: string): void {
    if (words === "") return;
    this.#texts.add(slot, words);
    this.#index ??= this.writer.openThinking();
    this.writer.thinking(this.#index, words);
  }

  whole(slot: string, words: string): void {
    this.delta(slot, this.#texts.missing(slot, words) ?? "");
  }

  done(item: JsonObject): void {
    const summary = textsOf(item["summary"]);
    const raw = textsOf(item["content"]);
    const none = this.#texts.none;
    for (const [name, texts] of Object.entries({ summary, text: raw })) {
      for (const [at, words] of texts.entries()) {
        if (this.#texts.takes(`${name}:${at}`, none)) this.whole(`${name}:${at}`, words);
      }
    }
    const signature = text(item["encrypted_content"]);
    if (signature) this.#index ??= this.writer.openThinking();
    if (this.#index === undefined) return;
    if (signature) {
      const id = text(item["id"]);
      // One part of summary and nothing else is the thinking itself.
      const plain = raw.length === 0 && summary.length <= 1;
      this.writer.signature(this.#index, signature);
      this.writer.replay(this.#index, { ...(id ? { id } : {}), ...(plain ? {} : { summary }) });
    }
    this.writer.end(this.#index);
  }
}

/** For a call that never gets a name: it cannot run, but is told. */
const NAMELESS = "unnamed";

/** `function_call`, or `custom_tool_call`, whose input is free text: never JSON of ours, so answered with an error and not run. */
export class CallItem implements OutputItem {
  readonly type: string;
  readonly callId: string;
  readonly #texts = new Texts();
  readonly #key: "arguments" | "input";
  #index: number | undefined;

  /** @param fallbackId for a server that gives the call no id */
  constructor(
    private readonly writer: PartWriter,
    added: JsonObject,
    fallbackId: string,
    private readonly onOpen: () => void,
  ) {
    this.type = text(added["type"]) ?? "function_call";
    this.#key = this.type === "custom_tool_call" ? "input" : "arguments";
    this.callId = text(added["call_id"]) || text(added["id"]) || fallbackId;
    this.#open(added);
    this.whole(this.#key, text(added[this.#key]) ?? "");
  }

  delta(_slot: string, words: string): void {
    this.#texts.add(this.#key, words);
    if (this.#index !== undefined) this.writer.args(this.#index, words);
  }

  whole(_slot: string, words: string): void {
    const missing = this.#texts.missing(this.#key, words);
    if (missing !== undefined) this.delta(this.#key, missing);
    else if (words !== "")
      this.writer.warning(
        "The provider told the arguments of a tool call twice and differently; the streamed ones count.",
      );
  }

  done(item: JsonObject): void {
    this.#open({ name: text(item["name"]) || NAMELESS });
    const told = item[this.#key];
    this.whole(this.#key, text(told) ?? (objectOf(told) ? JSON.stringify(told) : ""));
    if (this.#index === undefined) return;
    const id = text(item["id"]);
    const custom = this.#key === "input" ? { custom: this.#texts.of(this.#key) } : {};
    if (id || this.#key === "input") this.writer.replay(this.#index, { ...(id ? { id } : {}), ...custom });
    this.writer.end(this.#index);
  }

  /** A call whose name comes late is opened late, with what has come of it till then. */
  #open(item: JsonObject): void {
    const name = text(item["name"]);
    if (this.#index !== undefined || !name) return;
    this.onOpen();
    this.#index = this.writer.openCall(this.callId, name);
    this.writer.args(this.#index, this.#texts.of(this.#key));
  }
}

/** Server tools and whatever else there will be: kept whole, in its place. */
export class OpaqueItem implements OutputItem {
  readonly type: string;
  readonly callId?: string;
  readonly #index: number;

  constructor(
    private readonly writer: PartWriter,
    private readonly added: JsonObject,
  ) {
    this.type = text(added["type"]) ?? "";
    const callId = text(added["call_id"]);
    if (callId) this.callId = callId;
    this.#index = writer.openOpaque();
  }

  delta(): void {
    // The finished item holds it all.
  }

  whole(): void {
    // The finished item holds it all.
  }

  done(item: JsonObject): void {
    this.writer.opaque(item["type"] === undefined ? this.added : item, this.#index);
  }
}

function textsOf(parts: JsonObject[string] | undefined): string[] {
  return list(parts).map((part) => text(objectOf(part)?.["text"]) ?? "");
}
