/** May the rules of this folder act? Asked before anything of the repository is obeyed; the answer that changes nothing comes first. */
import { revealControls } from "../../../platform/sanitize-terminal.js";
import { cleanLine } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { diffRows, parseDiff } from "../rows/diff.js";
import { contentWidth, fit, fitEnd, GUTTER, indent, proseWidth, wrapExact, wrapProse } from "../rows/width.js";
import type { TrustQuestion } from "../session-port.js";
import type { DialogRows } from "../store/state.js";
import type { TermInput } from "../term/key-parser.js";
import { Choices } from "./choices.js";
import type { Dialog } from "./dialog.js";
import { isPageKey, Scroll } from "./scroll.js";

const KEYS = "↑↓ or a number · Enter takes · Esc leaves them off";

const WORDS: Readonly<Record<TrustQuestion["kind"], { title: string; about: string }>> = {
  new: {
    title: "Trust this folder?",
    about:
      "Its rules can interrupt the model and speak to it; its settings and context files would be obeyed. Until then nothing of it acts.",
  },
  changed: {
    title: "Files changed since you trusted this folder",
    about: "Until you accept them, the changed files do not act.",
  },
  written: {
    title: "The agent wrote rule files. May they hold?",
    about: "Until you accept them, the rules go on as they were before.",
  },
};

export class TrustDialog implements Dialog {
  readonly kind = "question";
  readonly #choices: Choices<boolean>;
  readonly #scroll = new Scroll();
  #files: { columns: number; rows: readonly string[] } | undefined;
  #answered = false;

  constructor(
    readonly question: TrustQuestion,
    private readonly onAnswer: (trusted: boolean) => void,
  ) {
    const yes = question.kind === "new" ? "Yes, trust it as it is now" : "Yes, accept the changed files";
    this.#choices = new Choices([
      { digit: "1", label: "No, leave them off", value: false },
      { digit: "2", label: yes, value: true },
    ]);
  }

  handle(input: TermInput): boolean {
    if (input.type !== "key") return false;
    if (input.name === "escape") {
      this.dismiss();
      return true;
    }
    if (isPageKey(input.name) && this.#scroll.handle(input.name)) return true;
    const result = this.#choices.handle(input);
    if (result === undefined) return false;
    if (result !== "moved") this.#answer(result.picked);
    return true;
  }

  dismiss(): void {
    this.#answer(false);
  }

  rows(context: RowContext, maxRows: number): DialogRows {
    const { columns, theme } = context;
    const width = contentWidth(columns);
    const { kind, folder } = this.question;
    const { title, about } = WORDS[kind];
    const head = [`${theme.accent("?")} ${theme.bold(fit(title, width))}`, `  ${fitEnd(cleanLine(folder), width)}`];
    if (maxRows >= 12) head.push(...indent(wrapProse(about, proseWidth(columns)).map(theme.dim), GUTTER, "  "));
    const choices = [...this.#choices.rows(context), `  ${theme.dim(fit(KEYS, width))}`];
    const room = maxRows - head.length - choices.length;
    const shown =
      room >= 1 ? this.#scroll.window(this.#fileRows(context), room, (text) => `    ${theme.dim(text)}`) : [];
    const rows = [...head, ...shown, ...choices];
    return { rows: rows.slice(Math.max(0, rows.length - maxRows)) };
  }

  /** Kept between frames: long diffs take far longer to lay out than to show. */
  #fileRows(context: RowContext): readonly string[] {
    if (this.#files?.columns !== context.columns) {
      this.#files = { columns: context.columns, rows: this.#layOut(context) };
    }
    return this.#files.rows;
  }

  #layOut({ columns, theme }: RowContext): string[] {
    const width = contentWidth(columns) - 2;
    const { rules, others, changes = [] } = this.question;
    const names = rules.map((rule) => cleanLine(rule.name));
    const longest = Math.min(32, Math.max(0, ...names.map((name) => name.length)));
    const rows = rules.map((rule, i) => {
      const name = fit(names[i] ?? "", longest).padEnd(longest);
      const about = fit(cleanLine(rule.description || rule.path), Math.max(0, width - longest - 2));
      return `${name}  ${theme.dim(about)}`.trimEnd();
    });
    for (const path of others) rows.push(fitEnd(cleanLine(path), width));
    for (const { path, diff } of changes) {
      rows.push(theme.bold(fitEnd(cleanLine(path), width)));
      const show = (text: string): string => revealControls(text).replaceAll("\t", "    ");
      rows.push(
        ...(parseDiff(diff).length > 0 ? diffRows(diff, width, theme, "wrap", show) : wrapExact(show(diff), width)),
      );
    }
    return indent(rows, GUTTER + 2, "    ");
  }

  #answer(trusted: boolean): void {
    if (this.#answered) return;
    this.#answered = true;
    this.onAnswer(trusted);
  }
}
