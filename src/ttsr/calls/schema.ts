/**
 * A `callCondition` as its author wrote it → a schema that may be compiled. Only keywords that are known here pass, each with a value of its
 * kind: a slip is told and not ignored, and the validator, which writes a function from the schema, is never given anything else. There are
 * no references, so a schema costs at most its own parts times those of the call.
 */
import type { CallSchema } from "../../capability/rule.js";
import { didYouMean } from "../../platform/did-you-mean.js";
import { patternProblem } from "./patterns.js";

export type Schema = boolean | { [key: string]: unknown };

type Kind =
  | "schema"
  | "schemas"
  | "properties"
  | "patterns"
  | "names"
  | "name lists"
  | "count"
  | "number"
  | "divisor"
  | "pattern"
  | "type"
  | "value"
  | "values"
  | "note";

/** JSON Schema 2020-12, as far as it looks at values. */
const KEYWORDS: ReadonlyMap<string, Kind> = new Map([
  ["type", "type"],
  ["const", "value"],
  ["enum", "values"],
  ["required", "names"],
  ["properties", "properties"],
  ["patternProperties", "patterns"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["dependentRequired", "name lists"],
  ["dependentSchemas", "properties"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["items", "schema"],
  ["prefixItems", "schemas"],
  ["contains", "schema"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["pattern", "pattern"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["multipleOf", "divisor"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["$schema", "note"],
  ["$comment", "note"],
  ["title", "note"],
  ["description", "note"],
]);

/** Without the other one they are ignored by every validator. */
const COMPANIONS: ReadonlyMap<string, string> = new Map([
  ["then", "if"],
  ["else", "if"],
  ["minContains", "contains"],
  ["maxContains", "contains"],
]);

const NO_REFERENCES = "schemas have no references here; write it out where it is needed";
/** Of JSON Schema, and not taken. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ...["$ref", "$dynamicRef", "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor"].map(
    (key) => [key, NO_REFERENCES] as const,
  ),
  ["format", "`format` is not known here; write a `pattern`"],
  ["uniqueItems", "`uniqueItems` is not known here, because of what it costs"],
]);

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

const WANTED: Readonly<Record<Exclude<Kind, "type" | "pattern" | "note">, string>> = {
  schema: "a schema, which is a mapping",
  schemas: "a list of schemas",
  properties: "a mapping of names to schemas",
  patterns: "a mapping of patterns to schemas",
  names: "a list of names",
  "name lists": "a mapping of names to lists of names",
  count: "a whole number, 0 or more",
  number: "a number",
  divisor: "a number above 0",
  value: "a value that JSON has",
  values: "a list of values",
};

/** Values and names, of one rule; about 6 ms to compile (measured). */
const MOST_PARTS = 200;
const DEEPEST = 16;
/** UTF-16 units as JSON. */
const LONGEST = 4_096;

class SchemaProblem extends Error {}

export interface ReadSchema {
  schema: { [key: string]: unknown };
  /** How many values and names it is made of. */
  parts: number;
}

const TOO_LARGE = `it is too large: at most ${MOST_PARTS} values and names, ${DEEPEST} levels and ${LONGEST.toLocaleString("en")} characters`;

type Place = readonly string[];

/** Reads the schemas of one rule, which share its limits. */
export class SchemaReader {
  #parts = 0;
  #length = 0;

  /** @returns a copy with nothing in it but what is known, or in one sentence without its end what is wrong */
  read(written: CallSchema): ReadSchema | { problem: string } {
    const before = this.#parts;
    try {
      const schema = this.#object(written, [], 0);
      this.#length += JSON.stringify(schema).length;
      if (this.#length > LONGEST) throw new SchemaProblem(TOO_LARGE);
      return { schema, parts: this.#parts - before };
    } catch (error) {
      if (!(error instanceof SchemaProblem)) throw error;
      return { problem: error.message };
    }
  }

  #object(written: unknown, place: Place, depth: number): { [key: string]: unknown } {
    this.#part(depth);
    if (!isMapping(written)) return refuse(place, "it must be", WANTED.schema);
    const read: { [key: string]: unknown } = {};
    for (const [key, value] of Object.entries(written)) {
      const kind = KEYWORDS.get(key);
      const at = [...place, key];
      if (kind === undefined) throw new SchemaProblem(`${unknownKey(key)}${where(place)}`);
      if (kind === "note") continue;
      const companion = COMPANIONS.get(key);
      if (companion !== undefined && !Object.hasOwn(written, companion))
        throw new SchemaProblem(`\`${key}\` means nothing without \`${companion}\`${where(place)}`);
      read[key] = this.#value(kind, value, at, depth + 1);
    }
    return read;
  }

  #value(kind: Exclude<Kind, "note">, value: unknown, at: Place, depth: number): unknown {
    switch (kind) {
      case "schema":
        return this.#schema(value, at, depth);
      case "schemas":
        if (!isFilledList(value)) return refuse(at, "it must be", WANTED.schemas);
        return value.map((each, index) => this.#schema(each, [...at, String(index)], depth));
      case "properties":
      case "patterns":
        return this.#map(value, at, WANTED[kind], (each, name) => {
          if (kind === "patterns") this.#pattern(name, [...at, name]);
          return this.#schema(each, [...at, name], depth);
        });
      case "name lists":
        return this.#map(value, at, WANTED[kind], (each, name) => this.#names(each, [...at, name], depth));
      case "names":
        return this.#names(value, at, depth);
      case "pattern":
        return this.#pattern(value, at);
      case "type":
        return this.#type(value, at);
      case "values":
        if (!isFilledList(value)) return refuse(at, "it must be", WANTED.values);
        return value.map((each) => this.#json(each, at, depth));
      case "value":
        return this.#json(value, at, depth);
      default: {
        this.#part(depth);
        const count = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
        const number = typeof value === "number" && Number.isFinite(value);
        const right = kind === "count" ? count : number && (kind === "number" || value > 0);
        return right ? value : refuse(at, "it must be", WANTED[kind]);
      }
    }
  }

  #schema(value: unknown, at: Place, depth: number): Schema {
    if (typeof value !== "boolean") return this.#object(value, at, depth);
    this.#part(depth);
    return value;
  }

  #map<T>(value: unknown, at: Place, wanted: string, read: (each: unknown, name: string) => T): { [name: string]: T } {
    if (!isMapping(value)) return refuse(at, "it must be", wanted);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [this.#name(name, at), read(each, name)]));
  }

  #names(value: unknown, at: Place, depth: number): string[] {
    if (!Array.isArray(value)) return refuse(at, "it must be", WANTED.names);
    return value.map((name: unknown) => {
      this.#part(depth);
      return typeof name === "string" ? this.#name(name, at) : refuse(at, "it must be", WANTED.names);
    });
  }

  #name(name: string, at: Place): string {
    // Means something to the engine below.
    if (name === "__proto__") return refuse(at, "no name may be", name);
    // The validator writes places as parts of addresses, where it would be malformed.
    return /\p{Surrogate}/u.test(name) ? refuse(at, "no name may hold", "half a character") : name;
  }

  #pattern(value: unknown, at: Place): string {
    this.#part(0);
    if (typeof value !== "string") return refuse(at, "it must be", "a pattern in quotes");
    const problem = patternProblem(value);
    if (problem !== undefined) throw new SchemaProblem(`${problem.replace(/\.$/, "")}${where(at)}`);
    return value;
  }

  #type(value: unknown, at: Place): string | string[] {
    const names: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const name of names) {
      this.#part(0);
      if (TYPES.some((type) => type === name)) continue;
      // `null` without quotes is no text to YAML.
      const meant = name === null ? "null" : didYouMean(String(name), TYPES);
      const hint = meant === undefined ? `the types are ${TYPES.join(", ")}` : `did you mean "${meant}", in quotes?`;
      throw new SchemaProblem(`there is no type ${JSON.stringify(name)}${where(at)}; ${hint}`);
    }
    if (names.length === 0) return refuse(at, "it must be", "a type or a list of them");
    return names.length === 1 ? String(names[0]) : [...new Set(names.map(String))];
  }

  #json(value: unknown, at: Place, depth: number): unknown {
    this.#part(depth);
    if (Array.isArray(value)) return value.map((each: unknown) => this.#json(each, at, depth + 1));
    if (isMapping(value)) return this.#map(value, at, WANTED.value, (each) => this.#json(each, at, depth + 1));
    const plain = value === null || typeof value === "string" || typeof value === "boolean";
    return plain || (typeof value === "number" && Number.isFinite(value))
      ? value
      : refuse(at, "it must be", WANTED.value);
  }

  /** Counted before it is gone into, so a schema that was built to be large ends here. */
  #part(depth: number): void {
    if (++this.#parts > MOST_PARTS || depth > DEEPEST) throw new SchemaProblem(TOO_LARGE);
  }
}

function unknownKey(key: string): string {
  const refused = REFUSED.get(key);
  if (refused !== undefined) return refused;
  const meant = didYouMean(key, KEYWORDS.keys());
  return `it has no key ${JSON.stringify(key)}${meant === undefined ? "" : `, did you mean "${meant}"?`}`;
}

function refuse(at: Place, what: string, wanted: string): never {
  throw new SchemaProblem(`${what} ${wanted}${where(at)}`);
}

function where(place: Place): string {
  return place.length === 0 ? "" : ` (at ${place.join(".").slice(0, 120)})`;
}

function isMapping(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFilledList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}
