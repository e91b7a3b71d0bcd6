/** Any piece of the transcript → rows. */
import type { Piece, PieceBody } from "../store/pieces.js";
import type { Block } from "../stream/block-splitter.js";
import { auditRows } from "./audit.js";
import { clean, cleanLine } from "./clean.js";
import { codeRows } from "./code.js";
import type { RowContext } from "./context.js";
import { diffRows } from "./diff.js";
import { markdownRows } from "./markdown.js";
import { toolRows } from "./tool.js";
import { ttsrRows } from "./ttsr-notification.js";
import { cells, contentWidth, fit, GUTTER, indent, proseWidth, tail, wrapExact, wrapProse } from "./width.js";

/** A long prompt is shown shortened; it is whole in the history. Rows. */
const USER_ROWS = 12;
const THINKING_ROWS = 3;
/** Of the words round the beginning of what was rewound. */
const FROM_CELLS = ', all from "" on'.length;
/** What Ctrl+O prints at most. Rows. */
const FULL_ROWS = 400;

/** What a block leaves to the one that goes on directly after it. */
export interface Carry {
  /** A row that is not full yet, styled, without its indent, with what stands between it and the next word; "" for none. */
  row: string;
  /** What a fence has left open: the beginning of a comment or string; "" for nothing. */
  code: string;
}

export const NO_CARRY: Carry = { row: "", code: "" };

export interface PieceRows {
  rows: readonly string[];
  carry: Carry;
}

/** @param carry from the piece before; where this one does not go on from it, it stands in front as it is */
export function pieceRows(piece: Piece, context: RowContext, carry: Carry): PieceRows {
  const { body, rewound, gap } = piece;
  if (body.kind === "block" && body.block.joined) return blockRows(body.block, rewound, context, carry);
  const { rows, carry: left } =
    body.kind === "block"
      ? blockRows(body.block, rewound, context, NO_CARRY)
      : { rows: bodyRows(body, rewound, context), carry: NO_CARRY };
  const spaced = gap && rows.length > 0 && !context.theme.spoken ? ["", ...rows] : rows;
  return { rows: [...openRow(carry), ...spaced], carry: left };
}

/** What was left for a block that has not come. */
export function openRow({ row }: Carry): string[] {
  return row === "" ? [] : indent([row.trimEnd()], GUTTER, " ".repeat(GUTTER));
}

function blockRows(block: Block, rewound: boolean, { columns, theme }: RowContext, carry: Carry): PieceRows {
  const margin = " ".repeat(GUTTER);
  if (block.kind === "code") {
    const { rows, open } = codeRows(block.lines, contentWidth(columns), theme, {
      lang: block.lang,
      open: carry.code,
      ...(rewound ? { over: theme.dim } : {}),
    });
    return { rows: [...openRow(carry), ...indent(rows, GUTTER, margin)], carry: { row: "", code: open } };
  }
  const over = rewound ? theme.dim : theme.plain;
  const rows = markdownRows(block.text, proseWidth(columns), theme, over, carry.row);
  const row = block.joint === undefined ? "" : (rows.pop() ?? "") + block.joint;
  return { rows: indent(rows, GUTTER, margin), carry: { row, code: "" } };
}

function bodyRows(body: Exclude<PieceBody, { kind: "block" }>, rewound: boolean, context: RowContext): string[] {
  const { columns, theme, keys } = context;
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
        [
          ...shown.map(theme.accent),
          ...(more > 0 ? [theme.dim(`… ${more} more lines${keys.expand === "" ? "" : ` · ${keys.expand}`}`)] : []),
        ],
        GUTTER,
        theme.accent(theme.marks.user),
      );
    }
    case "thinking":
      return thinkingRows(body.text, body.open, context);
    case "tool":
      return toolRows(body.tool, context, rewound);
    case "rewound":
      return [theme.dim(`${theme.marks.rule}${rewoundText(body, contentWidth(columns))}`)];
    case "ttsr":
      return ttsrRows(body.notice, body.expanded, context);
    case "audit":
      return auditRows(body.hits, context);
    case "note": {
      const style = body.level === "warning" ? theme.warning : theme.dim;
      const mark = body.level === "warning" ? theme.marks.warning : "  ";
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
      return indent([...rows, ...id], GUTTER, theme.error(theme.marks.error));
    }
    case "full":
      return fullRows(body, context);
  }
}

function rewoundText({ rules, from }: Extract<PieceBody, { kind: "rewound" }>, width: number): string {
  const what = fit(rules.length === 0 ? "rewound" : `rewound by rule ${rules.map(cleanLine).join(", ")}`, width);
  const room = width - cells(what) - FROM_CELLS;
  return from === undefined || room < 8 ? what : `${what}, all from "${fit(cleanLine(from), Math.min(room, 32))}" on`;
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

function fullRows(
  { title, text, prose }: Extract<PieceBody, { kind: "full" }>,
  { columns, theme }: RowContext,
): string[] {
  const width = contentWidth(columns);
  const isDiff = /^@@ -\d/m.test(text);
  const rows = isDiff
    ? diffRows(text, width, theme, "wrap")
    : clean(text.slice(0, FULL_ROWS * 400))
        .trimEnd()
        .split("\n")
        .flatMap((line) => (prose ? wrapProse(line, proseWidth(columns)) : wrapExact(line.trimEnd(), width)));
  const shown = rows.slice(0, FULL_ROWS);
  const more = rows.length > FULL_ROWS ? [theme.dim(`… ${rows.length - FULL_ROWS} more lines`)] : [];
  return indent([theme.bold(fit(cleanLine(title), width)), ...shown, ...more], GUTTER, "  ");
}
