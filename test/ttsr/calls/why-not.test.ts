import { describe, expect, it } from "vitest";
import type { CallSchema } from "../../../src/capability/rule.js";
import { Budget } from "../../../src/ttsr/calls/budget.js";
import { type Arguments, compileConditions } from "../../../src/ttsr/calls/condition.js";
import { rule } from "../../support/rules.js";

function whyNot(schema: CallSchema, args: Arguments): string | undefined {
  const { conditions, problems } = compileConditions(rule("r", { ttsrTrigger: [], callCondition: [schema] }));
  expect(problems).toEqual([]);
  return conditions[0]?.whyNot(args, JSON.stringify(args).length, new Budget());
}

describe("C29 what keeps a callCondition from holding", () => {
  it.each<[string, CallSchema, Arguments, string]>([
    ["a name", { required: ["edits"] }, {}, '"edits" is missing'],
    [
      "a name further in",
      { properties: { edits: { items: { required: ["all"] } } } },
      { edits: [{ all: true }, {}] },
      '"all" is missing in edits.1',
    ],
    [
      "a text",
      { properties: { path: { pattern: "^src/" } } },
      { path: "lib/a.ts" },
      'path is "lib/a.ts", which does not fit `pattern: "^src/"`',
    ],
    ["a number", { properties: { n: { minimum: 6 } } }, { n: 1 }, "n is 1, which does not fit `minimum: 6`"],
    [
      "a list",
      { properties: { edits: { contains: { const: 1 } } } },
      { edits: [2] },
      'edits is [2], which does not fit `contains: {"const":1}`',
    ],
    [
      "the whole call",
      { not: { required: ["a"] } },
      { a: 1 },
      'the call is {"a":1}, which does not fit `not: {"required":["a"]}`',
    ],
    [
      "one of several, and what they come to",
      { properties: { u: { anyOf: [{ type: "string" }, { minimum: 4 }] } } },
      { u: 3 },
      'u is 3, which does not fit `anyOf: [{"type":"string"},{"minimum":4}]`',
    ],
    ["nothing at all", { properties: { a: false } }, { a: 1 }, "a is 1, which does not fit `false`"],
    [
      "a name with marks of its own",
      { properties: { "a/b ~%c": { type: "string" } } },
      { "a/b ~%c": 1 },
      'a/b ~%c is 1, which does not fit `type: "string"`',
    ],
    ["what depends on another", { dependentRequired: { x: ["y"] } }, { x: 1 }, '"y" is missing'],
  ])("%s", (_, schema, args, words) => {
    expect(whyNot(schema, args)).toBe(words);
  });

  it("shows the beginning of what is long, without half a character", () => {
    expect(whyNot({ properties: { a: { maxLength: 5 } } }, { a: "😀".repeat(50) })).toBe(
      `a is "${"😀".repeat(29)}…, which does not fit \`maxLength: 5\``,
    );
  });
});
