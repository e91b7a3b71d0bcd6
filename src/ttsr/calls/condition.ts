/** The `callCondition` of a rule, compiled: does it hold on the arguments of a call, and on which part of them? */
import type { Rule } from "../../capability/rule.js";
import { reasonOf } from "../../platform/errors.js";
import type { Budget } from "./budget.js";
import { loadAjv } from "./load-ajv.js";
import { Patterns } from "./patterns.js";
import { type ReadSchema, type Schema, SchemaReader } from "./schema.js";
import { type Fault, wordsOf } from "./why-not.js";

export type Arguments = { readonly [key: string]: unknown };

/** What of the arguments the condition is about. */
export interface CallPart {
  /** Dotted, as of a lane; empty: all of them. */
  path: string;
  value: unknown;
}

export interface CallCondition {
  /** @throws TooMuch where it cannot be decided within the budget */
  holds(args: Arguments, size: number, budget: Budget): boolean;
  /** @param args on which it holds */
  partOf(args: Arguments, budget: Budget): CallPart;
  /**
   * @param args on which it does not hold
   * @returns a clause on the first value that keeps it from holding
   * @throws TooMuch
   */
  whyNot(args: Arguments, size: number, budget: Budget): string;
  /** Names that it looks at and that need not be there: it also holds on a call without them. */
  readonly optional: readonly string[];
}

interface Validate {
  (value: unknown): boolean;
  /** Of the last value; of several that belong together the last one says what they come to. */
  errors?: readonly Fault[] | null;
}

/** A step from the arguments to the part: a key, or the first item that fits. */
type Step = { key: string } | { fits: Validate };

/** @returns what can be used, in the order of the file, and a sentence on each of the others */
export function compileConditions(rule: Rule): { conditions: CallCondition[]; problems: string[] } {
  const conditions: CallCondition[] = [];
  const problems: string[] = [];
  const reader = new SchemaReader();
  for (const written of rule.callCondition ?? []) {
    const compiled = compile(reader.read(written));
    if ("problem" in compiled) problems.push(`"callCondition" cannot be used: ${ended(compiled.problem)}`);
    else conditions.push(compiled);
  }
  return { conditions, problems };
}

function compile(read: ReadSchema | { problem: string }): CallCondition | { problem: string } {
  if ("problem" in read) return read;
  const ajv = loadAjv();
  if ("missing" in ajv) return { problem: ajv.missing };
  const patterns = new Patterns();
  try {
    const make = (schema: Schema): Validate => {
      // One for each schema: it keeps whatever it has compiled.
      return new ajv.Ajv({
        // The schema has been read, each keyword and value of it: there is nothing left to find fault with, and no words are wanted.
        meta: false,
        validateSchema: false,
        strict: false,
        // Else it would try the patterns on the names beside them, with a RegExp of the engine.
        allowMatchingProperties: true,
        messages: false,
        logger: false,
        // `toString` is no argument.
        ownProperties: true,
        unicodeRegExp: false,
        // What it would save at a call costs more here, at the start.
        code: { optimize: false, regExp: Object.assign((pattern: string) => patterns.compile(pattern), { code: "" }) },
      }).compile(schema);
    };
    return condition(read, make, patterns);
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

function condition(
  { schema, parts }: ReadSchema,
  make: (schema: Schema) => Validate,
  patterns: Patterns,
): CallCondition {
  const validate = make(schema);
  const steps = stepsOf(schema, make);
  const holds = (args: Arguments, size: number, budget: Budget): boolean => {
    budget.work(parts * size);
    return patterns.spending(budget, () => validate(args));
  };
  return {
    holds,
    whyNot(args, size, budget) {
      const fault = holds(args, size, budget) ? undefined : validate.errors?.at(-1);
      return fault ? wordsOf(fault, schema, args) : "it holds";
    },
    partOf: (args, budget) => patterns.spending(budget, () => follow(steps, args)),
    optional: validate({}) ? Object.keys(propertiesOf(schema)) : [],
  };
}

/** As long as a schema is about one property alone, that is the part; of a list that contains something, the item. */
function stepsOf(schema: Schema, make: (schema: Schema) => Validate): Step[] {
  const steps: Step[] = [];
  let at: Schema | undefined = schema;
  while (typeof at === "object") {
    const properties: [string, Schema][] = Object.entries(propertiesOf(at));
    const contains: unknown = at["contains"];
    const [property] = properties;
    if (property && properties.length === 1) {
      steps.push({ key: property[0] });
      at = property[1];
    } else {
      if (!property && contains !== undefined) steps.push({ fits: make(contains as Schema) });
      at = undefined;
    }
  }
  return steps;
}

function propertiesOf(schema: { [key: string]: unknown }): { [name: string]: Schema } {
  return (schema["properties"] ?? {}) as { [name: string]: Schema };
}

function follow(steps: readonly Step[], args: Arguments): CallPart {
  const path: string[] = [];
  let value: unknown = args;
  for (const step of steps) {
    let key: string | number;
    if ("key" in step) key = step.key;
    else key = Array.isArray(value) ? value.findIndex((item) => step.fits(item)) : -1;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) break;
    const next: unknown = Reflect.get(value, key);
    // `true` says nothing without its name.
    if (next === null || (typeof next !== "object" && typeof next !== "string")) break;
    value = next;
    path.push(String(key));
  }
  return { path: path.join("."), value };
}

function ended(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}
