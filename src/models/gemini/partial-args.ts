/**
 * Writes JSON text piece by piece from values that arrive by path (`$.edits[0].new`), so that a string can be watched as it grows. What
 * was written cannot be taken back: a path that leads into something already closed breaks the text for good, and a text that is broken
 * or not closed does not parse, so the call is never run.
 */
import { type JsonObject, number, text } from "../json.js";

type Segment = string | number;

interface Container {
  kind: "object" | "array";
  /** What it holds so far. */
  keys: Set<Segment>;
  /** The child that was written last. */
  last: Segment;
}

export class PartialArgs {
  /** The open containers from the root inwards. */
  readonly #open: Container[] = [];
  /** The string that is still growing. */
  #string: string | undefined;
  #broken = false;

  /** @returns the text that begins every arguments object; unclosed, so that a cut call never reads as `{}` */
  begin(): string {
    this.#open.push({ kind: "object", keys: new Set(), last: "" });
    return "{";
  }

  /** Whether anything was written inside. */
  get empty(): boolean {
    return this.#open[0]?.keys.size === 0;
  }

  /** @param told one entry of `partialArgs` @returns the text that it adds */
  add(told: JsonObject): string {
    const path = text(told["jsonPath"]) ?? "";
    const goesOn = told["willContinue"] === true;
    const value = scalarOf(told);
    if (this.#broken) return "";
    if (this.#string === path) {
      const more = typeof value === "string" ? escaped(value) : "";
      if (goesOn) return more;
      this.#string = undefined;
      return `${more}"`;
    }
    const segments = segmentsOf(path);
    if (!segments || segments.length === 0) return this.#break();
    if (value === undefined) return "";
    const before = this.#closeString() + this.#walk(segments);
    if (this.#broken) return "";
    if (typeof value !== "string") return before + JSON.stringify(value);
    if (!goesOn) return before + JSON.stringify(value);
    this.#string = path;
    return `${before}"${escaped(value)}`;
  }

  /** @returns the text that ends the object */
  end(): string {
    if (this.#broken) return "";
    let closing = this.#closeString();
    while (this.#open.length > 0) closing += this.#closeOne();
    return closing;
  }

  /** Closes and opens containers until the value at `segments` may be written. */
  #walk(segments: readonly Segment[]): string {
    let shared = 0;
    while (
      shared < segments.length - 1 &&
      shared < this.#open.length - 1 &&
      this.#open[shared]?.last === segments[shared]
    ) {
      shared++;
    }
    let written = "";
    while (this.#open.length > shared + 1) written += this.#closeOne();
    for (const [at, segment] of segments.entries()) {
      if (at < shared) continue;
      written += this.#key(segment);
      const next = segments[at + 1];
      if (next === undefined) break;
      const kind = typeof next === "number" ? "array" : "object";
      this.#open.push({ kind, keys: new Set(), last: "" });
      written += kind === "array" ? "[" : "{";
    }
    return written;
  }

  #key(segment: Segment): string {
    const container = this.#open.at(-1);
    if (!container) return this.#break();
    const fits = container.kind === "array" ? segment === container.keys.size : typeof segment === "string";
    if (!fits || container.keys.has(segment)) return this.#break();
    const comma = container.keys.size > 0 ? "," : "";
    container.keys.add(segment);
    container.last = segment;
    return typeof segment === "string" ? `${comma}${JSON.stringify(segment)}:` : comma;
  }

  #closeOne(): string {
    return this.#open.pop()?.kind === "array" ? "]" : "}";
  }

  #closeString(): string {
    if (this.#string === undefined) return "";
    this.#string = undefined;
    return '"';
  }

  #break(): string {
    this.#broken = true;
    return "";
  }
}

function scalarOf(told: JsonObject): string | number | boolean | null | undefined {
  if ("nullValue" in told) return null;
  if (typeof told["boolValue"] === "boolean") return told["boolValue"];
  return number(told["numberValue"]) ?? text(told["stringValue"]);
}

function escaped(words: string): string {
  return JSON.stringify(words).slice(1, -1);
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;

/** @returns the steps of a JSONPath that names one place (RFC 9535: names and indexes), undefined for any other */
function segmentsOf(path: string): Segment[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const segments: Segment[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const step = STEP.exec(path);
    if (!step) return undefined;
    const [, name, index, single, double] = step;
    if (index !== undefined) segments.push(Number(index));
    else segments.push(name ?? (single ?? double ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  return segments;
}
