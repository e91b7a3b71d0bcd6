/**
 * The definition of settled matching, run to the letter: a backtracking search over the syntax tree in three values (Kleene). It shares nothing with
 * the matcher but the parser: whether a unit belongs to a class is asked of `RegExp`. Exponential; for short texts.
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** False, unknown, true: conjunction is the least, disjunction the greatest. */
type Truth = 0 | 1 | 2;
const NO = 0;
const UNKNOWN = 1;
const YES = 2;

export class OutOfBudget extends Error {}

const parser = new RegExpParser({ ecmaVersion: 2024 });
/** By flags and element: whether no unit at all matches it. */
const takesNothing = new Map<string, boolean>();
const WORD = /\w/;
const LINE_END = /[\n\r\u2028\u2029]/;
type Next = (at: number) => Truth;

export class Oracle {
  readonly #tree: AST.Pattern;
  readonly #classes = new Map<AST.Element, { expression: RegExp; known: Map<string, boolean> }>();
  #text = "";
  #ended = false;
  #steps = 0;
  /** Where the look-behind ends that is being tried. */
  #limit = Number.POSITIVE_INFINITY;

  constructor(
    source: string,
    private readonly flags: string,
    private readonly budget = 60_000,
  ) {
    this.#tree = parser.parsePattern(source, 0, source.length, { unicode: false, unicodeSets: false });
  }

  /** Whether some match on this text is true; with `ended`, as `RegExp` sees it. @throws OutOfBudget */
  holds(text: string, ended: boolean): boolean {
    this.#text = text;
    this.#ended = ended;
    this.#steps = 0;
    for (let start = 0; start <= text.length; start++) {
      if (this.#choice(this.#tree.alternatives, start, () => YES) === YES) return true;
    }
    return false;
  }

  /** @returns the least prefix of the text on which it is settled. @throws OutOfBudget */
  settledAt(text: string): number | undefined {
    for (let length = 0; length <= text.length; length++) {
      if (this.holds(text.slice(0, length), false)) return length;
    }
    return undefined;
  }

  #choice(alternatives: readonly AST.Alternative[], at: number, next: Next): Truth {
    return best(alternatives, ({ elements }) => this.#sequence(elements, 0, at, next));
  }

  #sequence(elements: readonly AST.Element[], index: number, at: number, next: Next): Truth {
    const element = elements[index];
    return element === undefined
      ? next(at)
      : this.#element(element, at, (after) => this.#sequence(elements, index + 1, after, next));
  }

  #element(node: AST.Element, at: number, next: Next): Truth {
    if (++this.#steps > this.budget) throw new OutOfBudget();
    switch (node.type) {
      case "Group":
      case "CapturingGroup":
        return this.#choice(node.alternatives, at, next);
      case "Quantifier":
        return this.#repeat(node, 0, at, next);
      case "Assertion": {
        const truth = this.#assertion(node, at);
        return truth === NO ? NO : least(truth, next(at));
      }
      default: {
        if (at >= this.#limit) return NO;
        const unit = this.#text[at];
        if (unit === undefined) return this.#ended || this.#takesNothing(node) ? NO : UNKNOWN;
        return this.#takes(node, unit) ? next(at + 1) : NO;
      }
    }
  }

  #repeat(node: AST.Quantifier, count: number, at: number, next: Next): Truth {
    const again = (): Truth =>
      count >= node.max
        ? NO
        : this.#element(node.element, at, (after) =>
            after === at && count >= node.min ? NO : this.#repeat(node, count + 1, after, next),
          );
    const stop = (): Truth => (count >= node.min ? next(at) : NO);
    return best([again, stop], (way) => way());
  }

  #assertion(node: AST.Assertion, at: number): Truth {
    const before = this.#text[at - 1];
    const after = this.#text[at];
    const open = after === undefined && !this.#ended;
    const multiline = this.flags.includes("m");
    switch (node.kind) {
      case "start":
        return at === 0 || (multiline && LINE_END.test(before ?? "")) ? YES : NO;
      case "end":
        if (after === undefined) return open ? UNKNOWN : YES;
        return multiline && LINE_END.test(after) ? YES : NO;
      case "word": {
        if (open) return UNKNOWN;
        const boundary = WORD.test(before ?? "") !== WORD.test(after ?? "");
        return boundary !== node.negate ? YES : NO;
      }
      case "lookahead":
        return turned(
          node.negate,
          this.#choice(node.alternatives, at, () => YES),
        );
      case "lookbehind": {
        const starts = Array.from({ length: at + 1 }, (_, start) => start);
        const ends: Next = (end) => (end === at ? YES : NO);
        return turned(
          node.negate,
          best(starts, (start) => this.#within(at, node.alternatives, start, ends)),
        );
      }
    }
  }

  /** A look-behind reads only what is known: units beyond its place do not count, not even as unknown ones. */
  #within(limit: number, alternatives: readonly AST.Alternative[], start: number, ends: Next): Truth {
    const outer = this.#limit;
    this.#limit = limit;
    try {
      return this.#choice(alternatives, start, ends);
    } finally {
      this.#limit = outer;
    }
  }

  #takesNothing(node: AST.Element): boolean {
    const key = `${this.flags} ${node.raw}`;
    let nothing = takesNothing.get(key);
    if (nothing === undefined) {
      nothing = true;
      for (let unit = 0; unit <= 0xffff && nothing; unit++) nothing = !this.#takes(node, String.fromCharCode(unit));
      takesNothing.set(key, nothing);
    }
    return nothing;
  }

  #takes(node: AST.Element, unit: string): boolean {
    let units = this.#classes.get(node);
    if (!units) {
      units = { expression: new RegExp(`^(?:${node.raw})$`, this.flags.replace("m", "")), known: new Map() };
      this.#classes.set(node, units);
    }
    let taken = units.known.get(unit);
    if (taken === undefined) {
      taken = units.expression.test(unit);
      units.known.set(unit, taken);
    }
    return taken;
  }
}

function best<T>(ways: readonly T[], truth: (way: T) => Truth): Truth {
  let found: Truth = NO;
  for (const way of ways) {
    const one = truth(way);
    if (one === YES) return YES;
    if (one > found) found = one;
  }
  return found;
}

function least(a: Truth, b: Truth): Truth {
  return a < b ? a : b;
}

function turned(negated: boolean, truth: Truth): Truth {
  return negated ? ((2 - truth) as Truth) : truth;
}
