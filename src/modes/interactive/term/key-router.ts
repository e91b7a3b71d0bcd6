/** One keyboard, many listeners: the first layer that has use for a key gets it. */
import type { TermInput } from "./key-parser.js";

/** @returns true when the input is used up */
export type InputLayer = (input: TermInput) => boolean;

export class KeyRouter {
  /** @param layers the topmost first; each reads the state when the key comes, never before */
  constructor(private readonly layers: readonly InputLayer[]) {}

  route(input: TermInput): void {
    for (const layer of this.layers) if (layer(input)) return;
  }
}
