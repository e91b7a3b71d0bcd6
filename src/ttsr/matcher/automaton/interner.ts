/** Hash-consing: equal lists of integers get the same object, so that equality is identity and an id can stand for the whole. */

/** Values made from lists of integers, one for each different list. */
export class Interner<T> {
  readonly #buckets = new Map<number, T[]>();
  #size = 0;

  /** @param keyOf the list of a value: lists are not kept, there are too many of them */
  constructor(private readonly keyOf: (value: T) => readonly number[]) {}

  get size(): number {
    return this.#size;
  }

  /** @param make called with the number of values made before, where the list is new */
  get(key: readonly number[], make: (id: number) => T): T {
    let hash = 0x811c9dc5;
    for (const item of key) hash = Math.imul(hash ^ item, 0x01000193) ^ (hash >>> 15);
    const bucket = this.#buckets.get(hash);
    if (bucket) {
      for (const value of bucket) if (equal(this.keyOf(value), key)) return value;
    }
    const value = make(this.#size++);
    if (bucket) bucket.push(value);
    else this.#buckets.set(hash, [value]);
    return value;
  }
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
