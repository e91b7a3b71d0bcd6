/**
 * Ids of tool calls as a server takes them. A conversation may hold ids of another vendor, with other characters, or the same id in
 * several answers; the same conversation always gives the same ids.
 */
export class CallIds {
  readonly #forbidden: RegExp;
  readonly #longest: number;
  readonly #used = new Set<string>();
  readonly #newest = new Map<string, string>();

  /**
   * @param forbidden characters that become `_`; global
   * @param longest characters an id may have
   */
  constructor(forbidden: RegExp, longest: number) {
    this.#forbidden = forbidden;
    this.#longest = longest;
  }

  /** @returns the id to send for a call; calls are given in the order of the conversation */
  call(id: string): string {
    const base = id.replace(this.#forbidden, "_").slice(0, this.#longest) || "call";
    let sent = base;
    for (let n = 2; this.#used.has(sent); n++) {
      const suffix = `_${n}`;
      sent = base.slice(0, this.#longest - suffix.length) + suffix;
    }
    this.#used.add(sent);
    this.#newest.set(id, sent);
    return sent;
  }

  /** @returns the id to send for the result of the newest call with this id */
  result(id: string): string {
    return this.#newest.get(id) ?? id.replace(this.#forbidden, "_").slice(0, this.#longest);
  }
}
