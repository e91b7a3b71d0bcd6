/**
 * States of the deterministic automaton and the table of its transitions, filled in as the text asks for them. A row has one cell for each class
 * of units: 0 not known yet, `n` the row of the next state, `-n` the same where entering it settles something.
 */
import type { Before } from "./edges.js";
import { Interner } from "./interner.js";
import type { LookBehinds, View } from "./look-behind.js";
import type { Thread } from "./threads.js";

/** Stands for the tables without keeping them: no two are the same. */
export type Generation = Readonly<Record<never, never>>;

/** Everything that is known about a text at one place of it. Does not refer to the tables that made it. */
export interface State {
  /** The tables it has a row in. */
  readonly generation: Generation;
  readonly row: number;
  readonly before: Before;
  readonly view: View;
  /** Matches on their way, besides those that begin here. By ascending id. */
  readonly threads: readonly Thread[];
  /** Parts that settled on entering. Ascending. */
  readonly settled: readonly number[];
}

/** What tells two states apart. */
type Content = Omit<State, "generation" | "row">;

export class States {
  readonly #states = new Interner<State>((state) => this.#keyOf(state));
  readonly #byRow: State[] = [];
  /** Rows lie a power of two apart, so that a state is found from its row without a division. */
  readonly #shift: number;
  /** Read by the hot loop. Another array whenever it grows. */
  cells: Int32Array;
  /** Threads and kernels in all states together. */
  #held = 0;

  readonly generation: Generation = {};

  /** @param classes how many classes of units there are */
  constructor(
    classes: number,
    private readonly behinds: Pick<LookBehinds, "key">,
  ) {
    this.#shift = Math.ceil(Math.log2(Math.max(classes, 2)));
    this.cells = new Int32Array(4 << this.#shift);
  }

  get size(): number {
    return this.#states.size;
  }

  /** What the table and its states take, roughly. */
  get bytes(): number {
    return this.cells.byteLength + this.#held * 8;
  }

  at(row: number): State | undefined {
    return this.#byRow[row >> this.#shift];
  }

  intern(content: Content): State {
    const { before, view, settled, threads } = content;
    return this.#states.get(this.#keyOf(content), (id) => {
      // Row 0 is no state: a 0 in the table means "not known".
      const row = (id + 1) << this.#shift;
      // All states have one shape: the hot loop reads them.
      const state: State = { generation: this.generation, row, before, view, threads, settled };
      this.#byRow[id + 1] = state;
      this.#held += threads.length + view.kernels.length;
      if (row + (1 << this.#shift) > this.cells.length) {
        const larger = new Int32Array(this.cells.length * 2);
        larger.set(this.cells);
        this.cells = larger;
      }
      return state;
    });
  }

  #keyOf({ before, view, settled, threads }: Content): number[] {
    const key = [before, view.sight.id, ...this.behinds.key(view), settled.length, ...settled];
    for (const { id } of threads) key.push(id);
    return key;
  }

  link(from: State, unitClass: number, to: State): number {
    const cell = to.settled.length > 0 ? -to.row : to.row;
    this.cells[from.row + unitClass] = cell;
    return cell;
  }
}
