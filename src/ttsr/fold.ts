/**
 * The folded copy of a text (TTSR-4.6), code point by code point: what cannot be seen is dropped (invisible characters, variation
 * selectors, tags), full-width and compatibility characters become the plain ones that they stand for, one for one. Nothing is composed,
 * and no case is changed.
 */

const IGNORED = /^\p{Default_Ignorable_Code_Point}$/u;
const known = new Map<number, string | undefined>();

/** @returns what the code point folds to, "" where it is dropped; undefined where it stays as it is */
function foldOf(codePoint: number): string | undefined {
  if (codePoint < 128) return undefined;
  if (known.has(codePoint)) return known.get(codePoint);
  const char = String.fromCodePoint(codePoint);
  const plain = IGNORED.test(char) ? "" : char.normalize("NFKC");
  const oneForOne = plain !== char && plain.length <= ((plain.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
  const folded = oneForOne ? plain : undefined;
  known.set(codePoint, folded);
  return folded;
}

/** @returns the offset of the first code point that folds, or -1; a high surrogate at the end folds to nothing yet */
export function firstFold(text: string): number {
  // Most texts are plain ASCII and are done with this, ten times as fast.
  if (Buffer.byteLength(text) === text.length) return -1;
  const first = text.search(/[^\0-\x7f]/);
  for (let at = first; at < text.length; at++) {
    if (text.charCodeAt(at) < 128) continue;
    const codePoint = text.codePointAt(at) ?? 0;
    if (foldOf(codePoint) !== undefined) return at;
    if (codePoint > 0xffff) at++;
  }
  return -1;
}

/** From unit `folded` of the copy on, units stand for units from `lane` on, one for one; or all for the `width` units there. */
interface Stretch {
  folded: number;
  lane: number;
  width?: number;
}

/** Folds a growing text and remembers which of its units stands for what. */
export class Fold {
  readonly #stretches: Stretch[] = [{ folded: 0, lane: 0 }];
  /** Units of the copy, and of the lane, so far. */
  #folded: number;
  #lane: number;
  /** A high surrogate, until it is known what follows it. */
  #pending = "";

  /** @param from where in the lane the text begins that is folded; in front of it the copy is the lane itself */
  constructor(from: number) {
    this.#folded = from;
    this.#lane = from;
  }

  /** UTF-16 units of the lane, as far as it was folded. */
  get length(): number {
    return this.#lane;
  }

  /** @returns the copy of what is whole by now */
  push(delta: string): string {
    const text = this.#pending + delta;
    const cut = isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.#pending = text.slice(cut);
    return this.#take(text.slice(0, cut));
  }

  /** The text is complete. @returns the rest of the copy */
  close(): string {
    const rest = this.#pending;
    this.#pending = "";
    return this.#take(rest);
  }

  /** @returns how much of the lane had to be known for the first `position` units of the copy */
  laneEnd(position: number): number {
    const stretch = this.#at(position - 1);
    const into = position - stretch.folded;
    return stretch.lane + (into <= 0 ? 0 : (stretch.width ?? into));
  }

  /** @returns where in the lane the unit of the copy comes from */
  laneStart(unit: number): number {
    const stretch = this.#at(unit);
    return stretch.lane + (stretch.width === undefined ? unit - stretch.folded : 0);
  }

  #take(text: string): string {
    let out = "";
    let plain = 0;
    for (let at = 0; at < text.length; ) {
      const codePoint = text.codePointAt(at) ?? 0;
      const width = codePoint > 0xffff ? 2 : 1;
      const folded = foldOf(codePoint);
      if (folded !== undefined) {
        out += text.slice(plain, at);
        this.#same(at - plain);
        out += folded;
        this.#changed(width, folded.length);
        plain = at + width;
      }
      at += width;
    }
    this.#same(text.length - plain);
    return out + text.slice(plain);
  }

  #same(units: number): void {
    this.#folded += units;
    this.#lane += units;
  }

  #changed(width: number, units: number): void {
    if (units !== width && units > 0) this.#mark({ folded: this.#folded, lane: this.#lane, width });
    this.#folded += units;
    this.#lane += width;
    if (units !== width) this.#mark({ folded: this.#folded, lane: this.#lane });
  }

  #mark(stretch: Stretch): void {
    if (this.#stretches.at(-1)?.folded === stretch.folded) this.#stretches.pop();
    this.#stretches.push(stretch);
  }

  /** The stretch that the unit lies in. */
  #at(unit: number): Stretch {
    let low = 0;
    let high = this.#stretches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#stretches[middle]?.folded ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return this.#stretches[low] ?? { folded: 0, lane: 0 };
  }
}

export function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
