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
  /** Left sides of a place, a bit each, with which it waits at the place anyway, whatever came before. */
  begins: number;
}

/** A thread fails when one that it owes goes wrong, and has matched only when nothing is owed any more. */
export interface Owed {
  readonly id: number;
  readonly list: readonly Obligation[];
  /** Who owes it: hardly ever more than a few. */
  first: Thread | undefined;
  /** The others, by position. */
  others: Map<number, Thread> | undefined;
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

/** Of each kind of things that are remembered. With more, the tables begin anew; enlarging a table of so many takes half a millisecond. */
export const MOST_REMEMBERED = 1 << 14;

/** Threads and other small things within what is remembered: some megabytes. */
export const MOST_HELD = 1 << 18;

const NOTHING_OWED: Owed = { id: 0, list: [], first: undefined, others: undefined };

/** One generation of interned threads. */
export class Pool {
  readonly nothingOwed = NOTHING_OWED;
  /** Threads that owe something. */
  #owing = 0;
  readonly #owed = new Interner<Owed>(({ list }) => keyOfList(list));
  readonly #kernels = new Interner<Kernel>(({ threads }) => threads.map(idOf));
  #held = 0;

  /** @param plain threads that owe nothing, by position; the same in all generations */
  constructor(
    private readonly program: Program,
    private readonly plain: (Thread | undefined)[],
  ) {
    this.#owed.get([], () => NOTHING_OWED);
  }

  get full(): boolean {
    const most = Math.max(this.#owing, this.#owed.size, this.#kernels.size);
    return most > MOST_REMEMBERED || this.#held > MOST_HELD;
  }

  thread(position: number, owed: Owed = this.nothingOwed): Thread {
    if (owed === this.nothingOwed) {
      let plain = this.plain[position];
      if (!plain) {
        plain = { id: position, position, owed, mark: 0, begins: 0 };
        this.plain[position] = plain;
      }
      return plain;
    }
    const known = owed.first?.position === position ? owed.first : owed.others?.get(position);
    if (known) return known;
    const thread = { id: this.program.size + this.#owing++, position, owed, mark: 0, begins: 0 };
    if (owed.first) {
      owed.others ??= new Map();
      owed.others.set(position, thread);
    } else owed.first = thread;
    return thread;
  }

  /** Takes the list over. */
  owed(list: Obligation[]): Owed {
    const distinct = list.length > 1 ? withoutRepeats(list) : list;
    return this.#owed.get(keyOfList(distinct), (id) => {
      this.#held += distinct.length;
      return { id, list: distinct, first: undefined, others: undefined };
    });
  }

  /** @param threads by ascending id; taken over */
  kernel(threads: readonly Thread[]): Kernel {
    return this.#kernels.get(threads.map(idOf), (id) => {
      this.#held += threads.length;
      return { id, threads, open: threads.some((thread) => this.#isOpen(thread)) };
    });
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

/** Takes threads and kernels over from another generation. */
export class Adoption {
  readonly #kernels = new Map<Kernel, Kernel>();

  /** @param spend told what it costs, in steps */
  constructor(
    private readonly pool: Pool,
    private readonly spend: (steps: number) => void,
  ) {}

  thread(thread: Thread): Thread {
    const { position, owed } = thread;
    if (owed.list.length === 0) return this.pool.thread(position);
    this.spend(owed.list.length);
    const list = owed.list.map(({ look, kernel }) => ({ look, kernel: this.kernel(kernel) }));
    return this.pool.thread(position, this.pool.owed(list));
  }

  kernel(kernel: Kernel): Kernel {
    let adopted = this.#kernels.get(kernel);
    if (!adopted) {
      this.spend(kernel.threads.length);
      adopted = this.pool.kernel(kernel.threads.map((thread) => this.thread(thread)).sort(byId));
      this.#kernels.set(kernel, adopted);
    }
    return adopted;
  }
}

function keyOfList(list: readonly Obligation[]): number[] {
  const key: number[] = [];
  for (const { look, kernel } of list) key.push(look, kernel.id);
  return key;
}

/** @param list is sorted, if it is not */
function withoutRepeats(list: Obligation[]): Obligation[] {
  for (let i = 1; i < list.length; i++) {
    if (inOrder(list[i - 1], list[i]) < 0) continue;
    list.sort(inOrder);
    return list.filter((one, k) => k === 0 || inOrder(list[k - 1], one) !== 0);
  }
  return list;
}

function inOrder(a: Obligation | undefined, b: Obligation | undefined): number {
  return a && b ? a.look - b.look || a.kernel.id - b.kernel.id : 0;
}

export function byId(a: { readonly id: number }, b: { readonly id: number }): number {
  return a.id - b.id;
}
