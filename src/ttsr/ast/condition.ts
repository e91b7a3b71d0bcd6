/** A condition as ast-grep takes it, and what ast-grep itself would not survive. */
import type { AstPattern } from "../../capability/rule.js";

/** Rules tried on one node, those that stand behind `matches` each time anew. */
const MOST_STEPS = 10_000;
/** They look at other nodes, of which the empty text that a rule is compiled on has none. */
const RELATIONS: ReadonlySet<string> = new Set(["has", "inside", "follows", "precedes"]);

/** @returns the condition as ast-grep takes it */
export function matcherOf(condition: AstPattern): unknown {
  if (typeof condition === "string") return { rule: { pattern: condition } };
  return "rule" in condition ? condition : { rule: condition };
}

/**
 * `matches` that lead back to themselves through `nthChild` end the process, and those that double from one to the next (`u2`: twice `u1`,
 * `u1`: twice `u0`, …) stall it, both while they are compiled.
 * @returns the end of a sentence; undefined where there is nothing to be feared
 */
export function excessOf(condition: AstPattern): string | undefined {
  const matcher = matcherOf(condition);
  const utils = new Map(Object.entries(entryOf(matcher, "utils") ?? {}));
  const known = new Map<string, number>();
  const under = new Set<string>();
  let loop: string | undefined;

  function stepsOfNamed(name: string): number {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (under.has(name)) {
      loop ??= name;
      return 1;
    }
    under.add(name);
    const steps = stepsOf(utils.get(name));
    under.delete(name);
    known.set(name, steps);
    return steps;
  }

  function stepsOf(value: unknown): number {
    if (typeof value !== "object" || value === null) return 1;
    let steps = 1;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "utils" && value === matcher) continue;
      if (RELATIONS.has(key)) continue;
      steps += key === "matches" && typeof inner === "string" ? stepsOfNamed(inner) : stepsOf(inner);
    }
    return steps;
  }

  let steps = stepsOf(matcher);
  for (const name of utils.keys()) steps = Math.max(steps, stepsOfNamed(name));
  if (loop !== undefined) return `its util "${loop}" leads back to itself on the same node`;
  return steps > MOST_STEPS ? "its utils use each other so often that it would never end" : undefined;
}

function entryOf(value: unknown, key: string): object | undefined {
  const entry = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof entry === "object" && entry !== null ? entry : undefined;
}
