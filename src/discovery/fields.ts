/** Values of front matter, taken for what they must have been meant to be; every doubt is a diagnostic. */
import type { AstPattern, CallSchema, RuleDiagnostic, RuleExample } from "../capability/rule.js";
import { didYouMean } from "../platform/did-you-mean.js";
import type { FrontMatter } from "./front-matter.js";
import type { Entry } from "./lenient.js";
import { splitList } from "./lists.js";

/** A text and the 1-based line that it stands on. */
export interface Placed {
  text: string;
  line: number;
}

const YES_NO: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

const EXAMPLE_KEYS: readonly string[] = ["text", "call", "path", "tool"];

const MOST_ODD_KEYS = 20;

/** Reads keys of one file and collects what there is to say about them. */
export class Fields {
  readonly diagnostics: RuleDiagnostic[] = [];
  readonly #front: FrontMatter;
  readonly #path: string;
  #oddExampleKeys = 0;

  constructor(front: FrontMatter, path: string) {
    this.#front = front;
    this.#path = path;
  }

  report(severity: RuleDiagnostic["severity"], code: string, message: string, line: number, suggestion?: string): void {
    this.diagnostics.push({
      severity,
      code,
      message,
      path: this.#path,
      line,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  has(key: string): boolean {
    return this.entry(key) !== undefined;
  }

  /** @returns the entry, if the key has a value */
  entry(key: string): Entry | undefined {
    const entry = this.#front.entries.get(key);
    return entry === undefined || entry.value === null || entry.value === undefined ? undefined : entry;
  }

  line(key: string): number {
    return this.#front.entries.get(key)?.line ?? 1;
  }

  /** @returns the line as it stands in the file */
  source(line: number): string {
    return this.#front.lines[line - 1] ?? "";
  }

  text(key: string): string | undefined {
    const entry = this.entry(key);
    if (!entry) return undefined;
    const text = this.#textOf(entry.value, key, entry.line);
    return text === undefined || text.trim() === "" ? undefined : text.trim();
  }

  flag(key: string): boolean | undefined {
    const entry = this.entry(key);
    if (!entry || entry.value === "") return undefined;
    if (typeof entry.value === "boolean") return entry.value;
    const meant = typeof entry.value === "string" ? YES_NO[entry.value.trim().toLowerCase()] : undefined;
    if (meant === undefined) this.#wrong(key, "true or false", entry);
    else
      this.report(
        "warning",
        "wrong-type",
        `"${key}" must be true or false; "${entry.value}" was read as ${meant}.`,
        entry.line,
      );
    return meant;
  }

  /** @param unit what is counted */
  count(key: string, unit: string): number | undefined {
    const entry = this.entry(key);
    if (!entry || entry.value === "") return undefined;
    const number =
      typeof entry.value === "string" && /^\d+$/.test(entry.value.trim()) ? Number(entry.value) : entry.value;
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
    this.#wrong(key, `a whole number of ${unit}, 0 or more`, entry);
    return undefined;
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const entry = this.entry(key);
    if (!entry || entry.value === "") return undefined;
    const found = choices.find((choice) => choice === entry.value);
    if (found === undefined)
      this.#wrong(key, `one of ${choices.join(", ")}`, entry, didYouMean(String(entry.value), choices));
    return found;
  }

  /** One or more of the choices, as a list or as one text with commas; what is none of them is told and left out. */
  choices<T extends string>(key: string, choices: readonly T[]): T[] | undefined {
    const found: T[] = [];
    for (const { text, line } of this.texts(key)) {
      for (const word of splitList(text)) {
        const choice = choices.find((each) => each === word);
        const wanted = `one or more of ${choices.join(", ")}`;
        if (choice === undefined) this.#wrong(key, wanted, { value: word, line }, didYouMean(word, choices));
        else if (!found.includes(choice)) found.push(choice);
      }
    }
    return found.length === 0 ? undefined : found;
  }

  /** A list of words, or one text with commas outside brackets and quotes. */
  list(key: string): string[] {
    return this.texts(key).flatMap(({ text }) => splitList(text));
  }

  /** One text or a list of them, taken as they are. */
  texts(key: string): Placed[] {
    const entry = this.entry(key);
    if (!entry) return [];
    const values: readonly unknown[] = Array.isArray(entry.value) ? entry.value : [entry.value];
    const placed: Placed[] = [];
    for (const [index, value] of values.entries()) {
      const line = entry.itemLines?.[index] ?? entry.line;
      const text = value === null ? undefined : this.#textOf(value, key, line);
      if (text !== undefined) placed.push({ text, line });
    }
    return placed;
  }

  /** Patterns on syntax, as ast-grep takes them: one text, one mapping, or a list of these. */
  patterns(key: string): AstPattern[] | undefined {
    const entry = this.entry(key);
    if (!entry) return undefined;
    const values: readonly unknown[] = Array.isArray(entry.value) ? entry.value : [entry.value];
    const patterns = values.filter((value): value is AstPattern => {
      return isRecord(value) || (typeof value === "string" && value.trim() !== "");
    });
    if (patterns.length < values.length)
      this.#wrong(key, "a pattern of ast-grep, a list of them, or one of its rules", entry);
    return patterns.length === 0 ? undefined : patterns;
  }

  /** JSON Schemas: one mapping, or a list of these; what stands in them is taken as it is. */
  schemas(key: string): CallSchema[] | undefined {
    const entry = this.entry(key);
    if (!entry) return undefined;
    const values: readonly unknown[] = Array.isArray(entry.value) ? entry.value : [entry.value];
    const schemas = values.filter(isRecord);
    if (schemas.length < values.length) this.#wrong(key, "a JSON Schema as a mapping, or a list of these", entry);
    return schemas.length === 0 ? undefined : schemas;
  }

  examples(key: string): { fire: RuleExample[]; silent: RuleExample[] } | undefined {
    const entry = this.entry(key);
    if (!entry) return undefined;
    if (!isRecord(entry.value)) {
      this.#wrong(key, 'a mapping with the lists "fire" and "silent"', entry);
      return undefined;
    }
    for (const name of Object.keys(entry.value).slice(0, MOST_ODD_KEYS)) {
      if (name === "fire" || name === "silent") continue;
      const meant = didYouMean(name, ["fire", "silent"]);
      this.report(
        "warning",
        "unknown-key",
        `"${key}" has no list "${name}"; its lists are "fire" and "silent".`,
        entry.line,
        meant && `Did you mean "${meant}"?`,
      );
    }
    return { fire: this.#exampleList(entry, "fire", key), silent: this.#exampleList(entry, "silent", key) };
  }

  #exampleList(entry: Entry, name: "fire" | "silent", key: string): RuleExample[] {
    const value: unknown = isRecord(entry.value) && Object.hasOwn(entry.value, name) ? entry.value[name] : undefined;
    if (value === undefined || value === null) return [];
    const examples: RuleExample[] = [];
    for (const one of Array.isArray(value) ? value : [value]) {
      const example = exampleOf(one);
      if (example) {
        examples.push(example);
        this.#reportExampleKeys(one, `${key}.${name}`, entry.line);
      } else
        this.#wrong(`${key}.${name}`, "a list of texts, or of { text, path, tool } or { call, tool }", {
          value: one,
          line: entry.line,
        });
    }
    return examples;
  }

  #reportExampleKeys(example: unknown, key: string, line: number): void {
    if (!isRecord(example)) return;
    for (const name of Object.keys(example)) {
      if (EXAMPLE_KEYS.includes(name)) continue;
      // What is wrong in each of a hundred examples need not be told a hundred times.
      if (++this.#oddExampleKeys > MOST_ODD_KEYS) return;
      const meant = didYouMean(name, EXAMPLE_KEYS);
      const message = `An example of "${key}" has no key "${name}"; its keys are ${EXAMPLE_KEYS.join(", ")}.`;
      this.report("warning", "unknown-key", message, line, meant && `Did you mean "${meant}"?`);
    }
  }

  #textOf(value: unknown, key: string, line: number): string | undefined {
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") {
      this.report(
        "warning",
        "wrong-type",
        `"${key}" must be a text; ${value} was read as "${value}".`,
        line,
        "Put it in quotes.",
      );
      return String(value);
    }
    this.#wrong(key, "a text", { value, line });
    return undefined;
  }

  #wrong(key: string, wanted: string, entry: { value: unknown; line: number }, meant?: string): void {
    const suggestion = meant === undefined ? quotesFor(entry.value) : `Did you mean "${meant}"?`;
    this.report(
      "warning",
      "wrong-type",
      `"${key}" must be ${wanted}; ${kindOf(entry.value)} was left out.`,
      entry.line,
      suggestion,
    );
  }
}

function exampleOf(value: unknown): RuleExample | undefined {
  if (typeof value === "string") return { text: value };
  if (typeof value === "number" || typeof value === "boolean") return { text: String(value) };
  if (!isRecord(value)) return undefined;
  const { call, path, tool } = value;
  // The arguments of a call are its text.
  const text = isRecord(call) ? JSON.stringify(call) : value["text"];
  if (typeof text !== "string") return undefined;
  return { text, ...(typeof path === "string" ? { path } : {}), ...(typeof tool === "string" ? { tool } : {}) };
}

/** @returns what to do where a text has a colon in it, and so is a key with a value to YAML */
function quotesFor(value: unknown): string | undefined {
  const [first, ...others] = isRecord(value) ? Object.entries(value) : [];
  if (!first || others.length > 0 || (typeof first[1] === "object" && first[1] !== null)) return undefined;
  return "If a text with a colon was meant, put it in single quotes.";
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "an empty entry";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  const text = String(value);
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
