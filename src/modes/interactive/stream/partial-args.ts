/** Reads the arguments of a tool call while they are still being written: an incremental JSON scanner that keeps what a face shows. */

export interface DraftText {
  /** Dotted path of the string that is (or was last) being written. */
  path: string;
  /** Its newest part. */
  tail: string;
  /** Lines of it so far. */
  lines: number;
}

/** Strings are kept whole up to this length; of a longer one the beginning is forgotten. UTF-16 units. */
const KEEP = 4096;

interface Level {
  kind: "object" | "array";
  key: string;
  index: number;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

export class PartialArgs {
  /** Whole short strings by dotted path: the file, the command. */
  readonly strings = new Map<string, string>();
  #levels: Level[] = [];
  #state: "value" | "key" | "string" = "value";
  #escape = "";
  #text = "";
  #path = "";
  #lines = 0;
  #open = false;

  push(piece: string): void {
    for (const char of piece) this.#take(char);
    if (this.#state === "string") this.#trim();
  }

  /** The string written last; undefined before the first one. */
  get draft(): DraftText | undefined {
    if (!this.#open && this.#path === "") return undefined;
    return { path: this.#path, tail: this.#text, lines: this.#lines };
  }

  #take(char: string): void {
    if (this.#state !== "value") {
      this.#takeInString(char);
      return;
    }
    const level = this.#levels.at(-1);
    if (char === '"') {
      this.#text = "";
      this.#escape = "";
      if (level?.kind === "object" && level.key === "") {
        this.#state = "key";
        return;
      }
      this.#state = "string";
      this.#open = true;
      this.#lines = 1;
      this.#path = this.#levels.map((at) => (at.kind === "object" ? at.key : String(at.index))).join(".");
    } else if (char === "{") {
      this.#levels.push({ kind: "object", key: "", index: 0 });
    } else if (char === "[") {
      this.#levels.push({ kind: "array", key: "", index: 0 });
    } else if (char === "}" || char === "]") {
      this.#levels.pop();
    } else if (char === "," && level) {
      if (level.kind === "object") level.key = "";
      else level.index++;
    }
  }

  #takeInString(char: string): void {
    if (this.#escape !== "") {
      this.#escape += char;
      this.#takeEscape();
    } else if (char === "\\") {
      this.#escape = char;
    } else if (char === '"') {
      this.#end();
    } else {
      this.#put(char);
    }
  }

  #takeEscape(): void {
    const kind = this.#escape.charAt(1);
    if (kind === "u") {
      if (this.#escape.length < 6) return;
      const code = Number.parseInt(this.#escape.slice(2), 16);
      this.#put(Number.isNaN(code) ? "" : String.fromCharCode(code));
    } else {
      this.#put(ESCAPES[kind] ?? kind);
    }
    this.#escape = "";
  }

  #put(text: string): void {
    this.#text += text;
    if (text === "\n") this.#lines++;
    if (this.#text.length > 2 * KEEP) this.#trim();
  }

  #trim(): void {
    if (this.#state === "string" && this.#text.length > KEEP) this.#text = this.#text.slice(-KEEP);
  }

  #end(): void {
    if (this.#state === "key") {
      const level = this.#levels.at(-1);
      if (level) level.key = this.#text;
      this.#text = "";
    } else {
      this.#open = false;
      if (this.#text.length < KEEP) this.strings.set(this.#path, this.#text);
    }
    this.#state = "value";
  }
}
