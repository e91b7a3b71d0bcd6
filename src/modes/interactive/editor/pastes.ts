/** Long pastes stand in the text as a short placeholder and come back whole when it is sent. */

/** Above these a paste is collapsed. */
const MAX_CHARS = 800;
const MAX_LINES = 8;

export class Pastes {
  #next = 1;
  readonly #texts = new Map<string, string>();

  /** @returns what to insert: the paste itself, or a placeholder for it */
  collapse(text: string): string {
    // A line end at the end begins no line.
    const lines = text.replace(/\n$/, "").split("\n").length;
    if (text.length <= MAX_CHARS && lines <= MAX_LINES) return text;
    const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
    const placeholder = `[Paste #${this.#next++}, ${size}]`;
    this.#texts.set(placeholder, text);
    return placeholder;
  }

  /** @returns the text with every placeholder replaced by its paste */
  expand(text: string): string {
    let out = text;
    // Split and join: a paste may hold what String.replace takes for a pattern of its own.
    for (const [placeholder, paste] of this.#texts) out = out.split(placeholder).join(paste);
    return out;
  }

  /** @returns the start of the placeholder that ends at `cursor`, so that one backspace takes it away */
  placeholderBefore(text: string, cursor: number): number | undefined {
    if (text.charAt(cursor - 1) !== "]") return undefined;
    for (const placeholder of this.#texts.keys()) {
      if (text.endsWith(placeholder, cursor)) return cursor - placeholder.length;
    }
    return undefined;
  }

  clear(): void {
    this.#texts.clear();
  }
}
