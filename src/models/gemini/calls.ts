/** The tool calls of one answer: whole in one part, or in pieces over many. */
import { fields, type JsonObject, list, objectOf, text } from "../json.js";
import type { PartWriter } from "../part-writer.js";
import { PartialArgs } from "./partial-args.js";

interface OpenCall {
  index: number;
  id: string | undefined;
  name: string;
  args: PartialArgs;
}

export class Calls {
  /** The call whose arguments are still coming. The wire writes one after another. */
  #open: OpenCall | undefined;
  readonly #ids = new Set<string>();
  #count = 0;

  /** @param idBase what stands before the number in the id of a call that has none of its own; another in every answer */
  constructor(
    private readonly writer: PartWriter,
    private readonly idBase: () => string,
  ) {}

  get any(): boolean {
    return this.#count > 0;
  }

  /**
   * A piece may come as `partialArgs` (values by path), or as nothing but the word that no more comes.
   * @param part one with `functionCall`
   */
  take(part: JsonObject): void {
    const told = fields(part["functionCall"]);
    const name = text(told["name"]);
    const id = text(told["id"]) || undefined;
    const goesOn = told["willContinue"] === true;
    if (name && !this.#continues(name, id, told)) {
      // Told again, whole: it is one call all the same.
      if (id && this.#ids.has(id)) return;
      this.#close();
      if (!goesOn && !("partialArgs" in told)) {
        const index = this.#begin(name, id, part);
        this.writer.args(index, JSON.stringify(objectOf(told["args"]) ?? {}));
        this.writer.end(index);
        return;
      }
      const args = new PartialArgs();
      this.#open = { index: this.#begin(name, id, part), id, name, args };
      this.writer.args(this.#open.index, args.begin());
    } else if (this.#open && "thoughtSignature" in part) {
      this.#sign(this.#open.index, this.#open.id, part);
    }
    const open = this.#open;
    if (!open) {
      // A piece of no call that we know of.
      if (Object.keys(told).length > 0) this.writer.opaque(part);
      return;
    }
    for (const piece of list(told["partialArgs"])) this.writer.args(open.index, open.args.add(fields(piece)));
    const whole = objectOf(told["args"]);
    if (whole && open.args.empty && Object.keys(whole).length > 0) {
      this.writer.args(open.index, JSON.stringify(whole).slice(1));
      this.writer.end(open.index);
      this.#open = undefined;
    } else if (!goesOn) {
      this.#close();
    }
  }

  /** Some servers repeat the name with every piece; a new call has another id, or begins anew without pieces. */
  #continues(name: string, id: string | undefined, told: JsonObject): boolean {
    const open = this.#open;
    return open !== undefined && open.name === name && (id ?? open.id) === open.id && "partialArgs" in told;
  }

  #begin(name: string, id: string | undefined, part: JsonObject): number {
    const index = this.writer.openCall(id ?? `${this.idBase()}_${this.#count}`, name);
    this.#count++;
    if (id) this.#ids.add(id);
    this.#sign(index, id, part);
    return index;
  }

  #sign(index: number, id: string | undefined, part: JsonObject): void {
    const thoughtSignature = text(part["thoughtSignature"]);
    if (!id && !thoughtSignature) return;
    this.writer.replay(index, { ...(id ? { id } : {}), ...(thoughtSignature ? { thoughtSignature } : {}) });
  }

  #close(): void {
    if (!this.#open) return;
    this.writer.args(this.#open.index, this.#open.args.end());
    this.writer.end(this.#open.index);
    this.#open = undefined;
  }
}
