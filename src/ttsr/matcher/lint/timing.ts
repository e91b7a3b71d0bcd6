/** Triggers that fire later than their author may think. */
import type { AST } from "@eslint-community/regexpp";
import { capturesLeak } from "../settle.js";
import type { ParsedSource } from "../source.js";
import type { Finding } from "./finding.js";
import type { Prospects } from "./prospects.js";

/** @param outlook of each part */
export function lintTiming(parsed: ParsedSource, outlook: readonly Prospects[]): Finding[] {
  const { tree, flags, offset } = parsed;
  const multiline = flags.includes("m");
  const at = ({ start, end }: AST.Node): Finding["span"] => ({ start: offset + start, end: offset + end });
  const found: Finding[] = [];

  const anchored = multiline ? undefined : tree.alternatives.find((each) => isEdge(each.elements[0], "start"));
  const whole = anchored !== undefined && isEdge(anchored.elements.at(-1), "end");
  if (anchored && (whole || anchored.elements.length > 1)) {
    const message = whole
      ? "^ and $ mean the whole text, so this fires only where nothing else is in it."
      : "^ means the beginning of the whole text, so this is looked for only there.";
    const suggestion = `${putM(flags)} to make ${whole ? "them" : "it"} mean lines.`;
    const severity = whole ? "warning" : "info";
    found.push({ code: "whole-text-anchors", severity, message, span: at(anchored), suggestion });
  }

  const endOnly = outlook.includes("end");
  const lasts: AST.Element[] = [];
  for (const each of tree.alternatives) addLasts(each, lasts);
  if (endOnly) {
    const top = tree.alternatives.flatMap(({ elements }) => elements);
    const [last] = [...lasts.filter(isOpen), ...top.filter(isOpen), ...lasts];
    found.push({
      code: "end-only",
      severity: "warning",
      message: "This trigger can fire only when the whole text is written, too late to cut anything off.",
      span: last ? at(last) : at(tree),
      suggestion: `${multiline ? "Give" : `${putM(flags)} or drop the $; give`} a (?!…) a bound, such as .{0,80}.`,
    });
    return found;
  }
  if (capturesLeak(tree)) {
    found.push({
      code: "end-only",
      severity: "warning",
      message: "What a look-ahead captured is known only when the whole text is written, too late to cut anything off.",
      span: at(tree),
      suggestion: "Refer to a group that stands in front of the look-ahead, or write what it captures there.",
    });
    return found;
  }
  const waiting = lasts.find((element) => waits(element, multiline));
  if (waiting) {
    found.push({
      code: "needs-end",
      severity: "info",
      message: "This trigger fires a little later, when it is known what follows.",
      span: at(waiting),
    });
  }
  return found;
}

/** There is one place for flags. */
function putM(flags: string): string {
  if (flags === "") return "Put (?m) in front of the pattern";
  return `Put (?${[...flags, "m"].sort().join("")}) in front of the pattern in place of (?${flags})`;
}

function isEdge(node: AST.Element | undefined, kind: "start" | "end"): boolean {
  return node?.type === "Assertion" && node.kind === kind;
}

/** May hang on the end of the text. */
function isOpen(node: AST.Element): boolean {
  return node.type === "Assertion" && (node.kind === "end" || (node.kind === "lookahead" && node.negate));
}

/** Adds what a match ends with; goes into groups. What may be left out at the end is: no match waits for it. */
function addLasts({ elements }: AST.Alternative, lasts: AST.Element[]): void {
  let last = elements.findLast((element) => element.type !== "Quantifier" || element.min > 0);
  if (last?.type === "Quantifier") last = last.element;
  if (last?.type === "Group" || last?.type === "CapturingGroup") {
    for (const each of last.alternatives) addLasts(each, lasts);
  } else if (last) lasts.push(last);
}

function waits(node: AST.Element, multiline: boolean): boolean {
  if (node.type !== "Assertion") return false;
  return node.kind === "word" || node.kind === "lookahead" || (node.kind === "end" && multiline);
}
