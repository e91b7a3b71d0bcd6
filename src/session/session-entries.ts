/**
 * What stands in a session log, line by line: first the header, then entries that form a tree by `parentId`. Entries are never changed
 * once written; what came to nothing stays as a side branch.
 */
import type { Json, Message, ThinkingLevel } from "../agent/messages.js";
import type { ContextMode } from "../ttsr/types.js";

/** Line 1. */
export interface SessionHeader {
  type: "session";
  version: 1;
  id: string;
  /** ISO 8601, as all timestamps here. */
  timestamp: string;
  /** Absolute. */
  cwd: string;
  /** Id of the session that this one was forked from. */
  parentSession?: string;
}

export interface EntryBase {
  /** Unique in the log. */
  id: string;
  /** The entry that this one follows; null: it begins the conversation. */
  parentId: string | null;
  timestamp: string;
}

export interface MessageEntry extends EntryBase {
  type: "message";
  message: Message;
}

/** Where a rule fired. Offsets are UTF-16 code units of the lane's text. */
export interface TtsrInjectionPlace {
  /** "text", "thinking", "tool:<name>.<argument>"; "tool:<name>" where it is the call as a whole. */
  lane: string;
  /** Only where the name has a dot in it, so that the lane alone does not say where it ends. */
  toolName?: string;
  filePath?: string;
  excerpt: string;
  /** Of a repetition: what repeats. */
  repeats?: string;
  start: number;
  end: number;
}

/** One rule of an interrupt, and where it fired first. A log that has bare names only gives "" and 0 for the rest. */
export interface TtsrInjectionRule extends TtsrInjectionPlace {
  name: string;
  /** SHA-256 of the rule's file, hex. */
  hash: string;
  path: string;
  /** Where else in the same step: another file of the patch, another call. */
  others?: readonly TtsrInjectionPlace[];
}

/** TTSR-8.2: a rule was put before the model, or (`delivered: false`) was to be, and the user was quicker. */
export interface TtsrInjection {
  rules: readonly TtsrInjectionRule[];
  attempt: number;
  turn: number;
  contextMode: ContextMode;
  /** Id that the cut message has, or will have, in this log; "" where nothing was cut. */
  cutMessageId: string;
  /** Id that the interrupt has, or will have. */
  interruptMessageId?: string;
  delivered: boolean;
  /** Output tokens of the cut attempt. */
  discardedTokens: number;
  estimated: boolean;
}

export interface TtsrInjectionEntry extends EntryBase, TtsrInjection {
  type: "ttsr_injection";
}

export interface ModelChange {
  provider: string;
  model: string;
  thinking?: ThinkingLevel;
}

interface ModelChangeEntry extends EntryBase, ModelChange {
  type: "model_change";
}

interface CompactionEntry extends EntryBase {
  type: "compaction";
  summary: string;
  firstKeptId: string;
  tokensBefore: number;
}

interface BranchEntry extends EntryBase {
  type: "branch";
  fromId: string;
  label?: string;
}

interface TitleEntry extends EntryBase {
  type: "title";
  title: string;
}

interface CustomEntry extends EntryBase {
  type: "custom";
  kind: string;
  data: Json;
}

/** In memory only: an entry of a kind that this version does not know. It keeps its place in the tree, and its line in the file. */
interface ForeignEntry extends EntryBase {
  type: "foreign";
  foreignType: string;
}

export type SessionEntry =
  | MessageEntry
  | TtsrInjectionEntry
  | ModelChangeEntry
  | CompactionEntry
  | BranchEntry
  | TitleEntry
  | CustomEntry
  | ForeignEntry;

export type SessionRecord = SessionHeader | SessionEntry;

/** Something about the log that the user should know; ready to be shown as a notice. */
export interface SessionReport {
  level: "info" | "warning";
  code:
    | "session-memory-only"
    | "session-unsaved"
    | "session-saved-again"
    | "session-not-synced"
    | "session-torn-tail"
    | "session-damaged"
    | "session-tree";
  /** One or two plain sentences. */
  message: string;
}
