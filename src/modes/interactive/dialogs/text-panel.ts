/** Lines to look through: the help, the doctor. */
import { clean } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { contentWidth, fit, GUTTER, indent, wrapProse } from "../rows/width.js";
import type { DialogRows } from "../store/state.js";
import type { TermInput } from "../term/key-parser.js";
import type { Dialog } from "./dialog.js";
import { Scroll } from "./scroll.js";

export class TextPanel implements Dialog {
  readonly kind = "panel";
  readonly #scroll = new Scroll();

  constructor(
    private readonly title: string,
    private readonly lines: readonly string[],
    private readonly onClose: () => void,
  ) {}

  handle(input: TermInput): boolean {
    if (input.type !== "key") return false;
    if (input.name === "escape" || input.name === "enter" || input.text === "q") this.onClose();
    else return this.#scroll.handle(input.name);
    return true;
  }

  dismiss(): void {
    this.onClose();
  }

  rows({ columns, theme }: RowContext, maxRows: number): DialogRows {
    const width = contentWidth(columns);
    const rows = this.lines.flatMap((line) => (line === "" ? [""] : wrapHanging(clean(line), width)));
    const shown = this.#scroll.window(
      indent(rows, GUTTER, "  "),
      Math.max(1, maxRows - 2),
      (text) => `  ${theme.dim(text)}`,
    );
    const title = `  ${theme.bold(fit(this.title, width))}`;
    return {
      rows: [title, ...shown, `  ${theme.dim(fit("↑↓ PgUp PgDn scroll, Esc closes", width))}`].slice(0, maxRows),
    };
  }
}

/** The rest of a long line stands under its second column. */
function wrapHanging(line: string, width: number): string[] {
  const column = Math.min(/^(?: +|.*?\S {2,})(?=\S)/.exec(line)?.[0].length ?? 0, Math.floor(width / 2));
  const [first = "", ...rest] = wrapProse(line.slice(column), Math.max(8, width - column));
  return [line.slice(0, column) + first, ...rest.map((row) => " ".repeat(column) + row)];
}
