/**
 * The intermediate form of a pattern: what is left of ECMAScript's syntax when only *whether* and *how far* a text matches counts. Groups,
 * captures, names and laziness are gone, flags have been worked into the sets and edges.
 */
import type { CharSet } from "./char-set.js";

/** What `^ $ \b \B` ask of the place between two units; the flag `m` decides between `text` and `line`. */
export type EdgeKind = "text-start" | "line-start" | "text-end" | "line-end" | "boundary" | "no-boundary";

export type Node =
  | { readonly type: "empty" }
  | { readonly type: "unit"; readonly set: CharSet }
  | { readonly type: "sequence"; readonly nodes: readonly Node[] }
  | { readonly type: "choice"; readonly nodes: readonly Node[] }
  /** `max` may be `Infinity`. */
  | { readonly type: "repeat"; readonly node: Node; readonly min: number; readonly max: number }
  | { readonly type: "edge"; readonly kind: EdgeKind }
  | { readonly type: "ahead"; readonly negated: boolean; readonly node: Node }
  | { readonly type: "behind"; readonly negated: boolean; readonly node: Node };

/** What of a pattern tier 1 would run: the whole, and what of it is searched on its own. */
export interface Regular {
  readonly whole: Node;
  readonly parts: readonly Node[];
}

export const EMPTY: Node = { type: "empty" };

export function sequence(nodes: readonly Node[]): Node {
  const rest = nodes.filter((node) => node !== EMPTY);
  const [only] = rest;
  if (only === undefined) return EMPTY;
  return rest.length === 1 ? only : { type: "sequence", nodes: rest };
}

export function choice(nodes: readonly Node[]): Node {
  const [only] = nodes;
  return nodes.length === 1 && only ? only : { type: "choice", nodes };
}

export function repeat(node: Node, min: number, max: number): Node {
  if (node === EMPTY || max === 0) return EMPTY;
  return min === 1 && max === 1 ? node : { type: "repeat", node, min, max };
}
