/**
 * The tool calls of one answer. Servers tell them apart by id, by index, by both or by neither: an id that was seen means its call, a
 * new id a new call (also under an old index), a piece without id goes to the call of its index, else to the last opened one.
 */
import type { Json } from "../../agent/messages.js";
import { fields, number, objectOf, text } from "../json.js";
import type { PartWriter } from "../part-writer.js";

interface Call {
  index: number;
  id: string;
}

export class ChatCalls {
  readonly #byId = new Map<string, Call>();
  readonly #byIndex = new Map<number, Call>();
  #last: Call | undefined;

  constructor(private readonly writer: PartWriter) {}

  get count(): number {
    return this.#byId.size;
  }

  push(piece: Json): void {
    const told = fields(piece);
    const fn = fields(told["function"]);
    const id = text(told["id"]) ?? "";
    const index = number(told["index"]);
    const name = text(fn["name"]) ?? "";
    const args = argumentText(fn["arguments"]);
    const call = this.#find(id, index, name) ?? this.#open(id, index, name);
    if (call) this.writer.args(call.index, args);
  }

  #find(id: string, index: number | undefined, name: string): Call | undefined {
    if (id !== "") return this.#byId.get(id);
    const known = index === undefined ? undefined : this.#byIndex.get(index);
    if (known) return known;
    // Without id and under a new index, or none, a name begins a call.
    return name === "" ? this.#last : undefined;
  }

  #open(id: string, index: number | undefined, name: string): Call | undefined {
    // Nothing to call: the rest of something that never began.
    if (name === "") return undefined;
    const own = id !== "" ? id : `call_${this.#byId.size}`;
    const call = { index: this.writer.openCall(own, name), id: own };
    this.#byId.set(own, call);
    if (index !== undefined) this.#byIndex.set(index, call);
    this.#last = call;
    return call;
  }
}

/** Some servers send the arguments as the object that they are. */
function argumentText(value: Json | undefined): string {
  return text(value) ?? (objectOf(value) ? JSON.stringify(value) : "");
}
