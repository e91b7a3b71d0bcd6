/**
 * Look-behinds, run forwards: "does a match of the body end here" is answered at every place by an automaton that starts anew at each unit and
 * goes along with the text. The answer is known without reading back; where the body ends in `\b` or `$` it is unknown until the next unit is.
 */
import {
  type After,
  type Before,
  LINE_END,
  MAYBE,
  NO,
  OTHER,
  TEXT_START,
  type Truth,
  UNKNOWN,
  type UnitKind,
  WORD,
  YES,
} from "./edges.js";
import { leadsOn } from "./hope.js";
import { Interner } from "./interner.js";
import { PRICES } from "./prices.js";
import { MATCH, type Part, type Program } from "./program.js";
import type { Sight, Simulation } from "./simulation.js";
import { type Adoption, type Kernel, MOST_REMEMBERED, type Pool, type Thread } from "./threads.js";
import type { Work } from "./work.js";

/** Where the look-behinds of a program stand at a place whose next unit is not known. */
export interface View {
  readonly sight: Sight;
  /** By number of the look-behind; undefined where this automaton does not follow it. */
  readonly kernels: readonly (Kernel | undefined)[];
}

interface Follower {
  readonly number: number;
  readonly entry: Thread;
  /** Whether its answer hangs on other look-behinds. */
  readonly nested: boolean;
  /** A part that needs it. */
  readonly payer: number;
  /** By the kernel it leaves and the unit's class. Not used where it is nested. */
  answers: Map<number, Answer> | undefined;
  /** By what is on the left, where no match of it is on its way: so it is at nearly all places. Not used where it is nested. */
  idle: Answer[] | undefined;
}

interface Answer {
  readonly kernel: Kernel;
  readonly truth: Truth;
}

/** Below what `Simulation` has room for in its keys. */
const MOST_SIGHTS = 3000;

export class LookBehinds {
  readonly #followed: Follower[] = [];
  readonly #sights = new Interner<Sight>(({ values }) => values);
  readonly #none: readonly Truth[];
  #answers = 0;

  constructor(
    private readonly program: Program,
    parts: readonly (Part & { readonly number: number })[],
    private readonly pool: Pool,
    private readonly simulation: Simulation,
    private readonly work: Work,
    /** How many classes of units there are. */
    private readonly classes: number,
  ) {
    const payers = new Int32Array(program.behinds.length).fill(-1);
    for (const part of parts) for (const each of part.behinds) payers[each] = part.number;
    this.#none = program.behinds.map(() => NO);
    for (const [number, { entry, inner }] of program.behinds.entries()) {
      const payer = payers[number] ?? -1;
      if (payer < 0) continue;
      const nested = inner.size > 0;
      this.#followed.push({ number, entry: pool.thread(entry), nested, payer, answers: undefined, idle: undefined });
    }
  }

  get full(): boolean {
    return this.#sights.size > MOST_SIGHTS || this.#answers > MOST_REMEMBERED;
  }

  /** Works out beforehand what nearly every unit asks for. @param each called before each of some steps */
  prepare(each: () => void): void {
    for (const follower of this.#followed) {
      if (follower.nested) continue;
      each();
      for (const before of [OTHER, WORD, LINE_END, TEXT_START] as const) this.#answer(follower, [], before, this.#none);
    }
  }

  atStart(before: Before): View {
    const view = { kernels: [] as Kernel[], values: [...this.#none] };
    for (const follower of this.#followed) {
      const { kernel, truth } = this.#answer(follower, [], before, view.values);
      view.kernels[follower.number] = kernel;
      view.values[follower.number] = truth;
    }
    return { kernels: view.kernels, sight: this.#sight(view.values) };
  }

  /** What the look-behinds say at the place of the view, now that what follows is known. */
  decide(view: View, before: Before, after: After): Sight {
    return this.#decide(view, before, after).sight;
  }

  /** @returns the answers at the place of the view, now decided, and the view behind the unit */
  advance(view: View, before: Before, unitClass: number, kind: UnitKind): { known: Sight; view: View } {
    if (this.#followed.length === 0) return { known: view.sight, view };
    const here = this.#decide(view, before, kind);
    const values = [...this.#none];
    const kernels: Kernel[] = [];
    for (const follower of this.#followed) {
      const { number, nested, payer } = follower;
      this.work.for(payer);
      this.work.spend(PRICES.behind);
      const old = here.kernels[number];
      const key = old && !nested ? old.id * this.classes + unitClass : undefined;
      let answer = key === undefined ? undefined : follower.answers?.get(key);
      if (!answer) {
        const place = { before: kind, after: UNKNOWN, sight: { id: 0, values } } as const;
        const seeds = this.simulation.advance(old?.threads ?? [], unitClass, place);
        answer = this.#answer(follower, seeds, kind, values);
        if (key !== undefined) {
          follower.answers ??= new Map();
          follower.answers.set(key, answer);
          this.#answers++;
        }
      }
      kernels[number] = answer.kernel;
      values[number] = answer.truth;
    }
    return { known: here.sight, view: { kernels, sight: this.#sight(values) } };
  }

  adopt({ sight, kernels }: View, adoption: Adoption): View {
    const adopted: Kernel[] = [];
    const values = [...this.#none];
    for (const { number, payer } of this.#followed) {
      const kernel = kernels[number];
      this.work.for(payer);
      if (kernel) adopted[number] = adoption.kernel(kernel);
      values[number] = sight.values[number] ?? NO;
    }
    return { kernels: adopted, sight: this.#sight(values) };
  }

  /** Kernels of the view, in order: with the values, what tells two views apart. */
  key({ kernels }: View): number[] {
    return this.#followed.map(({ number }) => kernels[number]?.id ?? -1);
  }

  #decide(view: View, before: Before, after: After): View {
    const pending = this.#followed.some(({ number }) => view.kernels[number]?.open);
    if (!pending) return view;
    const kernels: Kernel[] = [];
    const values = [...this.#none];
    for (const { number, payer } of this.#followed) {
      let kernel = view.kernels[number];
      let truth = view.sight.values[number] ?? NO;
      if (kernel?.open) {
        this.work.for(payer);
        const closed = this.simulation.close(kernel.threads, { before, after, sight: { id: 0, values } });
        if (truth !== YES) truth = closed.matched.length > 0 ? YES : NO;
        kernel = this.pool.kernel(closed.threads);
      }
      if (kernel) kernels[number] = kernel;
      values[number] = truth;
    }
    return { kernels, sight: this.#sight(values) };
  }

  /** @param values what the look-behinds of smaller numbers say at the same place */
  #answer(follower: Follower, seeds: readonly Thread[], before: Before, values: readonly Truth[]): Answer {
    if (seeds.length > 0 || follower.nested) return this.#closed(follower, seeds, before, values);
    follower.idle ??= [];
    follower.idle[before] ??= this.#closed(follower, seeds, before, values);
    return follower.idle[before];
  }

  #closed({ entry, payer }: Follower, seeds: readonly Thread[], before: Before, values: readonly Truth[]): Answer {
    this.work.for(payer);
    const place = { before, after: UNKNOWN, sight: { id: 0, values } } as const;
    const { threads, matched } = this.simulation.close([...seeds, entry], place);
    const kernel = this.pool.kernel(threads);
    if (matched.length > 0) return { kernel, truth: YES };
    const positions = kernel.open ? threads.map(({ position }) => position) : [];
    const mayMatch = leadsOn(this.program, positions, before, values, isMatch, () => false, this.#spend);
    return { kernel, truth: mayMatch ? MAYBE : NO };
  }

  readonly #spend = (steps: number): void => this.work.spend(steps);

  #sight(values: readonly Truth[]): Sight {
    return this.#sights.get(values, (id) => ({ id, values }));
  }
}

function isMatch(operation: number): boolean {
  return operation === MATCH;
}
