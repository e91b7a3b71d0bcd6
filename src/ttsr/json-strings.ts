import { MAX_DEPTH } from "../agent/json-depth.js";

/**
 * Reads the strings out of a JSON text that is still coming in, however it is cut. What it reports of a complete text is what `JSON.parse`
 * gives; a text that is not JSON is read as far as it makes sense and never throws.
 */

/** Paths are dotted: `edits.0.new`. Of two equal keys both are reported, in order; `JSON.parse` keeps the last (`repeats`). */
export interface JsonStringEvents {
  /** A string value begins. */
  start(path: string): void;
  /** Decoded text; may end between the halves of a surrogate pair. */
  delta(path: string, text: string): void;
  end(path: string): void;
  /** An object or array is complete. */
  close(path: string): void;
}

type State =
  | "value"
  | "key-or-end"
  | "key"
  | "colon"
  | "comma-or-end"
  | "in-key"
  | "in-string"
  | "in-literal"
  | "ignored";
type Frame = { key: string; keys: Set<string> } | { index: number };

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const PLAIN = /[^"\\]*/y;

export class JsonStringReader {
  #state: State = "value";
  readonly #frames: Frame[] = [];
  #path = "";
  #key = "";
  /** What has come of an escape: "", "\\", "\\u", "\\uD8" … */
  #escape = "";

  #repeats = false;

  constructor(private readonly events: JsonStringEvents) {}

  /** Whether an object has had a key twice, so that what was reported is not what `JSON.parse` gives. */
  get repeats(): boolean {
    return this.#repeats;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      if (this.#state === "in-string" || this.#state === "in-key") at = this.#string(text, at);
      else {
        this.#structure(text[at] ?? "");
        at++;
      }
    }
  }

  /** The text has ended; strings that it left open end here. */
  end(): void {
    if (this.#state === "in-string") this.events.end(this.#path);
    this.#state = "ignored";
  }

  #string(text: string, from: number): number {
    if (this.#escape !== "") {
      this.#unescape(text[from] ?? "");
      return from + 1;
    }
    PLAIN.lastIndex = from;
    const plain = PLAIN.exec(text)?.[0] ?? "";
    if (plain !== "") this.#emit(plain);
    const at = from + plain.length;
    if (text[at] === "\\") this.#escape = "\\";
    else if (text[at] === '"') this.#endString();
    return at + 1;
  }

  #unescape(char: string): void {
    if (this.#escape === "\\") {
      if (char === "u") this.#escape = "\\u";
      else {
        this.#escape = "";
        this.#emit(ESCAPES[char] ?? char);
      }
      return;
    }
    if (!/[0-9A-Fa-f]/.test(char)) {
      this.#state = this.#giveUp();
      return;
    }
    this.#escape += char;
    if (this.#escape.length < 6) return;
    const unit = String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16));
    this.#escape = "";
    this.#emit(unit);
  }

  #emit(text: string): void {
    if (this.#state === "in-key") this.#key += text;
    else this.events.delta(this.#path, text);
  }

  #endString(): void {
    if (this.#state === "in-key") {
      this.#nameNext(this.#key);
      this.#state = "colon";
      return;
    }
    this.#state = "comma-or-end";
    this.events.end(this.#path);
  }

  #nameNext(key: string): void {
    const frame = this.#frames.at(-1);
    if (!frame || !("key" in frame)) return;
    this.#repeats ||= frame.keys.has(key);
    frame.keys.add(key);
    frame.key = key;
  }

  #structure(char: string): void {
    const space = char === " " || char === "\n" || char === "\r" || char === "\t";
    switch (this.#state) {
      case "value":
        if (!space) this.#value(char);
        return;
      case "key-or-end":
      case "key":
        if (space) return;
        if (char === '"') {
          this.#key = "";
          this.#state = "in-key";
        } else if (char === "}" && this.#state === "key-or-end") this.#pop();
        else this.#state = this.#giveUp();
        return;
      case "colon":
        if (!space) this.#state = char === ":" ? "value" : this.#giveUp();
        return;
      case "in-literal":
        if (space) this.#state = "comma-or-end";
        else if (char === "," || char === "}" || char === "]") this.#afterValue(char);
        return;
      case "comma-or-end":
        if (!space) this.#afterValue(char);
        return;
      default:
        return;
    }
  }

  #value(char: string): void {
    if (char === '"') {
      this.#state = "in-string";
      this.#path = this.#where();
      this.events.start(this.#path);
    } else if (char === "{" || char === "[") {
      if (this.#frames.length >= MAX_DEPTH) {
        this.#state = this.#giveUp();
        return;
      }
      this.#frames.push(char === "{" ? { key: "", keys: new Set() } : { index: 0 });
      this.#state = char === "{" ? "key-or-end" : "value";
    } else if (char === "]" && "index" in (this.#frames.at(-1) ?? {})) this.#pop();
    else this.#state = /[-0-9a-z]/i.test(char) ? "in-literal" : this.#giveUp();
  }

  #afterValue(char: string): void {
    const frame = this.#frames.at(-1);
    if (frame && char === ",") {
      if ("index" in frame) frame.index++;
      this.#state = "index" in frame ? "value" : "key";
    } else if (frame && char === ("index" in frame ? "]" : "}")) this.#pop();
    else this.#state = this.#giveUp();
  }

  #pop(): void {
    this.#frames.pop();
    this.#state = this.#frames.length === 0 ? "ignored" : "comma-or-end";
    this.events.close(this.#where());
  }

  /** Not JSON: the rest is not read. */
  #giveUp(): "ignored" {
    if (this.#state === "in-string") this.events.end(this.#path);
    return "ignored";
  }

  #where(): string {
    return this.#frames.map((frame) => ("key" in frame ? frame.key : frame.index)).join(".");
  }
}
