/** What the transcript is made of. A piece never changes once it is final; what is still growing is made anew at each flush. */
import type { AuditHit, MatchView, RuleView } from "../../../agent/events.js";
import type { DeniedView } from "../../../agent/messages.js";
import type { Block } from "../stream/block-splitter.js";
import type { DraftText } from "../stream/partial-args.js";

export interface ToolView {
  id: string;
  name: string;
  /** The file, command or pattern it is about; "" while nobody knows. */
  target: string;
  /** `writing`: the model writes the call. `waiting`: it is whole and has not started. `dropped`: it never ran. */
  phase: "writing" | "waiting" | "running" | "done" | "dropped";
  draft?: DraftText;
  /** Newest output while it runs. */
  output?: string;
  result?: { text: string; isError: boolean; diff?: string; exitCode?: number };
  denied?: DeniedView;
}

export interface TtsrNotice {
  rules: readonly RuleView[];
  matches: readonly MatchView[];
  discardedTokens: number;
  attempt: number;
}

export type PieceBody =
  | { kind: "greeting"; lines: readonly string[] }
  | { kind: "user"; text: string }
  | { kind: "block"; block: Block }
  | { kind: "thinking"; text: string; open: boolean }
  | { kind: "tool"; tool: ToolView }
  /** Closes what was drawn of an attempt that was dropped, cut off by rules or lost to a fault. `from`: how it begins, where the beginning is printed and cannot be dimmed. */
  | { kind: "rewound"; rules: readonly string[]; from?: string }
  | { kind: "ttsr"; notice: TtsrNotice; expanded: boolean }
  /** What the last look of a run has found. */
  | { kind: "audit"; hits: readonly AuditHit[] }
  | { kind: "note"; level: "quiet" | "info" | "warning"; text: string }
  | { kind: "error"; text: string; requestId?: string }
  /** What was shown shortened, whole. `prose`: broken between words. */
  | { kind: "full"; title: string; text: string; prose?: true };

export interface Piece {
  body: PieceBody;
  /** A blank row before it. */
  gap: boolean;
  /** It belongs to an attempt that was dropped. */
  rewound: boolean;
}

/** @returns whether a blank row stands between the two */
export function gapBetween(before: PieceBody | undefined, body: PieceBody): boolean {
  if (before === undefined) return false;
  if (body.kind === "rewound") return false;
  if (body.kind === "block" && before.kind === "block") return !body.block.joined;
  if (body.kind === "tool" && before.kind === "tool") return false;
  if (body.kind === "note" && before.kind === "note") return false;
  return true;
}
