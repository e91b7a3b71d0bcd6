/** A pattern is tried on the empty text and on single units, with the automaton itself: so no pattern can make that slow. */
import { kindOf, type UnitClasses } from "../automaton/alphabet.js";
import { Automaton } from "../automaton/automaton.js";
import { Program } from "../automaton/program.js";
import { BURST } from "../automaton/work.js";
import { DEFAULT_LIMITS } from "../limits.js";
import { includes } from "../pattern/char-set.js";
import type { Node } from "../pattern/ir.js";

/** Unlike enough that whatever matches each of them, on its own, matches nearly any text. */
const ALONE = [..."aZ0 -\u00e9}"];
/** So ordinary that whatever matches each of them matches nearly any text that is longer than a word. */
const ORDINARY = ["ls -la", "Yes.", "const a = 1;\n", "# Title\n\n", "if (!x) {}", '{"a":2}'];
const UNITS = [...new Set([...ALONE, ...ORDINARY.join("")])].map((letter) => letter.charCodeAt(0));

export interface Probed {
  /** It has matched before anything has arrived. */
  readonly atOnce: boolean;
  readonly empty: boolean;
  /** Each of some units on its own, and all of them together many times over. */
  readonly everything: boolean;
  /** Each of some ordinary texts. */
  readonly most: boolean;
}

/**
 * @param parts all of them match where the node does
 * @param known the program of the node alone, where there is one
 * @returns undefined where the pattern is too large to be tried
 */
export function probe(node: Node, parts: readonly Node[], known?: Program): Probed | undefined {
  if (parts.some((part) => leastLength(part) > 1))
    return { atOnce: false, empty: false, everything: false, most: false };
  const program = known ?? Program.of([node], DEFAULT_LIMITS.positionsPerRule);
  if (!program) return undefined;
  const classes: UnitClasses = {
    size: UNITS.length,
    kind: (unitClass) => kindOf(UNITS[unitClass] ?? 0),
    has: (set, unitClass) => includes(program.sets[set] ?? [], UNITS[unitClass] ?? 0),
  };
  const burst = BURST * DEFAULT_LIMITS.threadsPerSet;
  const automaton = new Automaton(program, classes, [0], DEFAULT_LIMITS, burst, ({ parts }) => parts);
  const start = automaton.start();
  const matches = (text: string): boolean => {
    let state = automaton.adopt(start);
    for (const letter of text) {
      const cell = automaton.miss(state.row, UNITS.indexOf(letter.charCodeAt(0)));
      state = automaton.state(Math.abs(cell));
      if (cell < 0) return true;
    }
    return automaton.finish(state).length > 0;
  };
  const atOnce = start.settled.length > 0;
  return {
    atOnce,
    empty: matches(""),
    everything: atOnce || (ALONE.every(matches) && matches(ALONE.join("").repeat(20))),
    most: ORDINARY.every(matches),
  };
}

/** Whether it is certain to match, with nothing, where a text ends: so on every text. */
export function matchesAtEveryEnd(node: Node): boolean {
  switch (node.type) {
    case "empty":
      return true;
    case "sequence":
      return node.nodes.every(matchesAtEveryEnd);
    case "choice":
      return node.nodes.some(matchesAtEveryEnd);
    case "repeat":
      return node.min === 0 || matchesAtEveryEnd(node.node);
    case "edge":
      return node.kind === "text-end" || node.kind === "line-end";
    case "ahead":
      return node.negated ? leastLength(node.node) > 0 : matchesAtEveryEnd(node.node);
    default:
      return false;
  }
}

/** Units that a match takes at least. */
function leastLength(node: Node): number {
  switch (node.type) {
    case "unit":
      return 1;
    case "sequence":
      return node.nodes.reduce((sum, each) => sum + leastLength(each), 0);
    case "choice":
      return node.nodes.reduce((least, each) => Math.min(least, leastLength(each)), Number.POSITIVE_INFINITY);
    case "repeat":
      return node.min * leastLength(node.node);
    default:
      return 0;
  }
}
