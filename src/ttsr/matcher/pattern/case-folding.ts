/**
 * The flag `i` without `u`: two units are the same when their Canonicalize values are (ECMA-262, 22.2.2.7.3): `toUpperCase`, unless that gives
 * more than one unit, or turns a unit beyond ASCII into an ASCII one. So the Kelvin sign is no `k`, and ß is no `SS`.
 */
import { type CharSet, rangesOf, union } from "./char-set.js";

/** Units that are not alone, ascending, and with each of them all that are the same to `i`, itself included. */
interface Folding {
  readonly units: Uint16Array;
  readonly groups: readonly (readonly number[])[];
}

/** Built when first needed. */
let folding: Folding | undefined;

/** @returns the set with everything that differs from its members by case alone */
export function foldCase(set: CharSet): CharSet {
  if ((set.at(-1) ?? 0) < 128) return foldAscii(set);
  folding ??= foldingOfUnits();
  const { units, groups } = folding;
  const added: number[] = [];
  for (const [low, high] of rangesOf(set)) {
    for (let i = firstFrom(units, low); (units[i] ?? Number.POSITIVE_INFINITY) <= high; i++) {
      for (const unit of groups[i] ?? []) if (unit < low || unit > high) added.push(unit, unit);
    }
  }
  return added.length === 0 ? set : union([set, added]);
}

/** Most patterns have nothing else, and need not wait for the table: no ASCII unit is the same as one beyond. */
function foldAscii(set: CharSet): CharSet {
  const all = [set];
  for (const [low, high] of rangesOf(set)) {
    for (const [first, last, toOther] of LETTERS) {
      const from = Math.max(low, first);
      const to = Math.min(high, last);
      if (from <= to) all.push([from + toOther, to + toOther]);
    }
  }
  return all.length === 1 ? set : union(all);
}

const LETTERS = [
  [0x41, 0x5a, 0x20],
  [0x61, 0x7a, -0x20],
] as const;

/** @returns the index of the first unit that is not below `low` */
function firstFrom(units: Uint16Array, low: number): number {
  let below = 0;
  let above = units.length;
  while (below < above) {
    const middle = (below + above) >> 1;
    if ((units[middle] ?? 0) < low) below = middle + 1;
    else above = middle;
  }
  return below;
}

function foldingOfUnits(): Folding {
  const byCanonical = new Map<number, number[]>();
  for (const unit of unitsWithUpperCase()) {
    const canonical = canonicalize(unit);
    if (canonical === unit) continue;
    const group = byCanonical.get(canonical);
    if (group) group.push(unit);
    else byCanonical.set(canonical, [canonical, unit]);
  }
  const groups = [...byCanonical.values()].flatMap((group) => group.map((unit) => ({ unit, group })));
  groups.sort((a, b) => a.unit - b.unit);
  return { units: Uint16Array.from(groups, ({ unit }) => unit), groups: groups.map(({ group }) => group) };
}

/** Only these have a Canonicalize value other than themselves. Asking for the property is much faster than 65,536 times `toUpperCase`. */
function unitsWithUpperCase(): number[] {
  const units: number[] = [];
  for (let unit = 0; unit <= 0xffff; unit++) if (unit < 0xd800 || unit > 0xdfff) units.push(unit);
  const changing: number[] = [];
  for (let at = 0; at < units.length; at += 8192) {
    const all = String.fromCharCode(...units.slice(at, at + 8192));
    for (const letter of all.match(/\p{Changes_When_Uppercased}/gu) ?? []) changing.push(letter.charCodeAt(0));
  }
  return changing;
}

function canonicalize(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const folded = upper.charCodeAt(0);
  return upper.length !== 1 || (unit >= 128 && folded < 128) ? unit : folded;
}
