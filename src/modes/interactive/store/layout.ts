/** A view of the transcript → rows, piece by piece: each takes over what the one before it has left. */
import type { RowContext } from "../rows/context.js";
import { languagesReady } from "../rows/highlight.js";
import { type Carry, NO_CARRY, openRow, type PieceRows, pieceRows } from "../rows/piece.js";
import type { Piece } from "./pieces.js";
import type { ViewPiece } from "./transcript.js";

interface Made extends PieceRows {
  columns: number;
  theme: RowContext["theme"];
  before: Carry;
  languages: number;
}

const cache = new WeakMap<Piece, Made>();

/** @returns the rows of a piece; the same array while nothing about it changes */
export function rowsOfPiece(piece: Piece, context: RowContext, before: Carry = NO_CARRY): PieceRows {
  const { columns, theme } = context;
  const languages = languagesReady();
  const made = cache.get(piece);
  if (
    made?.columns === columns &&
    made.theme === theme &&
    made.languages === languages &&
    made.before.row === before.row &&
    made.before.code === before.code
  )
    return made;
  const rows = { ...pieceRows(piece, context, before), columns, theme, before, languages };
  cache.set(piece, rows);
  return rows;
}

/** @param before what the last printed piece has left */
export function layOut(view: readonly ViewPiece[], context: RowContext, before: Carry): PieceRows[] {
  let carry = before;
  return view.map(({ piece }) => {
    const made = rowsOfPiece(piece, context, carry);
    carry = made.carry;
    return made;
  });
}

/** @returns every row of a layout, with the row that its end may have left open */
export function allRows(laid: readonly PieceRows[], before: Carry): string[] {
  return [...laid.flatMap(({ rows }) => rows), ...openRow(laid.at(-1)?.carry ?? before)];
}
