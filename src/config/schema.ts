/** Every setting, with its type and its default: the one table from which files, flags, variables and the published schema are checked. */
import * as v from "valibot";

const words = v.optional(v.array(v.string()), []);
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
/** A day; nothing here waits longer. */
const milliseconds = (least = 0) => whole(least, 86_400_000);

/** A group may be left out: its keys then have their defaults. */
function group<E extends v.ObjectEntries>(entries: E) {
  return v.optional(v.strictObject(entries), {} as v.InferInput<v.StrictObjectSchema<E, undefined>>);
}

const budget = group({
  perRule: v.optional(whole(0, 1_000), 2),
  perRun: v.optional(whole(0, 1_000), 5),
  perSession: v.optional(whole(0, 10_000), 20),
});

export const settingsSchema = v.strictObject({
  model: v.optional(v.string()),
  thinking: v.optional(v.picklist(["off", "minimal", "low", "medium", "high", "xhigh"]), "off"),
  permission: group({
    mode: v.optional(v.picklist(["plan", "ask", "auto-edit", "yolo"]), "ask"),
    allow: words,
    deny: words,
  }),
  ttsr: group({
    enabled: v.optional(v.boolean(), true),
    builtinRules: v.optional(v.boolean(), true),
    disabledRules: words,
    contextMode: v.optional(v.picklist(["discard", "keep", "rewind"]), "discard"),
    repeatMode: v.optional(v.picklist(["always", "once", "after-gap"]), "always"),
    repeatGap: v.optional(whole(0, 10_000), 10),
    interruptMode: v.optional(v.picklist(["always", "prose-only", "tool-only", "never"]), "always"),
    retryDelayMs: v.optional(whole(0, 60_000), 50),
    budget,
  }),
  retry: group({
    maxAttempts: v.optional(whole(0, 100), 4),
    baseDelayMs: v.optional(milliseconds(), 500),
  }),
  timeouts: group({
    firstEventMs: v.optional(milliseconds(1), 90_000),
    idleMs: v.optional(milliseconds(1), 60_000),
  }),
  compaction: group({
    auto: v.optional(v.boolean(), true),
    threshold: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(1)), 0.85),
  }),
  bash: group({
    timeoutSeconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(86_400)), 120),
    sandbox: v.optional(v.picklist(["auto", "on", "off"]), "auto"),
  }),
  session: group({ fsync: v.optional(v.boolean(), true) }),
  tui: group({
    theme: v.optional(v.picklist(["auto", "dark", "light", "ansi", "none"]), "auto"),
    flushMs: v.optional(whole(0, 1_000), 33),
    screenReader: v.optional(v.boolean(), false),
    reducedMotion: v.optional(v.boolean(), false),
  }),
});

/** All settings with their defaults filled in. `ttsr` has the shape of TTSR-12, and two keys for the loading of rules. */
export type Settings = v.InferOutput<typeof settingsSchema>;

/** A single setting, e.g. `ttsr.budget.perRule`. */
export interface SettingKey {
  key: string;
  /** undefined: none. */
  default: unknown;
  /** How a text from a flag or variable is to be read. */
  kind: "text" | "list" | "data";
  /** What it must be, in words. */
  wanted: string;
  /** The words to choose from, where it is a choice. */
  choices?: readonly string[];
  /** @returns what is wrong with a value, or undefined */
  check(value: unknown): string | undefined;
}

let table: ReadonlyMap<string, SettingKey> | undefined;

/** @returns every setting by its dotted name */
export function settingKeys(): ReadonlyMap<string, SettingKey> {
  table ??= new Map([...leaves(settingsSchema.entries, "")].map((leaf) => [leaf.key, leaf]));
  return table;
}

type Optional = v.OptionalSchema<v.GenericSchema, unknown>;

function* leaves(entries: object, prefix: string): Generator<SettingKey> {
  for (const [name, entry] of Object.entries(entries) as [string, Optional][]) {
    const { wrapped } = entry;
    if ("entries" in wrapped && typeof wrapped.entries === "object" && wrapped.entries !== null) {
      yield* leaves(wrapped.entries, `${prefix}${name}.`);
    } else yield leaf(prefix + name, entry);
  }
}

function leaf(key: string, schema: Optional): SettingKey {
  const inner = schema.wrapped;
  const options: unknown = "options" in inner ? inner.options : undefined;
  const choices = Array.isArray(options) ? options.map(String) : undefined;
  return {
    key,
    default: schema.default,
    kind: inner.type === "array" ? "list" : inner.type === "string" || inner.type === "picklist" ? "text" : "data",
    wanted: wantedOf(inner, choices),
    ...(choices ? { choices } : {}),
    check(value) {
      const result = v.safeParse(inner, value);
      return result.success ? undefined : wantedOf(inner, choices);
    },
  };
}

function wantedOf(schema: v.GenericSchema, choices: readonly string[] | undefined): string {
  if (choices) return `one of ${choices.join(", ")}`;
  switch (schema.type) {
    case "boolean":
      return "true or false";
    case "array":
      return "a list of texts";
    case "number":
      return numberWanted(schema);
    default:
      return "a text";
  }
}

function numberWanted(schema: v.GenericSchema): string {
  let text = "a number";
  let least: unknown;
  let most: unknown;
  for (const part of "pipe" in schema && Array.isArray(schema.pipe) ? schema.pipe : []) {
    if (part.type === "integer") text = "a whole number";
    if (part.type === "min_value") least = part.requirement;
    if (part.type === "max_value") most = part.requirement;
  }
  return least === undefined || most === undefined ? text : `${text} from ${least} to ${most}`;
}
