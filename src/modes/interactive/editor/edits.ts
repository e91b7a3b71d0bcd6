/** What the keys of the editor do to its text alone. */
import type { Action } from "../term/bindings.js";
import type { TextBuffer } from "./text-buffer.js";

export const EDITS: Partial<Record<Action, (buffer: TextBuffer) => void>> = {
  newline: (buffer) => buffer.insert("\n"),
  left: (buffer) => buffer.left(),
  right: (buffer) => buffer.right(),
  "word-left": (buffer) => buffer.wordLeft(),
  "word-right": (buffer) => buffer.wordRight(),
  "line-start": (buffer) => buffer.lineStart(),
  "line-end": (buffer) => buffer.lineEnd(),
  "text-start": (buffer) => buffer.textStart(),
  "text-end": (buffer) => buffer.textEnd(),
  backspace: (buffer) => buffer.backspace(),
  delete: (buffer) => buffer.delete(),
  "kill-word-before": (buffer) => buffer.killWordBefore(),
  "kill-word-after": (buffer) => buffer.killWordAfter(),
  "kill-line-start": (buffer) => buffer.killToLineStart(),
  "kill-line-end": (buffer) => buffer.killToLineEnd(),
  yank: (buffer) => buffer.yank(),
  "yank-older": (buffer) => buffer.yankOlder(),
  undo: (buffer) => void buffer.undo(),
  redo: (buffer) => void buffer.redo(),
};

/** The keys that a field of one row understands: no new lines. */
const ONE_ROW: ReadonlySet<Action> = new Set<Action>([
  "left",
  "right",
  "word-left",
  "word-right",
  "line-start",
  "line-end",
  "backspace",
  "delete",
  "kill-word-before",
  "kill-word-after",
  "kill-line-start",
  "kill-line-end",
  "yank",
  "undo",
]);

export function editOneRow(buffer: TextBuffer, action: Action | undefined): boolean {
  const edit = action !== undefined && ONE_ROW.has(action) ? EDITS[action] : undefined;
  edit?.(buffer);
  return edit !== undefined;
}
