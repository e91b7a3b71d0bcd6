/**
 * The tool calls of one answer. Servers tell them apart by id, by index, by both or by neither: an id that was seen means its call, a
 * new id with a name a new call (also under an old index), a piece without either goes to the call of its index, else to the last one.
 */
import type { Json } from "../../agent/messages.js";
import { fields, number, objectOf, parseObject, text } from "../json.js";
import type { PartWriter } from "../part-writer.js";

interface Call {
  /** The block. */
  index: number;
  /** The server's own count. */
  place: number | undefined;
  args: string;
}

interface Piece {
  id: string;
  place: number | undefined;
  name: string;
  args: string;
}

export class ChatCalls {
  readonly #byId = new Map<string, Call>();
  readonly #byPlace = new Map<number, Call>();
  #count = 0;
  #last: Call | undefined;

  constructor(private readonly writer: PartWriter) {}

  get count(): number {
    return this.#count;
  }

  push(told: Json): void {
    const piece = read(told);
    const call = this.#find(piece) ?? this.#open(piece);
    // A call that is told whole once more at the end (with a second finish, say) is told already.
    if (!call || (piece.name !== "" && piece.args === call.args && whole(call.args))) return;
    call.args += piece.args;
    this.writer.args(call.index, piece.args);
  }

  /** @returns the call that a piece goes on with; undefined where it begins one */
  #find({ id, place, name, args }: Piece): Call | undefined {
    const known = id === "" ? undefined : this.#byId.get(id);
    // The same id under another index, with another name's worth of arguments, is a second call.
    if (known && (place === undefined || known.place === place || name === "")) return known;
    if (name !== "" && (id !== "" || place === undefined)) return undefined;
    const here = place === undefined ? undefined : this.#byPlace.get(place);
    // A name for a call that is complete begins the next one, whatever its index says.
    if (here && name !== "" && args !== here.args && whole(here.args)) return undefined;
    // Some servers make up an id for every piece; without a name nothing begins.
    return here ?? (name === "" ? this.#last : undefined);
  }

  #open({ id, place, name }: Piece): Call | undefined {
    // Nothing to call: the rest of something that never began.
    if (name === "") return undefined;
    const call = { index: this.writer.openCall(id || `call_${this.#count}`, name), place, args: "" };
    this.#count++;
    if (id !== "") this.#byId.set(id, call);
    if (place !== undefined) this.#byPlace.set(place, call);
    this.#last = call;
    return call;
  }
}

function read(told: Json): Piece {
  const piece = fields(told);
  const fn = fields(piece["function"]);
  return {
    id: text(piece["id"]) ?? "",
    place: number(piece["index"]),
    name: text(fn["name"]) ?? "",
    args: argumentText(fn["arguments"]),
  };
}

/** Some servers send the arguments as the object that they are. */
function argumentText(value: Json | undefined): string {
  return text(value) ?? (objectOf(value) ? JSON.stringify(value) : "");
}

function whole(args: string): boolean {
  // Most pieces are told apart without reading all of them again.
  return args.endsWith("}") && parseObject(args) !== undefined;
}
