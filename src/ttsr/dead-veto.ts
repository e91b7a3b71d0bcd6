/** Exceptions that stand in every match of their own rule, so that it never fires. */
import type { AST } from "@eslint-community/regexpp";
import type { Rule } from "../capability/rule.js";
import { TriggerError } from "./matcher/refusal.js";
import { parseTrigger } from "./matcher/source.js";

/** @returns the exception, where it is a plain word and each trigger matches only texts that have it */
export function deadVeto({ unless = [], ttsrTrigger }: Rule): string | undefined {
  const words = unless.filter((pattern) => ttsrTrigger.length > 0 && isPlain(pattern));
  return words.find((pattern) => {
    const word = literalRuns(pattern)?.[0] ?? "";
    return word !== "" && ttsrTrigger.every((trigger) => literalRuns(trigger)?.some((run) => run.includes(word)));
  });
}

/** Whether the pattern is nothing but letters as they stand. */
function isPlain(pattern: string): boolean {
  const tree = treeOf(pattern);
  return (
    tree?.alternatives.length === 1 && tree.alternatives[0]?.elements.every(({ type }) => type === "Character") === true
  );
}

/** @returns the texts that stand in every match; undefined where it cannot be said */
function literalRuns(pattern: string): string[] | undefined {
  const [only, ...others] = treeOf(pattern)?.alternatives ?? [];
  if (!only || others.length > 0) return undefined;
  const runs = [""];
  for (const element of only.elements) {
    // Look-arounds and edges take nothing.
    if (element.type === "Assertion") continue;
    if (element.type === "Character") runs.push(`${runs.pop() ?? ""}${String.fromCharCode(element.value)}`);
    else runs.push("");
  }
  return runs.filter((run) => run !== "");
}

/** Without flags alone: they would make other letters the same. */
function treeOf(pattern: string): AST.Pattern | undefined {
  try {
    const { tree, flags } = parseTrigger(pattern);
    return flags.includes("i") ? undefined : tree;
  } catch (error) {
    if (error instanceof TriggerError) return undefined;
    throw error;
  }
}
