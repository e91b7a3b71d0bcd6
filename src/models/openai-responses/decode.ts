import { NO_USAGE, type Usage } from "../../agent/messages.js";
import type { StreamPart } from "../../agent/ports.js";
import { brokenEventError, incompleteError, quote, toldError, unknownStopError } from "../errors.js";
import { fields, type JsonObject, list, number, objectOf, parseObject, text } from "../json.js";
import { PartWriter } from "../part-writer.js";
import type { ModelTarget, WireDecoder, WireEvent } from "../wire.js";
import { failureIn } from "./errors.js";
import { CallItem, MessageItem, OpaqueItem, type OutputItem, ReasoningItem } from "./items.js";
import { usageOf } from "./usage.js";

/** @returns a decoder for one answer */
export function createDecoder(target: ModelTarget): WireDecoder {
  return new ResponsesDecoder(target);
}

/** Events that add to a text of an item: which of the item's texts (the number beside the name tells one from the next). */
const PIECES: Readonly<Record<string, readonly [slot: string, number: string]>> = {
  "response.output_text": ["text", "content_index"],
  "response.refusal": ["refusal", "content_index"],
  "response.reasoning_summary_text": ["summary", "summary_index"],
  "response.reasoning_text": ["text", "content_index"],
  "response.function_call_arguments": ["arguments", ""],
  "response.custom_tool_call_input": ["input", ""],
};

/** Where the text stands in the `.done` event. */
const WHOLES: Readonly<Record<string, string>> = { refusal: "refusal", arguments: "arguments", input: "input" };

interface Slot {
  item: OutputItem;
  id: string | undefined;
  done: boolean;
}

/**
 * Items are known by their `output_index`: some servers give an item another id in each event, and some write two items at once.
 */
class ResponsesDecoder implements WireDecoder {
  readonly #writer = new PartWriter();
  readonly #slots = new Map<number, Slot>();
  #newest = -1;
  #called = false;
  #refused = false;

  constructor(private readonly target: ModelTarget) {}

  get working(): boolean {
    return this.#writer.working;
  }

  push(event: WireEvent): StreamPart[] {
    if (this.#writer.done || event.data.trim() === "[DONE]" || event.data.trim() === "") return [];
    const told = parseObject(event.data);
    if (told) this.#take(text(told["type"]) ?? event.event ?? "", told);
    else this.#writer.error(brokenEventError(this.target, event.data));
    return this.#writer.take();
  }

  end(unframed: string): StreamPart[] {
    if (this.#writer.done) return [];
    const told = parseObject(unframed);
    const failure = told && "error" in told ? failureIn(told) : undefined;
    this.#writer.error(failure ? toldError(failure, this.target) : incompleteError(this.target));
    return this.#writer.take();
  }

  #take(type: string, told: JsonObject): void {
    const response = fields(told["response"]);
    switch (type) {
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.#writer.start(text(response["id"]), text(response["model"]));
        return;
      case "response.output_item.added":
        this.#open(indexIn(told) ?? this.#newest + 1, fields(told["item"]));
        return;
      case "response.output_item.done":
        this.#close(indexIn(told) ?? this.#newest, fields(told["item"]));
        return;
      case "response.completed":
      case "response.incomplete":
        this.#finish(type, response);
        return;
      case "response.failed":
      case "response.cancelled":
        this.#usage(response);
        this.#fail(failureIn(fields(response["error"])) ?? { code: "server_error", message: type });
        return;
      case "error":
        this.#fail(failureIn(told) ?? { code: "server_error", message: "" });
        return;
    }
    // Gateways put their own failure into the stream without any type.
    if (type === "" && objectOf(told["error"])) this.#fail(failureIn(told) ?? { message: "" });
    else this.#piece(type, told);
  }

  #piece(type: string, told: JsonObject): void {
    const cut = type.lastIndexOf(".");
    const piece = PIECES[type.slice(0, cut)];
    if (!piece) return;
    const item = this.#slots.get(indexIn(told) ?? this.#newest)?.item;
    if (!item) return;
    const [slot, counter] = piece;
    const name = counter === "" ? slot : `${slot}:${number(told[counter]) ?? 0}`;
    if (type.endsWith(".delta")) item.delta(name, text(told["delta"]) ?? "");
    else if (type.endsWith(".done")) item.whole(name, text(told[WHOLES[slot] ?? "text"]) ?? "");
  }

  /** A new id under an old index is a new item; the same item announced twice is not. */
  #open(index: number, added: JsonObject): Slot {
    const old = this.#slots.get(index);
    const callId = text(added["call_id"]);
    if (old && !old.done) {
      if (old.item.type === added["type"] && (callId === undefined || callId === old.item.callId)) return old;
      old.item.done({});
    }
    const slot: Slot = { item: this.#itemFor(index, added), id: text(added["id"]), done: false };
    this.#slots.set(index, slot);
    this.#newest = index;
    return slot;
  }

  #itemFor(index: number, added: JsonObject): OutputItem {
    switch (added["type"]) {
      case "message":
        return new MessageItem(this.#writer, (words) => {
          this.#refused = true;
          this.#writer.warning(`The model refused: ${quote(words, 300)}`);
        });
      case "reasoning":
        return new ReasoningItem(this.#writer, added);
      case "function_call":
      case "custom_tool_call":
        return new CallItem(this.#writer, added, `call_${index}`, () => {
          this.#called = true;
        });
      default:
        return new OpaqueItem(this.#writer, added);
    }
  }

  #close(index: number, item: JsonObject): void {
    const known = this.#slots.get(index);
    if (known?.done && known.item.type === item["type"]) return;
    const slot = known && !known.done && known.item.type === item["type"] ? known : this.#open(index, item);
    slot.item.done(item);
    slot.done = true;
    slot.id = text(item["id"]) ?? slot.id;
  }

  #finish(type: string, response: JsonObject): void {
    this.#writer.start(text(response["id"]), text(response["model"]));
    this.#closeRest(response);
    const usage = this.#usage(response) ?? { ...NO_USAGE };
    if (type === "response.completed") {
      const reason = this.#refused ? "refusal" : this.#called ? "toolUse" : "stop";
      this.#writer.finish(reason, text(response["status"]) ?? "completed", usage);
      return;
    }
    const why = text(objectOf(response["incomplete_details"])?.["reason"]);
    if (why === "content_filter") this.#writer.finish("refusal", why, usage);
    else if (why === undefined || why.startsWith("max_")) this.#writer.finish("length", why ?? "incomplete", usage);
    else this.#writer.error(unknownStopError(this.target, why));
  }

  /** Servers that send no `output_item.done`, or no event for an item at all, still tell it in the final object. */
  #closeRest(response: JsonObject): void {
    const output = list(response["output"]).map((item) => fields(item));
    const ids = new Set([...this.#slots.values()].flatMap(({ id, item }) => [id, item.callId]));
    for (const [index, item] of output.entries()) {
      const slot = this.#slots.get(index);
      if (slot?.done) continue;
      const known = ids.has(text(item["id"]) ?? text(item["call_id"]) ?? "");
      if (slot ? slot.item.type === item["type"] : !known) this.#close(index, item);
    }
    for (const slot of this.#slots.values()) {
      if (!slot.done) slot.item.done({});
      slot.done = true;
    }
  }

  #usage(response: JsonObject): Usage | undefined {
    const told = objectOf(response["usage"]);
    if (!told) return undefined;
    const usage = usageOf(told);
    this.#writer.usage(usage);
    return usage;
  }

  #fail(failure: NonNullable<ReturnType<typeof failureIn>>): void {
    this.#writer.error(toldError(failure, this.target));
  }
}

function indexIn(told: JsonObject): number | undefined {
  return number(told["output_index"]);
}
