/** What a `callCondition` may be, and that no rule can stall or bend the program with one. */
import { describe, expect, it } from "vitest";
import type { CallSchema, Rule } from "../../../src/capability/rule.js";
import { SchemaReader } from "../../../src/ttsr/calls/schema.js";
import { TtsrManager } from "../../../src/ttsr/manager.js";
import { DEFAULT_TTSR, rule } from "../../support/rules.js";

const callRule = (schema: CallSchema, name = "on-calls"): Rule =>
  rule(name, { ttsrTrigger: [], callCondition: [schema] });

function managerOf(...schemas: CallSchema[]): TtsrManager {
  const manager = new TtsrManager(DEFAULT_TTSR);
  for (const [index, schema] of schemas.entries()) {
    expect(manager.addRule(callRule(schema, `rule-${index}`)), JSON.stringify(manager.diagnostics())).toBe(true);
  }
  return manager;
}

/** @returns whether it holds on the arguments */
function holds(manager: TtsrManager, args: Record<string, unknown>): boolean {
  const call = { type: "toolCall" as const, id: "c", name: "t", arguments: args };
  const found = manager.checkCall({ call, contentIndex: 0, tool: undefined, toProjectPath: (path) => path });
  return found.length > 0;
}
const holdsOn = (schema: CallSchema, args: Record<string, unknown>): boolean => holds(managerOf(schema), args);

describe("C29 a schema that cannot be used makes the rule broken, in one sentence", () => {
  const deep = (levels: number): CallSchema => (levels === 0 ? {} : { not: deep(levels - 1) });
  it.each<[string, CallSchema, string]>([
    ["a slip", { requird: ["a"] }, 'it has no key "requird", did you mean "required"?'],
    [
      "a slip inside",
      { properties: { a: { minlength: 3 } } },
      'it has no key "minlength", did you mean "minLength"? (at properties.a).',
    ],
    ["a key of nobody", { properties: { a: { zzz: 3 } } }, 'it has no key "zzz" (at properties.a).'],
    ["a key of the engine", { constructor: 1 } as never, 'it has no key "constructor".'],
    ["a list that is none", { required: "a" }, "it must be a list of names (at required)."],
    ["a schema that is none", { items: "string" }, "it must be a schema, which is a mapping (at items)."],
    ["a type that is none", { type: "strng" }, 'there is no type "strng" (at type); did you mean "string", in quotes?'],
    ["null without quotes", { type: null }, 'there is no type null (at type); did you mean "null", in quotes?'],
    ["a count that is none", { minItems: -1 }, "it must be a whole number, 0 or more (at minItems)."],
    ["an empty list", { anyOf: [] }, "it must be a list of schemas (at anyOf)."],
    ["then without if", JSON.parse('{"then":{}}'), "`then` means nothing without `if`."],
    [
      "a reference",
      { properties: { a: { $ref: "#" } } },
      "schemas have no references here; write it out where it is needed (at properties.a).",
    ],
    [
      "a far reference",
      { $ref: "http://example.com/a.json" },
      "schemas have no references here; write it out where it is needed.",
    ],
    [
      "a format",
      { properties: { a: { format: "email" } } },
      "`format` is not known here; write a `pattern` (at properties.a).",
    ],
    [
      "a pattern that is none",
      { properties: { a: { pattern: "(" } } },
      "A group is opened with ( and never closed (at properties.a.pattern).",
    ],
    [
      "a pattern with a reference",
      { properties: { a: { pattern: "(a)\\1" } } },
      "This pattern needs a worker to be checked, and a call is decided at once (at properties.a.pattern).",
    ],
    [
      "a pattern that says nothing",
      { patternProperties: { ".*": {} } },
      "This pattern matches every text, so it says nothing; leave it out (at patternProperties..*).",
    ],
    [
      "too many parts",
      { enum: Array.from({ length: 300 }, (_, i) => i) },
      "it is too large: at most 200 values and names, 16 levels and 4,096 characters.",
    ],
    ["too deep", deep(20), "it is too large: at most 200 values and names, 16 levels and 4,096 characters."],
    [
      "too long",
      { const: "x".repeat(5_000) },
      "it is too large: at most 200 values and names, 16 levels and 4,096 characters.",
    ],
    ["a number that JSON has not", { const: Number.POSITIVE_INFINITY }, "it must be a value that JSON has (at const)."],
    ["half a character", { required: ["a\ud800"] }, "no name may hold half a character (at required)."],
    [
      "a name that is the engine's",
      { properties: JSON.parse('{"__proto__":{}}') },
      "no name may be __proto__ (at properties).",
    ],
  ])("%s", (_, schema, message) => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    expect(manager.addRule(callRule(schema))).toBe(false);
    expect(manager.diagnostics()).toMatchObject([
      { code: "call-condition", severity: "error", message: `"callCondition" cannot be used: ${message}` },
    ]);
  });

  it("the rule's trigger works on", () => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    expect(manager.addRule({ ...callRule({ requird: [] }), ttsrTrigger: ["x"] })).toBe(true);
  });

  it("remarks are left out, and nothing else is changed", () => {
    const schema = { $schema: "x", title: "t", properties: { a: { description: "d", type: ["null", "string"] } } };
    expect(new SchemaReader().read(schema)).toMatchObject({
      schema: { properties: { a: { type: ["null", "string"] } } },
    });
  });
});

describe("C29 the keywords hold as JSON Schema has them", () => {
  it.each<[CallSchema, Record<string, unknown>, boolean]>([
    [{ properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] }, { n: 3 }, true],
    [{ properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] }, { n: 3.5 }, false],
    [{ properties: { n: { type: "integer" } }, required: ["n"] }, { n: "3" }, false],
    [{ patternProperties: { "^x-": { const: 1 } }, additionalProperties: false }, { "x-a": 1 }, true],
    [{ patternProperties: { "^x-": { const: 1 } }, additionalProperties: false }, { "x-a": 2 }, false],
    [{ patternProperties: { "^x-": { const: 1 } }, additionalProperties: false }, { y: 1 }, false],
    [{ properties: { l: { contains: { const: 1 }, minContains: 2 } } }, { l: [1, 2, 1] }, true],
    [{ properties: { l: { contains: { const: 1 }, minContains: 2 } } }, { l: [1, 2] }, false],
    [{ properties: { l: { prefixItems: [{ const: "a" }], items: { const: "b" } } } }, { l: ["a", "b"] }, true],
    [{ properties: { l: { prefixItems: [{ const: "a" }], items: { const: "b" } } } }, { l: ["b"] }, false],
    [{ propertyNames: { pattern: "^[a-z]+$" } }, { A: 1 }, false],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, false],
    [{ oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { a: 1, b: 1 }, false],
    [JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'), { a: 1 }, false],
    [{ properties: { s: { pattern: "(?i)^DROP\\b" } } }, { s: "drop table" }, true],
    [{ properties: { s: { pattern: "a$" } } }, { s: "a\n" }, false],
    [{ properties: { s: { enum: [null, { k: [1] }] } } }, { s: { k: [1] } }, true],
  ])("%j on %j", (schema, args, wanted) => expect(holdsOn(schema, args)).toBe(wanted));

  it("patterns hold where `RegExp.test` does", () => {
    const texts = ["", "a", "ab", "b\na", "xay", "a".repeat(3_000), `${"x".repeat(2_047)}ab`, "é😀"];
    for (const pattern of ["^a", "a$", "ab?$", "a(?!b)", "(?<=x)a", "\\ba\\b", "[^a]", "^.{3}$", "x{5,}a"]) {
      const manager = managerOf({ required: ["s"], properties: { s: { pattern } } });
      for (const s of texts)
        expect(holds(manager, { s }), `${pattern} on ${s.slice(0, 20)}`).toBe(new RegExp(pattern).test(s));
    }
  });
});

describe("C29 a repository's schema cannot bend the program", () => {
  /** Whatever would end a string, a name, a comment or a template in the function that the validator writes. */
  const NASTY = [
    '"];globalThis.pwned=1;["',
    "'];globalThis.pwned=1;['",
    "`$" + "{globalThis.pwned=1}`",
    "*/globalThis.pwned=1;/*",
    "\\",
    '\\"',
    "\u2028globalThis.pwned=1",
    "\u2029globalThis.pwned=1\n",
    "a.b[0]",
    "x\ny\0z",
    "$" + "{globalThis.pwned=1}",
    "</script>",
    "😀",
    "constructor",
    "prototype",
    "$data",
    "if(1){globalThis.pwned=1}",
  ];
  const places: Record<string, (name: string) => CallSchema> = {
    required: (name) => ({ required: [name] }),
    properties: (name) => ({ required: [name], properties: { [name]: { type: "string" } } }),
    const: (name) => ({ required: [name], properties: { [name]: { const: name } } }),
    enum: (name) => ({ required: [name], properties: { [name]: { enum: [name, { [name]: [name] }] } } }),
    dependentRequired: (name) => ({ required: [name], dependentRequired: { [name]: [name] } }),
    dependentSchemas: (name) => ({ required: [name], dependentSchemas: { [name]: { required: [name] } } }),
    additional: (name) => ({ required: [name], properties: { [name]: true }, additionalProperties: false }),
    value: (name) => ({ required: [name], properties: { [name]: { not: { const: { $data: name } } } } }),
  };
  it.each(Object.entries(places))("names and values are data, whatever they say: %s", (_, schema) => {
    for (const name of NASTY) {
      const manager = managerOf(schema(name));
      expect(holds(manager, { [name]: name }), name).toBe(true);
      expect(holds(manager, {}), name).toBe(false);
    }
    expect(globalThis).not.toHaveProperty("pwned");
  });

  it("patterns too, in values and in names", () => {
    for (const name of NASTY) {
      const pattern = `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;
      const manager = new TtsrManager(DEFAULT_TTSR);
      manager.addRule(callRule({ required: [name], properties: { [name]: { pattern } } }, "value"));
      manager.addRule(
        callRule({ minProperties: 1, patternProperties: { [pattern]: true }, additionalProperties: false }, "name"),
      );
      expect(manager.rules()).toHaveLength(2);
      expect(holds(manager, { [name]: name }), name).toBe(true);
    }
    expect(globalThis).not.toHaveProperty("pwned");
  });
});

describe("C29 a repository's schema cannot stall the program", () => {
  const undecided = (manager: TtsrManager): string[] =>
    manager.takeNews().map(({ code, message }) => `${code}: ${message}`);

  it("a pattern that is catastrophic elsewhere is linear here", () => {
    const text = `${"a".repeat(50_000)}!`;
    expect(holdsOn({ properties: { s: { not: { pattern: "^(a+)+$" } } }, required: ["s"] }, { s: text })).toBe(true);
    const names = {
      patternProperties: { "^(a+)+$": true },
      additionalProperties: false,
      properties: { [text.slice(-99)]: true },
    };
    expect(holdsOn(names, { [text.slice(-40)]: 1 })).toBe(false);
  });

  it("a call that is too large is not decided: it passes, and it is told once", () => {
    const manager = managerOf({ required: ["list"], properties: { list: { contains: { maxProperties: 0 } } } });
    const list = Array.from({ length: 200_000 }, () => ({}));
    expect(holds(manager, { list: list.slice(0, 100_000) })).toBe(true);
    expect(undecided(manager)).toEqual([]);
    for (let i = 0; i < 3; i++) expect(holds(manager, { list })).toBe(false);
    expect(undecided(manager)).toEqual([
      "undecided: A call of t was too large, or its `callCondition` too costly, to be checked; it was let pass.",
    ]);
    expect(undecided(manager)).toEqual([]);
  });

  it("the rules share what a call may cost, so many of them cost no more than one", () => {
    const schema = {
      properties: { list: { items: { not: { enum: Array.from({ length: 150 }, (_, i) => `v${i}`) } } } },
      required: ["list"],
    };
    const manager = managerOf(...Array.from({ length: 60 }, () => schema));
    const list = Array.from({ length: 5_000 }, (_, i) => `w${i}`);
    const call = { type: "toolCall" as const, id: "c", name: "t", arguments: { list } };
    const found = manager.checkCall({ call, contentIndex: 0, tool: undefined, toProjectPath: (path) => path });
    expect(found.length).toBeGreaterThan(5);
    expect(found.length).toBeLessThan(60);
    expect(manager.takeNews()).toHaveLength(60 - found.length);
  });

  it("nor is one decided whose pattern has too many ways to go on", () => {
    const pattern = `(?:${Array.from({ length: 60 }, (_, i) => `.{${i + 1}}x`).join("|")})y`;
    const manager = managerOf({ required: ["s"], properties: { s: { not: { pattern } } } });
    const s = Array.from({ length: 300_000 }, (_, i) => (i % 7 < 3 ? "x" : ".")).join("");
    expect(holds(manager, { s })).toBe(false);
    expect(undecided(manager)).toHaveLength(1);
  });
});
