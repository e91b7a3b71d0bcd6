/** May this run? Shows the whole of what would happen: the diff or the command, with nothing in it able to hide. */
import { revealControls } from "../../../platform/sanitize-terminal.js";
import { TextBuffer } from "../editor/text-buffer.js";
import { cleanLine } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { diffRows } from "../rows/diff.js";
import { cells, contentWidth, fit, fitEnd, GUTTER, indent, proseWidth, wrapExact, wrapProse } from "../rows/width.js";
import type { PermissionAnswer, PermissionQuestion } from "../session-port.js";
import type { DialogRows } from "../store/state.js";
import type { Key, TermInput } from "../term/key-parser.js";
import { type Choice, Choices } from "./choices.js";
import type { Dialog } from "./dialog.js";
import { Scroll } from "./scroll.js";

type Pick = "once" | "session" | "deny" | "say";

export class PermissionDialog implements Dialog {
  readonly #choices: Choices<Pick>;
  readonly #scroll = new Scroll();
  /** The word to the model, while it is written. */
  #note: TextBuffer | undefined;
  #detail: { width: number; rows: readonly string[] } | undefined;
  #answered = false;

  constructor(
    readonly question: PermissionQuestion,
    private readonly onAnswer: (answer: PermissionAnswer) => void,
  ) {
    const { sessionScope } = question;
    const items: Choice<Pick>[] = [{ digit: "1", label: "Allow once", value: "once" }];
    if (sessionScope !== undefined) {
      items.push({ digit: "2", label: `Allow for this session: ${cleanLine(sessionScope)}`, value: "session" });
    }
    items.push(
      { digit: "3", label: "Deny", value: "deny" },
      { digit: "4", label: "Deny, with a word to the model", value: "say" },
    );
    this.#choices = new Choices(items);
  }

  handle(input: TermInput): boolean {
    if (input.type === "reply") return false;
    if (this.#note) return this.#handleNote(this.#note, input);
    if (input.type === "paste") return true;
    if (input.name === "escape") {
      this.dismiss();
      return true;
    }
    if (this.#scroll.handle(input.name)) return true;
    const result = this.#choices.handle(input);
    if (result === undefined) return false;
    if (result !== "moved") this.#pick(result.picked);
    return true;
  }

  dismiss(): void {
    this.#answer({ allow: false });
  }

  rows(context: RowContext, maxRows: number): DialogRows {
    const { columns, theme } = context;
    const width = contentWidth(columns);
    const head = this.#headRows(context);
    const below = this.#note ? this.#noteRows(this.#note, context) : { rows: this.#choices.rows(context) };
    // Whatever has no room, nothing is allowed unseen.
    const room = Math.max(1, maxRows - head.length - below.rows.length);
    const shown = this.#scroll.window(this.#detailRows(width - 2, context), room, (text) => `    ${theme.dim(text)}`);
    const above = [...head, ...shown];
    const rows = [...above, ...below.rows];
    // On a very low terminal the answers matter more than the heading.
    const cut = Math.max(0, rows.length - maxRows);
    const cursor = below.cursor && { row: above.length - cut + below.cursor.row, column: below.cursor.column };
    return { rows: rows.slice(cut), ...(cursor ? { cursor } : {}) };
  }

  #headRows({ columns, theme }: RowContext): string[] {
    const { subject, toolName, because } = this.question;
    const width = contentWidth(columns);
    const name = cleanLine(toolName);
    const title = cleanLine(subject.title);
    const ask = fit(`Allow ${name}?`, width);
    const room = width - cells(ask) - 3;
    const about = title === "" || title === name || room < 8 ? "" : ` ${theme.dim("·")} ${fit(title, room)}`;
    const rows = [`${theme.accent("?")} ${theme.bold(ask)}${about}`];
    if (because !== undefined)
      rows.push(...indent(wrapProse(cleanLine(because), proseWidth(columns)).map(theme.warning), GUTTER, "  "));
    return rows;
  }

  /** Kept between frames: a long diff takes far longer to lay out than to show. */
  #detailRows(width: number, context: RowContext): readonly string[] {
    if (this.#detail?.width !== width) {
      const rows = indent(this.#layOut(width, context), GUTTER + 2, " ".repeat(GUTTER + 2));
      this.#detail = { width, rows };
    }
    return this.#detail.rows;
  }

  #layOut(width: number, { theme }: RowContext): string[] {
    const { command, diff, paths } = this.question.subject;
    const rows: string[] = [];
    if (command !== undefined) {
      rows.push(
        ...revealControls(command)
          .replaceAll("\t", "    ")
          .split("\n")
          .flatMap((line) => wrapExact(line, width)),
      );
    }
    if (diff !== undefined) {
      rows.push(...diffRows(diff, width, theme, "wrap", (text) => revealControls(text).replaceAll("\t", "    ")));
    }
    if (rows.length === 0) rows.push(...paths.map((path) => theme.dim(fitEnd(cleanLine(path), width))));
    return rows;
  }

  #noteRows(note: TextBuffer, { columns, theme }: RowContext): DialogRows {
    const width = contentWidth(columns) - 2;
    const before = note.text.slice(0, note.cursor);
    const shown = fitEnd(before, width);
    const after = fit(note.text.slice(note.cursor), Math.max(0, width - cells(shown)));
    const text = note.isEmpty ? theme.dim(fit("what it should do instead", width)) : shown + after;
    return {
      rows: [
        `  ${theme.dim(fit("A word to the model; Enter sends, Esc goes back", width))}`,
        `${theme.accent("› ")}${text}`,
      ],
      cursor: { row: 1, column: GUTTER + cells(shown) },
    };
  }

  #handleNote(note: TextBuffer, input: Exclude<TermInput, { type: "reply" }>): boolean {
    if (input.type === "paste") {
      note.insert(input.text.replaceAll("\n", " "));
      return true;
    }
    if (input.name === "escape") this.#note = undefined;
    else if (input.name === "enter")
      this.#answer(note.isEmpty ? { allow: false } : { allow: false, message: note.text.trim() });
    else return editNote(note, input);
    return true;
  }

  #pick(pick: Pick): void {
    if (pick === "once") this.#answer({ allow: true });
    else if (pick === "session") this.#answer({ allow: true, remember: "session" });
    else if (pick === "deny") this.#answer({ allow: false });
    else this.#note = new TextBuffer();
  }

  #answer(answer: PermissionAnswer): void {
    if (this.#answered) return;
    this.#answered = true;
    this.onAnswer(answer);
  }
}

function editNote(note: TextBuffer, key: Key): boolean {
  if (key.name === "backspace") note.backspace();
  else if (key.name === "delete") note.delete();
  else if (key.name === "left") note.left();
  else if (key.name === "right") note.right();
  else if (key.name === "home" || (key.ctrl && key.name === "a")) note.lineStart();
  else if (key.name === "end" || (key.ctrl && key.name === "e")) note.lineEnd();
  else if (key.ctrl && key.name === "u") note.killToLineStart();
  else if (key.ctrl && key.name === "w") note.killWordBefore();
  else if (key.text !== undefined) note.insert(key.text);
  else return false;
  return true;
}
