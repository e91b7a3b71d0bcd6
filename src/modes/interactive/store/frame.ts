/**
 * Everything below the scrollback as rows, computed before React sees it, so that the height of the whole is known and bounded: never as
 * tall as the terminal.
 */
import { completionRows } from "../rows/completion.js";
import type { RowContext } from "../rows/context.js";
import { draftRow, editorRows } from "../rows/editor.js";
import { isLoading } from "../rows/highlight.js";
import { NO_CARRY, type PieceRows } from "../rows/piece.js";
import { queueRows } from "../rows/queue.js";
import { statusRow } from "../rows/status.js";
import { tail } from "../rows/width.js";
import type { Theme } from "../theme.js";
import { allRows, layOut } from "./layout.js";
import type { Piece } from "./pieces.js";
import type { UiState } from "./state.js";
import type { ViewPiece } from "./transcript.js";

export interface Frame {
  ttsr: readonly string[];
  live: readonly string[];
  queue: readonly string[];
  dialog: readonly string[];
  editor: readonly string[];
  completion: readonly string[];
  status: readonly string[];
  /** Where the terminal's cursor belongs: cells from the left and rows from the top of the frame. */
  cursor: { x: number; y: number } | undefined;
}

export const EDITOR_MAX = 8;
export const COMPLETION_MAX = 6;
const QUEUE_MAX = 3;
/** Finished text is held back within so many rows, for a rule could still take it back; it costs time to redraw. */
const HELD_MAX = 12;

const EMPTY: readonly string[] = [];

/** Rows that may be drawn at all: one is left for the line end behind the frame, one for comfort. */
export function frameLimit(terminalRows: number): number {
  return Math.max(3, terminalRows - 2);
}

/** Everything but the live part, and how many rows that leaves. */
function composeFixed(
  state: UiState,
  context: RowContext,
): { parts: Omit<Frame, "ttsr" | "live">; left: number; aboveCursor: number } {
  const limit = frameLimit(state.rows);
  const status = state.closed ? EMPTY : [statusRow(state, context)];
  if (state.closed) {
    const none = { queue: EMPTY, dialog: EMPTY, editor: EMPTY, completion: EMPTY, status, cursor: undefined };
    return { parts: none, left: 0, aboveCursor: 0 };
  }
  const queue = queueRows(state, limit >= 12 ? QUEUE_MAX : 1, context);
  if (state.dialog) {
    // The live part keeps a few rows above a question: what it is about may stand there.
    const draft = limit >= 10 ? draftRow(state.editor, context) : EMPTY;
    const room = limit - status.length - queue.length - draft.length - (limit >= 16 ? 4 : 1);
    const { rows, cursor } = state.dialog.rows(context, Math.max(3, room));
    const dialog = ["", ...rows.slice(0, Math.max(3, room))];
    const left = limit - status.length - queue.length - dialog.length - draft.length;
    const parts = { queue, dialog, editor: draft, completion: EMPTY, status, cursor: undefined };
    return {
      parts: { ...parts, cursor: cursor && { x: cursor.column, y: cursor.row + 1 } },
      left,
      aboveCursor: queue.length,
    };
  }
  const blank = limit >= 6 && !context.theme.spoken ? 1 : 0;
  const completionRoom = Math.min(COMPLETION_MAX, limit - status.length - blank - 2);
  const completion = state.completion ? completionRows(state.completion, Math.max(1, completionRoom), context) : EMPTY;
  const room = limit - status.length - queue.length - completion.length - blank;
  const editor = editorRows(state.editor, Math.max(1, Math.min(EDITOR_MAX, room)), context);
  const rows = [...Array<string>(blank).fill(""), ...editor.rows];
  const left = limit - status.length - queue.length - completion.length - rows.length;
  return {
    parts: {
      queue,
      dialog: EMPTY,
      editor: rows,
      completion,
      status,
      cursor: { x: editor.column, y: editor.row + blank },
    },
    left,
    aboveCursor: queue.length,
  };
}

/** @returns rows free for what still grows */
export function liveBudget(state: UiState, theme: Theme): number {
  return Math.max(0, composeFixed(state, { columns: state.columns, theme, keys: state.keys }).left);
}

/**
 * @param laid the rows of each piece of the view
 * @returns how many pieces of the view must be printed now
 */
export function countToPrint(view: readonly ViewPiece[], laid: readonly PieceRows[], budget: number): number {
  const heights = laid.map(({ rows }) => rows.length);
  const first = view[0]?.piece.body.kind === "ttsr" ? (heights[0] ?? 0) : 0;
  const cap = Math.min(budget, HELD_MAX + first);
  let total = heights.reduce((sum, height) => sum + height, 0);
  let count = 0;
  for (const { piece, final, held } of view) {
    if (!final || (held && total <= cap) || awaitsColours(piece)) break;
    total -= heights[count] ?? 0;
    count++;
  }
  return count;
}

/** What is printed stays as it is: code waits for its grammar, which takes a moment or is known not to come. */
function awaitsColours({ body, rewound }: Piece): boolean {
  return !rewound && body.kind === "block" && body.block.kind === "code" && isLoading(body.block.lang);
}

export function composeFrame(state: UiState, theme: Theme): Frame {
  const context: RowContext = { columns: state.columns, theme, keys: state.keys };
  const { parts, left, aboveCursor } = composeFixed(state, context);
  const budget = Math.max(0, left);
  // What grows would be read out again with each frame.
  const laid = state.closed || theme.spoken ? [] : layOut(state.live, context, state.carry);
  const hasNotice = laid.length > 0 && state.live[0]?.piece.body.kind === "ttsr";
  const ttsr = hasNotice ? (laid[0]?.rows.slice(0, budget) ?? EMPTY) : EMPTY;
  const rows =
    state.closed || theme.spoken ? [] : allRows(hasNotice ? laid.slice(1) : laid, hasNotice ? NO_CARRY : state.carry);
  const live = tail(rows, budget - ttsr.length);
  const { cursor } = parts;
  return {
    ttsr,
    live,
    ...parts,
    cursor: cursor && { x: cursor.x, y: cursor.y + ttsr.length + live.length + aboveCursor },
  };
}

export function frameHeight(frame: Frame): number {
  const { ttsr, live, queue, dialog, editor, completion, status } = frame;
  return [ttsr, live, queue, dialog, editor, completion, status].reduce((sum, part) => sum + part.length, 0);
}
