/**
 * The flag `i` without `u`: two units are the same when their Canonicalize values are (ECMA-262, 22.2.2.7.3): `toUpperCase`, unless that gives
 * more than one unit, or turns a unit beyond ASCII into an ASCII one. So the Kelvin sign is no `k`, and ß is no `SS`.
 */
import { type CharSet, includes, rangesOf, sizeOf, union } from "./char-set.js";

/** By unit: all units that are the same to `i`, itself included. Units that are alone are not in it. Built when first needed. */
let groups: ReadonlyMap<number, readonly number[]> | undefined;

/** @returns the set with everything that differs from its members by case alone */
export function foldCase(set: CharSet): CharSet {
  if ((set.at(-1) ?? 0) < 128) return foldAscii(set);
  groups ??= groupsOfUnits();
  const added = new Set<number>();
  if (sizeOf(set) < groups.size) {
    for (const [low, high] of rangesOf(set)) {
      for (let unit = low; unit <= high; unit++) for (const each of groups.get(unit) ?? []) added.add(each);
    }
  } else {
    for (const [unit, group] of groups) {
      if (includes(set, unit)) for (const each of group) added.add(each);
    }
  }
  return added.size === 0 ? set : union([set, ...[...added].map((unit) => [unit, unit])]);
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

function groupsOfUnits(): Map<number, readonly number[]> {
  const byCanonical = new Map<number, number[]>();
  for (const unit of unitsWithUpperCase()) {
    const canonical = canonicalize(unit);
    if (canonical === unit) continue;
    const group = byCanonical.get(canonical);
    if (group) group.push(unit);
    else byCanonical.set(canonical, [canonical, unit]);
  }
  const byUnit = new Map<number, readonly number[]>();
  for (const group of byCanonical.values()) for (const unit of group) byUnit.set(unit, group);
  return byUnit;
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
