/** What the user has sent, over sessions: one JSON line a prompt, newest last. */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

const KEPT = 1000;

export class PromptHistory {
  #entries: string[] | undefined;
  /** Index of the entry shown; `length` when the draft is. */
  #at = 0;
  #draft = "";
  /** Writing the file failed once; said once. */
  #failed = false;

  /** @param file absolute path; read when first needed */
  constructor(
    private readonly file: string,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  /** Adds a prompt, unless it is the same as the last one. */
  add(text: string): void {
    const entries = this.#load();
    if (text.trim() !== "" && entries.at(-1) !== text) {
      entries.push(text);
      try {
        mkdirSync(dirname(this.file), { recursive: true });
        appendFileSync(this.file, `${JSON.stringify({ text })}\n`, { mode: 0o600 });
      } catch (error) {
        if (!this.#failed) this.onProblem(error);
        this.#failed = true;
      }
    }
    this.leave();
  }

  /** Back to the draft: the next `previous` starts at the newest entry. */
  leave(): void {
    this.#at = this.#load().length;
    this.#draft = "";
  }

  /** @returns every prompt once, the newest first */
  newestFirst(): string[] {
    return [...new Set([...this.#load()].reverse())];
  }

  /** @returns the entry before the one shown; undefined at the oldest */
  previous(present: string): string | undefined {
    const entries = this.#load();
    if (this.#at === 0) return undefined;
    if (this.#at >= entries.length) {
      this.#at = entries.length;
      this.#draft = present;
    }
    this.#at--;
    return entries[this.#at];
  }

  /** @returns the entry after the one shown, at last the draft; undefined when the draft is shown already */
  next(): string | undefined {
    const entries = this.#load();
    if (this.#at >= entries.length) return undefined;
    this.#at++;
    return entries[this.#at] ?? this.#draft;
  }

  #load(): string[] {
    if (this.#entries) return this.#entries;
    const entries: string[] = [];
    let content = "";
    try {
      content = readFileSync(this.file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.onProblem(error);
    }
    for (const line of content.split("\n")) {
      const text = parseEntry(line);
      if (text !== undefined) entries.push(text);
    }
    this.#entries = entries.slice(-KEPT);
    this.#at = this.#entries.length;
    return this.#entries;
  }
}

/** A torn or foreign line is skipped: it must not take the others with it. */
function parseEntry(line: string): string | undefined {
  if (line.trim() === "") return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry === "object" && entry !== null && "text" in entry && typeof entry.text === "string")
      return entry.text;
  } catch {
    return undefined;
  }
  return undefined;
}
