/** What of a call keeps a `callCondition` from holding, in words for its author. */
import type { Schema } from "./schema.js";

/** As the validator tells it: addresses are JSON pointers, that of the schema is escaped as in an address of the web. */
export interface Fault {
  instancePath: string;
  schemaPath: string;
  params: Readonly<Record<string, unknown>>;
}

/** UTF-16 units of a value that are shown. */
const SHOWN = 60;

/** @returns a clause, as in: path is "lib/a.ts", which does not fit `pattern: "^src/"` */
export function wordsOf({ instancePath, schemaPath, params }: Fault, schema: Schema, args: unknown): string {
  const place = keysOf(instancePath);
  const missing = params["missingProperty"];
  if (typeof missing === "string") {
    return `${JSON.stringify(missing)} is missing${place.length === 0 ? "" : ` in ${place.join(".")}`}`;
  }
  const steps = keysOf(schemaPath.replace(/^#/, "")).map(decodeURIComponent);
  // A schema that is `false` has a name of its own there.
  const keyword = steps.at(-1) === "false schema" ? "false" : `${steps.at(-1)}: ${shown(valueAt(schema, steps))}`;
  const what = place.length === 0 ? "the call" : place.join(".");
  return `${what} is ${shown(valueAt(args, place))}, which does not fit \`${keyword}\``;
}

function keysOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(from: unknown, keys: readonly string[]): unknown {
  let value = from;
  for (const key of keys) value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}
