/** The patterns in a schema, run by the matcher of the triggers: no pattern of a rule may stall the program (TTSR-4.4). */
import { compileTriggers, type DiagnosticCode, type MatcherSet } from "../matcher/index.js";
import { type Budget, TooMuch } from "./budget.js";

/** UTF-16 units, as of a trigger. */
const LONGEST = 1_000;
const ID = "pattern";
/** Units between two looks at what it has cost. */
const PIECE = 1_024;
/** Steps that a text costs whatever its length: 20 µs (measured). */
const OPENING = 200;

/** What only a worker can decide comes too late, and what means something else than it seems to is a slip. */
const REFUSED: ReadonlySet<DiagnosticCode> = new Set([
  "backreference",
  "lookahead-in-lookbehind",
  "too-large",
  "p-without-u",
  "posix-class",
  "foreign-anchor",
]);
const NEEDS_WORKER: ReadonlySet<DiagnosticCode> = new Set(["backreference", "lookahead-in-lookbehind", "too-large"]);

/** @returns a sentence on why a schema cannot have this pattern; undefined where it can */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > LONGEST) return `A pattern has ${pattern.length} characters, more than ${LONGEST}.`;
  const found = compileTriggers([{ ruleId: ID, pattern, index: 0 }]).diagnostics.find(
    ({ severity, code }) => severity === "error" || REFUSED.has(code),
  );
  if (!found) return undefined;
  if (found.code === "matches-empty") return "This pattern matches every text, so it says nothing; leave it out.";
  if (NEEDS_WORKER.has(found.code)) return "This pattern needs a worker to be checked, and a call is decided at once.";
  return found.message;
}

/** The patterns of one schema; `patternProblem` has passed them all. */
export class Patterns {
  #budget: Budget | undefined;

  /** What the patterns cost meanwhile is taken from the budget. @throws TooMuch */
  spending<T>(budget: Budget, run: () => T): T {
    this.#budget = budget;
    try {
      return run();
    } finally {
      this.#budget = undefined;
    }
  }

  /** @returns the pattern as the validator wants it; `toString` is what it knows it by */
  compile(pattern: string): { test(text: string): boolean; toString(): string } {
    const set = compileTriggers([{ ruleId: ID, pattern, index: 0 }]);
    return { test: (text) => this.#test(set, text), toString: () => pattern };
  }

  #test(set: MatcherSet, text: string): boolean {
    const cursor = set.open(() => true);
    let spent = costOf(set) - OPENING;
    const pay = (): void => {
      const now = costOf(set);
      this.#budget?.steps(now - spent);
      spent = now;
    };
    for (let at = 0; at < text.length; at += PIECE) {
      const found = cursor.feed(text.slice(at, at + PIECE)).length > 0;
      pay();
      if (found) return true;
    }
    const found = cursor.end().now.length > 0;
    pay();
    // It turned out to be too slow for its tier while it ran, so what was found is not the whole truth.
    if (!found && set.tierOf(ID) !== 1) throw new TooMuch();
    return found;
  }
}

/** In steps. */
function costOf(set: MatcherSet): number {
  const { threadSteps, unitsRead } = set.stats();
  return threadSteps + unitsRead / 8;
}
