/**
 * What a state of the search is made of. A *thread* is one way the text so far may belong to a match: a position, and the look-aheads it *owes*,
 * which began on the way and are still being watched. A look-ahead being watched is a *kernel*: the threads of its body. Threads of a body may
 * owe look-aheads themselves. All of them are interned, and none refers back to the tables that made it, so that they outlive these.
 */

import { Interner } from "./interner.js";
import { BEHIND, EDGE, type Program } from "./program.js";

export interface Thread {
  readonly id: number;
  readonly position: number;
  readonly owed: Owed;
  /** The last closure that went through it. */
  mark: number;
}

/** A thread fails when one that it owes goes wrong, and has matched only when nothing is owed any more. */
export interface Owed {
  readonly id: number;
  readonly list: readonly Obligation[];
}

export interface Obligation {
  /** Number of the look-ahead in the program. */
  readonly look: number;
  readonly kernel: Kernel;
}

export interface Kernel {
  readonly id: number;
  /** By ascending id. */
  readonly threads: readonly Thread[];
  /** Whether something in it waits for the kind of the next unit. */
  readonly open: boolean;
}

/** Ids stay below this, so that several fit into one number. */
export const ID_LIMIT = 1 << 20;

/** One generation of interned threads. */
export class Pool {
  readonly nothingOwed: Owed;
  readonly #plain: Thread[] = [];
  readonly #owing = new Interner<Thread>(({ position, owed }) => [position, owed.id]);
  readonly #owed = new Interner<Owed>(({ list }) => keyOfList(list));
  readonly #kernels = new Interner<Kernel>(({ threads }) => threads.map(idOf));

  constructor(private readonly program: Program) {
    this.nothingOwed = this.owed([]);
  }

  /** Whether ids run out. */
  get full(): boolean {
    return Math.max(this.#owing.size, this.#owed.size, this.#kernels.size) > ID_LIMIT / 2;
  }

  thread(position: number, owed: Owed = this.nothingOwed): Thread {
    if (owed !== this.nothingOwed) {
      const first = this.program.size;
      return this.#owing.get([position, owed.id], (id) => ({ id: first + id, position, owed, mark: 0 }));
    }
    let thread = this.#plain[position];
    if (!thread) {
      thread = { id: position, position, owed, mark: 0 };
      this.#plain[position] = thread;
    }
    return thread;
  }

  /** Takes the list over. */
  owed(list: Obligation[]): Owed {
    list.sort((a, b) => a.look - b.look || a.kernel.id - b.kernel.id);
    const distinct = list.filter((one, i) => one.look !== list[i - 1]?.look || one.kernel !== list[i - 1]?.kernel);
    return this.#owed.get(keyOfList(distinct), (id) => ({ id, list: distinct }));
  }

  /** @param threads by ascending id; taken over */
  kernel(threads: readonly Thread[]): Kernel {
    return this.#kernels.get(threads.map(idOf), (id) => ({
      id,
      threads,
      open: threads.some((thread) => this.#isOpen(thread)),
    }));
  }

  /** The same thread as another generation had it. */
  adopt({ position, owed }: Thread): Thread {
    if (owed.list.length === 0) return this.thread(position);
    const list = owed.list.map(({ look, kernel }) => ({ look, kernel: this.adoptKernel(kernel) }));
    return this.thread(position, this.owed(list));
  }

  adoptKernel({ threads }: Kernel): Kernel {
    return this.kernel(threads.map((thread) => this.adopt(thread)).sort(byId));
  }

  #isOpen({ position, owed }: Thread): boolean {
    const operation = this.program.operations[position];
    if (operation === EDGE || operation === BEHIND) return true;
    return owed.list.some(({ kernel }) => kernel.open);
  }
}

function idOf({ id }: { readonly id: number }): number {
  return id;
}

function keyOfList(list: readonly Obligation[]): number[] {
  return list.flatMap(({ look, kernel }) => [look, kernel.id]);
}

export function byId(a: { readonly id: number }, b: { readonly id: number }): number {
  return a.id - b.id;
}
