/**
 * Hides from the rules what prose only quotes: code spans and block quotes (TTSR-2.7). Fenced code stays in sight. A rule's `in` may hide
 * other parts (TTSR-3.3). Hidden units are replaced
 * one for one, so offsets and lines stay as they are. An open span is held back until it closes (hidden) or its paragraph ends (then it
 * was text); so what comes out is a function of the text alone, however it was cut.
 */

/** Stands for a hidden unit: neither a letter, nor a space, nor anything a trigger is likely to name. */
export const HIDDEN = "\uFFFC";

/** A span longer than this, and a fence line longer than this, counts as text. UTF-16 units. */
const LONGEST_HELD = 8192;

/** What prose is made of; a fence is there with its lines. */
export type ProseKind = "prose" | "fence" | "span" | "quote";
export const PROSE_KINDS: readonly ProseKind[] = ["prose", "fence", "span", "quote"];

const QUOTED: ReadonlySet<ProseKind> = new Set(["span", "quote"]);

/** What ends plain text within a line. */
const SPECIAL = /[`\\\n]/;

type Line = "start" | "text" | "quote";

export class ProseFilter {
  #held = "";
  #line: Line = "start";
  /** A backslash came last: the next unit opens nothing. */
  #escaped = false;
  #fence: string | undefined;
  /** The present line inside a fence, as far as it may close it. */
  #fenceLine = "";

  constructor(private readonly hidden: ReadonlySet<ProseKind> = QUOTED) {}

  /** @returns what is decided by now, of the same length as the text it stands for */
  push(delta: string): string {
    const plain = this.#held === "" && this.#line === "text" && !this.#escaped && this.#fence === undefined;
    if (plain && !SPECIAL.test(delta)) return this.#show(delta, "prose");
    this.#held += delta;
    return this.#decide(false);
  }

  /** The text is complete. @returns the rest */
  close(): string {
    return this.#decide(true);
  }

  #decide(final: boolean): string {
    let out = "";
    while (this.#held !== "") {
      const before = this.#held.length;
      out += this.#fence === undefined ? this.#prose(final) : this.#fenced(this.#fence);
      if (this.#held.length === before) break;
    }
    return out;
  }

  /** Takes up to one line of fenced code. */
  #fenced(fence: string): string {
    const end = this.#held.indexOf("\n");
    const part = this.#take(end < 0 ? this.#held.length : end + 1);
    if (this.#fenceLine.length <= LONGEST_HELD) this.#fenceLine += part;
    if (end >= 0) {
      const closing = this.#fenceLine.trim();
      const same = closing !== "" && closing === (closing[0] ?? "").repeat(closing.length) && closing[0] === fence[0];
      if (same && closing.length >= fence.length) this.#fence = undefined;
      this.#fenceLine = "";
      this.#line = "start";
    }
    return this.#show(part, "fence");
  }

  /** Takes one step: indentation, a quote, a fence line, plain text, or a span. Takes nothing while it must wait. */
  #prose(final: boolean): string {
    if (this.#line === "quote") return this.#quote();
    if (this.#line === "start") {
      const indent = /^[ \t\r]*\n?/.exec(this.#held)?.[0] ?? "";
      if (indent !== "") return this.#show(this.#take(indent.length), "prose");
      const marker = LIST_MARKER.exec(this.#held)?.[0];
      if (marker !== undefined) return this.#show(this.#take(marker.length), "prose");
      if (!final && LIST_MARKER_OPEN.test(this.#held)) return "";
      if (this.#held[0] === ">") {
        this.#line = "quote";
        return this.#quote();
      }
      const fence = fenceAt(this.#held, final);
      if (fence === "unknown") return "";
      if (fence !== "none") {
        this.#fence = fence.mark;
        this.#fenceLine = "";
        return this.#show(this.#take(fence.line), "fence");
      }
      this.#line = "text";
    }
    return this.#text(final);
  }

  #quote(): string {
    const end = this.#held.indexOf("\n");
    const part = this.#take(end < 0 ? this.#held.length : end + 1);
    if (end >= 0) this.#line = "start";
    return this.#show(part, "quote");
  }

  #text(final: boolean): string {
    if (this.#escaped) {
      this.#escaped = false;
      return this.#plain(1);
    }
    const special = this.#held.search(SPECIAL);
    if (special !== 0) return this.#show(this.#take(special < 0 ? this.#held.length : special), "prose");
    if (this.#held[0] === "\\") {
      this.#escaped = true;
      return this.#show(this.#take(1), "prose");
    }
    if (this.#held[0] === "\n") return this.#plain(1);
    const span = spanAt(this.#held, final);
    if (span === "unknown") return "";
    if (span.content === 0) return this.#show(this.#take(span.mark), "prose");
    return this.#take(span.mark) + this.#show(this.#take(span.content), "span") + this.#take(span.mark);
  }

  #plain(length: number): string {
    const part = this.#take(length);
    if (part.endsWith("\n")) this.#line = "start";
    return this.#show(part, "prose");
  }

  #show(part: string, kind: ProseKind): string {
    return this.hidden.has(kind) ? hide(part) : part;
  }

  #take(length: number): string {
    const part = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return part;
  }
}

/** @returns the text with every unit but its line ends hidden */
export function hide(text: string): string {
  return text.replace(/[^\r\n]/g, HIDDEN);
}

/** What opens a code fence at the beginning of a line. `line` counts the units of the whole line. */
function fenceAt(held: string, ended: boolean): { mark: string; line: number } | "none" | "unknown" {
  const { text, final } = within(held, ended);
  const mark = /^(?:`+|~+)/.exec(text)?.[0];
  if (mark === undefined) return "none";
  if (mark.length === text.length && !final) return "unknown";
  if (mark.length < 3) return "none";
  const end = text.indexOf("\n");
  const line = end < 0 ? text.length : end + 1;
  if (mark[0] === "`" && text.slice(mark.length, line).includes("`")) return "none";
  if (end >= 0 || ended) return { mark, line };
  return final ? "none" : "unknown";
}

/** The span that a run of backticks at the beginning of `held` opens; `content` 0 where it opens none. */
function spanAt(held: string, ended: boolean): { mark: number; content: number } | "unknown" {
  const { text, final } = within(held, ended);
  const mark = runAt(text, 0);
  const none = { mark, content: 0 };
  for (let at = mark; at < text.length; ) {
    if (text[at] === "`") {
      const run = runAt(text, at);
      if (at + run === text.length && !final) return "unknown";
      if (run === mark) return { mark, content: at - mark };
      at += run;
    } else if (text[at] === "\n") {
      const next = paragraphGoesOn(text.slice(at + 1), final);
      if (next !== "yes") return next === "no" ? none : "unknown";
      at++;
    } else {
      const next = text.slice(at).search(/[`\n]/);
      at = next < 0 ? text.length : at + next;
    }
  }
  return final ? none : "unknown";
}

/** What is held at most is looked at as if the text ended there: a cut that depends on the text alone. */
function within(held: string, ended: boolean): { text: string; final: boolean } {
  return { text: held.slice(0, LONGEST_HELD), final: ended || held.length >= LONGEST_HELD };
}

function runAt(text: string, from: number): number {
  let end = from;
  while (text[end] === "`") end++;
  return end - from;
}

const LIST_MARKER = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const LIST_MARKER_OPEN = /^(?:[-*+]|\d{1,9}[.)]?)$/;
const BLOCK_START =
  /^(?:[ \t\r]*\n|[ \t]*>|[ \t]*(?:`{3,}[^`\n]*|~{3,}[^\n]*)\n| {0,3}#{1,6}[ \t\r\n]|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t\n])/;
/** Lines without their end that may still become one of these. */
const BLOCK_START_OPEN =
  /^(?:[ \t\r]*|[ \t]*(?:`{1,2}|`{3,}[^`\n]*|~[^\n]*)| {0,3}#{1,6}|[ \t]*(?:[-*+]|\d{1,9}[.)]?))$/;

/** Whether the line at the beginning of `text` belongs to the paragraph before it. */
function paragraphGoesOn(text: string, final: boolean): "yes" | "no" | "unknown" {
  if (BLOCK_START.test(final && !text.includes("\n") ? `${text}\n` : text)) return "no";
  return !final && BLOCK_START_OPEN.test(text) ? "unknown" : "yes";
}
