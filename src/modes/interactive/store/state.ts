import type { RowContext, RowKeys } from "../rows/context.js";
import { type Carry, NO_CARRY } from "../rows/piece.js";
import type { PermissionMode, SessionState } from "../session-port.js";
import type { ViewPiece } from "./transcript.js";

/** Text that has gone to the terminal's scrollback, once. */
export interface Printed {
  id: number;
  text: string;
}

/** A question or panel in front of the editor. It holds its own state; `version` tells that it changed. */
export interface DialogView {
  /** @param maxRows at least 3; @returns at most so many rows */
  rows(context: RowContext, maxRows: number): DialogRows;
}

export interface DialogRows {
  rows: string[];
  /** Where the caret stands, when the dialog has a text field. Cells; row within `rows`. */
  cursor?: { row: number; column: number };
}

export interface EditorView {
  text: string;
  /** UTF-16 offset. */
  cursor: number;
  /** Stands before the text and says what is being written, where it is no prompt. */
  label?: string;
}

export interface CompletionView {
  items: readonly { name: string; summary: string }[];
  selected: number;
}

export type Activity = "idle" | "starting" | "working" | "rewinding" | "asking";

export interface StatusView {
  activity: Activity;
  /** Counts up while something is going on; which spinner glyph is shown. */
  tick: number;
  /** Seconds since the run began. */
  seconds: number;
  mode: PermissionMode | undefined;
  session: SessionState | undefined;
  /** Interrupts of this session, as counted by the session. */
  home: string | undefined;
}

export interface UiState {
  columns: number;
  rows: number;
  keys: RowKeys;
  /** What has been printed lately, oldest first; begins anew when it is long. */
  printed: readonly Printed[];
  /** What the last printed piece has left to the first live one. */
  carry: Carry;
  live: readonly ViewPiece[];
  dialog: DialogView | undefined;
  /** Raised whenever the dialog's own state changed. */
  dialogVersion: number;
  editor: EditorView;
  completion: CompletionView | undefined;
  queue: readonly string[];
  /** How many of them, from the front, go in after the present tool. */
  steering: number;
  status: StatusView;
  /** A passing word in place of the status line. */
  hint: string | undefined;
  /** Nothing is drawn any more but what has been printed. */
  closed: boolean;
}

/** Before anything is said or printed. */
export function emptyState(size: Pick<UiState, "columns" | "rows">, keys: RowKeys, home: StatusView["home"]): UiState {
  return {
    ...size,
    keys,
    printed: [],
    carry: NO_CARRY,
    live: [],
    dialog: undefined,
    dialogVersion: 0,
    editor: { text: "", cursor: 0 },
    completion: undefined,
    queue: [],
    steering: 0,
    status: { activity: "starting", tick: 0, seconds: 0, mode: undefined, session: undefined, home },
    hint: undefined,
    closed: false,
  };
}
