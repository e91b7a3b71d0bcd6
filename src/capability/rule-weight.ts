/**
 * What it costs to judge a rule, counted before anything of it is compiled. One unit is a place of a pattern whose counts are written out,
 * 2 µs at worst; the other figures were measured against it.
 */
import type { AstPattern, Rule } from "./rule.js";

/** The matcher gives up a pattern that needs more places. */
const MOST_PLACES = 2_000;
const PATTERN = 20;
/** A validator is made for each schema. */
const SCHEMA = 600;
const SCHEMA_PART = 20;
/** A pattern on syntax is tried in each language that may be meant. */
const SYNTAX_PART = 150;
const SYNTAX_UNIT = 4;
/** A piece of code is looked through for gaps as well, which takes the square of its length. */
const CODE_SHARE = 16;
/** A pattern of files or agents, or a word of the scope. */
const WORD = 60;
/** With more than two wildcards it may take the matcher to try it. */
const WILDCARD = 400;
/** An example is tried in each lane that the rule watches. */
const EXAMPLE = 20;

/** @returns units; see above */
export function weightOf(rule: Rule): number {
  const { ttsrTrigger, unless = [], fileContent = [], callCondition = [], astCondition = [], examples } = rule;
  const words = [...rule.scope, ...rule.globs, ...(rule.agents ?? [])];
  const samples = [...(examples?.fire ?? []), ...(examples?.silent ?? [])];
  return (
    sum([...ttsrTrigger, ...unless, ...fileContent], patternWeight) +
    sum(callCondition, (schema) => SCHEMA + weightIn(schema, SCHEMA_PART, (text) => 2 * patternWeight(text))) +
    sum(astCondition, syntaxWeight) +
    sum(words, wordWeight) +
    sum(samples, ({ text }) => EXAMPLE + (text.length >> 3))
  );
}

/** A word of the scope may hold several patterns. */
function wordWeight(word: string): number {
  return sum(word.split(","), (each) => {
    const wildcards = each.match(/\*+|\{/g)?.length ?? 0;
    return WORD * (1 + (each.length >> 5)) + WILDCARD * Math.max(0, wildcards - 2);
  });
}

function syntaxWeight(condition: AstPattern): number {
  if (typeof condition === "string") return SYNTAX_PART + condition.length ** 2 / CODE_SHARE;
  return weightIn(condition, SYNTAX_PART, (text) => SYNTAX_UNIT * text.length);
}

function patternWeight(pattern: string): number {
  return PATTERN + Math.max(pattern.length, placesOf(pattern));
}

/**
 * @returns how many places a pattern has when its counts are written out, about: what cannot be read is refused by others, and counts as
 * it stands
 */
export function placesOf(pattern: string): number {
  // What was counted in each group that is open, and what the last element of it has.
  const open: { places: number; last: number }[] = [];
  let group = { places: 0, last: 0 };
  for (const [token, low, high] of pattern.matchAll(
    /\(\?(?:[:=!]|<[=!]|<\w+>)|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g,
  )) {
    if (token.startsWith("(")) {
      open.push(group);
      group = { places: 0, last: 0 };
    } else if (token === ")") {
      const outer = open.pop() ?? { places: 0, last: 0 };
      group = { places: outer.places + group.places, last: group.places };
    } else if (low !== undefined) {
      group.places += group.last * Math.max(0, Number(high || low) - 1);
    } else {
      group.places += 1;
      group.last = 1;
    }
  }
  const places = open.reduce((all, each) => all + each.places, group.places);
  return Math.min(places, MOST_PLACES);
}

/** Of all values and names in it. */
function weightIn(value: unknown, part: number, ofText: (text: string) => number): number {
  if (typeof value === "string") return part + ofText(value);
  if (typeof value !== "object" || value === null) return part;
  return part + sum(Object.entries(value), ([key, each]) => ofText(key) + weightIn(each, part, ofText));
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((all, value) => all + of(value), 0);
}
