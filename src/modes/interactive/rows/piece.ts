/** Any piece of the transcript → rows. */
import type { Piece, PieceBody } from "../store/pieces.js";
import { clean, cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { diffRows } from "./diff.js";
import { codeRows, markdownRows } from "./markdown.js";
import { toolRows } from "./tool.js";
import { ttsrRows } from "./ttsr-notification.js";
import { contentWidth, fit, GUTTER, indent, proseWidth, tail, wrapExact, wrapProse } from "./width.js";

/** A long prompt is shown shortened; it is whole in the history. Rows. */
const USER_ROWS = 12;
const THINKING_ROWS = 3;
/** What Ctrl+O prints at most. Rows. */
const FULL_ROWS = 400;

export function pieceRows(piece: Piece, context: RowContext): string[] {
  const rows = bodyRows(piece.body, piece.rewound, context);
  return piece.gap && rows.length > 0 ? ["", ...rows] : rows;
}

function bodyRows(body: PieceBody, rewound: boolean, context: RowContext): string[] {
  const { columns, theme } = context;
  const over = rewound ? theme.dim : theme.plain;
  const prose = proseWidth(columns);
  switch (body.kind) {
    case "greeting":
      return body.lines.flatMap((line, i) =>
        indent(wrapProse(clean(line), prose).map(i === 0 ? theme.bold : theme.dim), GUTTER, " ".repeat(GUTTER)),
      );
    case "user": {
      const rows = clean(body.text)
        .split("\n")
        .flatMap((line) => wrapProse(line, prose));
      const shown = rows.length <= USER_ROWS + 1 ? rows : rows.slice(0, USER_ROWS);
      const more = rows.length - shown.length;
      return indent(
        [...shown.map(theme.accent), ...(more > 0 ? [theme.dim(`… ${more} more lines`)] : [])],
        GUTTER,
        theme.accent("› "),
      );
    }
    case "block": {
      const { block } = body;
      const rows =
        block.kind === "prose"
          ? markdownRows(block.text, prose, theme, over)
          : codeRows(block.lines, contentWidth(columns), theme, rewound ? theme.dim : theme.code);
      return indent(rows, GUTTER, " ".repeat(GUTTER));
    }
    case "thinking":
      return thinkingRows(body.text, body.open, context);
    case "tool":
      return toolRows(body.tool, context, rewound);
    case "rewound":
      return [theme.dim(`⟲ ${fit(`rewound by rule ${body.rules.map(cleanLine).join(", ")}`, contentWidth(columns))}`)];
    case "ttsr":
      return ttsrRows(body.notice, body.expanded, context);
    case "note": {
      const style = body.level === "warning" ? theme.warning : theme.dim;
      const mark = body.level === "warning" ? "! " : "  ";
      return indent(
        clean(body.text)
          .split("\n")
          .flatMap((line) => wrapProse(line, prose))
          .map(style),
        GUTTER,
        style(mark),
      );
    }
    case "error": {
      const rows = wrapProse(cleanLine(body.text), prose);
      const id = body.requestId === undefined ? [] : [theme.dim(fit(`request ${cleanLine(body.requestId)}`, prose))];
      return indent([...rows, ...id], GUTTER, theme.error("✗ "));
    }
    case "full":
      return fullRows(body.title, body.text, context);
  }
}

function thinkingRows(text: string, open: boolean, { columns, theme }: RowContext): string[] {
  if (open) {
    const rows = wrapProse(cleanLine(text.slice(-THINKING_ROWS * 400)), proseWidth(columns));
    return indent(
      tail(rows, THINKING_ROWS).map((row) => theme.dim(theme.italic(row))),
      GUTTER,
      "  ",
    );
  }
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  return words === 0 ? [] : [`  ${theme.dim(theme.italic(`thought for ${words} ${words === 1 ? "word" : "words"}`))}`];
}

function fullRows(title: string, text: string, { columns, theme }: RowContext): string[] {
  const width = contentWidth(columns);
  const isDiff = /^@@ -\d/m.test(text);
  const rows = isDiff
    ? diffRows(text, width, theme, "wrap")
    : clean(text.slice(0, FULL_ROWS * 400))
        .trimEnd()
        .split("\n")
        .flatMap((line) => wrapExact(line.trimEnd(), width));
  const shown = rows.slice(0, FULL_ROWS);
  const more = rows.length > FULL_ROWS ? [theme.dim(`… ${rows.length - FULL_ROWS} more lines`)] : [];
  return indent([theme.bold(fit(cleanLine(title), width)), ...shown, ...more], GUTTER, "  ");
}
