/**
 * At a place whose right side is not known, an assertion may be unknown and what follows it false all the same: `\B^` behind a unit. The conjunction
 * is false then, not unknown. So a way past an unknown assertion is kept only if it leads on when all that is unknown turns out well.
 */
import { type Before, EDGES, edgeHolds, MAYBE, NO, type Truth, UNKNOWN, YES } from "./edges.js";
import { AHEAD, BEHIND, EDGE, type Program, SPLIT } from "./program.js";

/** Positions that take as long as one step. */
const PER_STEP = 4;

/**
 * @param positions where it stands
 * @param behinds values of the look-behinds at the place
 * @param goal whether a position with this operation is worth reaching
 * @param mayHold whether the look-ahead of that number is not yet refuted there
 * @param spend told what it costs, in steps
 */
export function leadsOn(
  program: Program,
  positions: readonly number[],
  before: Before,
  behinds: readonly Truth[],
  goal: (operation: number) => boolean,
  mayHold: (look: number) => boolean,
  spend: (steps: number) => void,
): boolean {
  const { operations, next } = program;
  const args = program.arguments;
  const seen = new Set<number>();
  const stack = [...positions];
  for (let position = stack.pop(); position !== undefined; position = stack.pop()) {
    if (seen.has(position)) continue;
    seen.add(position);
    if (seen.size % PER_STEP === 0) spend(1);
    const operation = operations[position] ?? 0;
    if (goal(operation)) return true;
    const argument = args[position] ?? 0;
    const onward = next[position] ?? 0;
    switch (operation) {
      case SPLIT:
        stack.push(onward, argument);
        break;
      case EDGE:
        if (edgeHolds(EDGES[argument] ?? "text-start", before, UNKNOWN) !== NO) stack.push(onward);
        break;
      case BEHIND:
        if (behindHolds(argument, behinds) !== NO) stack.push(onward);
        break;
      case AHEAD:
        if (mayHold(argument)) stack.push(onward);
        break;
    }
  }
  return false;
}

/** @param argument of the operation `BEHIND` */
export function behindHolds(argument: number, behinds: readonly Truth[]): Truth {
  const value = behinds[argument >> 1] ?? NO;
  if (value === MAYBE || (argument & 1) === 0) return value;
  return value === YES ? NO : YES;
}
