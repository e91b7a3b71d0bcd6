/** Hash-consing: equal lists of integers get the same object, so that equality is identity and an id can stand for the whole. */

/** Values made from lists of integers, one for each different list. */
export class Interner<T> {
  readonly #buckets = new Map<number, { readonly key: readonly number[]; readonly value: T }[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param make called with the number of values made before, where the list is new. The list must not be changed afterwards */
  get(key: readonly number[], make: (id: number) => T): T {
    let hash = 0x811c9dc5;
    for (const item of key) hash = Math.imul(hash ^ item, 0x01000193) ^ (hash >>> 15);
    const bucket = this.#buckets.get(hash);
    if (bucket) {
      for (const entry of bucket) if (equal(entry.key, key)) return entry.value;
    }
    const value = make(this.#size++);
    if (bucket) bucket.push({ key, value });
    else this.#buckets.set(hash, [{ key, value }]);
    return value;
  }
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
