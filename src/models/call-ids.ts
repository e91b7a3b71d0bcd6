/**
 * Ids of tool calls as a server takes them. A conversation may hold ids of another vendor, with other characters, or the same id in
 * several answers; the same conversation always gives the same ids.
 */
export class CallIds {
  readonly #forbidden: RegExp;
  readonly #length: number;
  readonly #exact: boolean;
  readonly #used = new Set<string>();
  readonly #newest = new Map<string, string>();

  /**
   * @param forbidden characters that no id may have; global
   * @param length characters that an id may have at most
   * @param exact whether it must have just as many, all of them letters and digits
   */
  constructor(forbidden: RegExp, length: number, exact = false) {
    this.#forbidden = forbidden;
    this.#length = length;
    this.#exact = exact;
  }

  /** @returns the id to send for a call; calls are given in the order of the conversation */
  call(id: string): string {
    let sent = this.#shape(id, 1);
    for (let n = 2; this.#used.has(sent); n++) sent = this.#shape(id, n);
    this.#used.add(sent);
    this.#newest.set(id, sent);
    return sent;
  }

  /** @returns the id to send for the result of the newest call with this id */
  result(id: string): string {
    return this.#newest.get(id) ?? this.#shape(id, 1);
  }

  /** @param nth 1 for the id as it is, from 2 on one that is not like the others */
  #shape(id: string, nth: number): string {
    if (this.#exact) {
      const fits = nth === 1 && id.length === this.#length && id.search(this.#forbidden) === -1;
      return fits ? id : hashed(`${nth} ${id}`, this.#length);
    }
    const suffix = nth === 1 ? "" : `_${nth}`;
    const base = id.replace(this.#forbidden, "_") || "call";
    return base.slice(0, this.#length - suffix.length) + suffix;
  }
}

/** @returns letters and digits that depend on every character of `text` (FNV-1a, over and over) */
function hashed(text: string, length: number): string {
  let letters = "";
  for (let round = 0; letters.length < length; round++) {
    let hash = 0x811c9dc5 ^ round;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    letters += (hash >>> 0).toString(36);
  }
  return letters.slice(0, length);
}
