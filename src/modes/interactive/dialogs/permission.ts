/** May this run? Shows the whole of what would happen: the diff or the command, with nothing in it able to hide. */
import { revealControls } from "../../../platform/sanitize-terminal.js";
import { editOneRow } from "../editor/edits.js";
import { TextBuffer } from "../editor/text-buffer.js";
import { cleanLine } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { diffRows } from "../rows/diff.js";
import { cells, contentWidth, fit, fitEnd, GUTTER, indent, proseWidth, wrapExact, wrapProse } from "../rows/width.js";
import type { PermissionAnswer, PermissionQuestion } from "../session-port.js";
import type { DialogRows } from "../store/state.js";
import type { Bindings } from "../term/bindings.js";
import type { TermInput } from "../term/key-parser.js";
import { type Choice, Choices } from "./choices.js";
import { commandLines } from "./command-lines.js";
import type { Dialog } from "./dialog.js";
import { isPageKey, Scroll } from "./scroll.js";

const KEYS = "↑↓ or a number · Enter takes · Esc denies and stops";

type Pick = "once" | "session" | "pattern" | "deny" | "say";

/** A text field of the dialog. */
interface Field {
  kind: "say" | "pattern";
  buffer: TextBuffer;
  /** Why what was written cannot be taken. */
  fault?: string | undefined;
}

export class PermissionDialog implements Dialog {
  readonly kind = "question";
  readonly #choices: Choices<Pick>;
  readonly #scroll = new Scroll();
  /** What is being written: a word to the model, a pattern. */
  #field: Field | undefined;
  #detail: { width: number; rows: readonly string[] } | undefined;
  #answered = false;

  constructor(
    readonly question: PermissionQuestion,
    private readonly bindings: Bindings,
    private readonly onAnswer: (answer: PermissionAnswer) => void,
  ) {
    const { sessionScope, pattern } = question;
    const items: Choice<Pick>[] = [{ digit: "1", label: "Allow once", value: "once" }];
    if (sessionScope !== undefined) {
      items.push({ digit: "2", label: `Allow for this session: ${cleanLine(sessionScope)}`, value: "session" });
    }
    items.push(
      { digit: "3", label: "Deny", value: "deny" },
      { digit: "4", label: "Deny, with a word to the model", value: "say" },
    );
    if (pattern) items.push({ digit: "5", label: "Allow a pattern for this session …", value: "pattern" });
    this.#choices = new Choices(items);
  }

  handle(input: TermInput): boolean {
    if (input.type === "reply") return false;
    if (this.#field) return this.#handleField(this.#field, input);
    if (input.type === "paste") return false;
    if (input.name === "escape") {
      this.dismiss();
      return true;
    }
    if (isPageKey(input.name) && this.#scroll.handle(input.name)) return true;
    const result = this.#choices.handle(input);
    if (result === undefined) return false;
    if (result !== "moved") this.#pick(result.picked);
    return true;
  }

  /** Esc is what it is everywhere: it stops the run. To say no and let it go on there are the answers. */
  dismiss(): void {
    this.#answer({ allow: false, stop: true });
  }

  whole(): { title: string; text: string } | undefined {
    if (!this.#scroll.isCut) return undefined;
    const { toolName, subject } = this.question;
    const { command, diff, paths } = subject;
    const what = command === undefined ? (diff === undefined ? "files" : "the whole change") : "the whole command";
    const text = [command, diff].filter((part) => part !== undefined).join("\n");
    return {
      title: `${toolName} · ${what} that it asks for`,
      text: revealControls(text === "" ? paths.join("\n") : text),
    };
  }

  rows(context: RowContext, maxRows: number): DialogRows {
    const { columns, theme } = context;
    const width = contentWidth(columns);
    const head = this.#headRows(context);
    const below = this.#field
      ? this.#fieldRows(this.#field, context)
      : { rows: [...this.#choices.rows(context), `  ${theme.dim(fit(KEYS, width))}`] };
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
        ...commandLines(command)
          .map((line) => revealControls(line).replaceAll("\t", "    "))
          .flatMap((line) => wrapExact(line, width)),
      );
    }
    if (diff !== undefined) {
      rows.push(...diffRows(diff, width, theme, "wrap", (text) => revealControls(text).replaceAll("\t", "    ")));
    }
    if (rows.length === 0) rows.push(...paths.map((path) => theme.dim(fitEnd(cleanLine(path), width))));
    return rows;
  }

  #fieldRows({ kind, buffer, fault }: Field, { columns, theme }: RowContext): DialogRows {
    const width = contentWidth(columns) - 2;
    const before = buffer.text.slice(0, buffer.cursor);
    const shown = fitEnd(before, width);
    const after = fit(buffer.text.slice(buffer.cursor), Math.max(0, width - cells(shown)));
    const empty = kind === "say" ? "what it should do instead" : "tool(pattern), * for any text";
    const text = buffer.isEmpty ? theme.dim(fit(empty, width)) : shown + after;
    const ask =
      kind === "say"
        ? "A word to the model; Enter sends, Esc goes back"
        : "Allow what fits; Enter allows, Esc goes back";
    const head = fault === undefined ? theme.dim(fit(ask, width)) : theme.warning(fit(fault, width));
    return {
      rows: [`  ${head}`, `${theme.accent("› ")}${text}`],
      cursor: { row: 1, column: GUTTER + cells(shown) },
    };
  }

  #handleField(field: Field, input: Exclude<TermInput, { type: "reply" }>): boolean {
    const { buffer } = field;
    field.fault = undefined;
    if (input.type === "paste") buffer.insert(input.text.replaceAll("\n", " "));
    else if (input.name === "escape") this.#field = undefined;
    else if (input.name === "enter") this.#enterField(field);
    else if (input.text !== undefined) buffer.insert(input.text);
    else return editOneRow(buffer, this.bindings.actionOf(input));
    return true;
  }

  #enterField(field: Field): void {
    const text = field.buffer.text.trim();
    if (field.kind === "say") {
      this.#answer(text === "" ? { allow: false } : { allow: false, message: text });
      return;
    }
    field.fault = this.question.pattern?.fault(text);
    if (field.fault === undefined) this.#answer({ allow: true, remember: "pattern", pattern: text });
  }

  #pick(pick: Pick): void {
    if (pick === "once") this.#answer({ allow: true });
    else if (pick === "session") this.#answer({ allow: true, remember: "session" });
    else if (pick === "deny") this.#answer({ allow: false });
    else if (pick === "say") this.#field = { kind: "say", buffer: new TextBuffer() };
    else {
      const buffer = new TextBuffer();
      buffer.set(this.question.pattern?.suggested ?? "");
      this.#field = { kind: "pattern", buffer };
    }
  }

  #answer(answer: PermissionAnswer): void {
    if (this.#answered) return;
    this.#answered = true;
    this.onAnswer(answer);
  }
}
