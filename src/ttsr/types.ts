/** The interfaces of TTSR-12. */
import type { Rule, RuleDiagnostic } from "../capability/rule.js";
import type { Tokenizer } from "./zones/tokenizer.js";

export type ContextMode = "discard" | "keep" | "rewind";
type RepeatMode = "always" | "once" | "after-gap";
export type InterruptMode = "always" | "prose-only" | "tool-only" | "never";

export interface TtsrSettings {
  enabled: boolean;
  contextMode: ContextMode;
  repeatMode: RepeatMode;
  /** Turns. */
  repeatGap: number;
  interruptMode: InterruptMode;
  /** Milliseconds between the abort and the retry. */
  retryDelayMs: number;
  budget: { perRule: number; perRun: number; perSession: number };
}

/** The settings, as they hold for a rule; without one: for what is no rule's business. */
export type SettingsOf = (rule?: Pick<Rule, "provider">) => TtsrSettings;

/** Which text of the stream a lane holds. */
export interface LaneInfo {
  source: "text" | "thinking" | "tool";
  contentIndex: number;
  toolCallId?: string;
  toolName?: string;
  /** Dotted path of the argument; `added` or `removed` for an edit's lines. */
  argument?: string;
  /** Relative to the project, posix separators. */
  filePath?: string;
  /** Counts the runs of added lines of one call. */
  part?: number;
}

/** Offsets are UTF-16 code units of the lane's text; `end` is where the match settled, `start` equals it where the start is not known. */
export interface TtsrMatch {
  rule: Rule;
  /** Index into `rule.ttsrTrigger`; behind its end the conditions on syntax count, then `detect`. */
  trigger: number;
  lane: LaneInfo;
  start: number;
  end: number;
  /** Ends where the match settled; at most 120 characters before it, on its own line. Of a repetition: the paragraph that repeats. */
  excerpt: string;
  /** Of a repetition alone: what repeats, as in "the same paragraph 3 times". */
  repeats?: string;
}

/** What is known of a rule that was put before the model earlier in this branch. */
export interface InjectedRule {
  name: string;
  hash: string;
  turnsAgo: number;
}

/** What a lane's opener knows of the tool beyond its name. */
export interface LaneOptions {
  /** The tool changes nothing: only rules that name it watch it (TTSR-2.7). Default: by the names of our own tools. */
  readOnly?: boolean;
  /** The tool of ours whose work it does under another name. */
  like?: string;
  /** The tool has an argument that names its file; rules wait for it while it is not known. */
  expectsPath?: boolean;
  /** The argument is a whole file: lines that stand in the file on disk are carried over. Default: `write.content`. */
  wholeFile?: boolean;
  /** The text that the lane is a part of, as far as it stands before it. */
  before?: TextBefore;
  /** Only rules that came after this edition of the manager's rules watch it. Default: all. */
  newerThan?: number;
  /** Every match of a rule is told, at most one a line; without it a rule is told once a lane. */
  every?: boolean;
  /** Told of what settled while the lane goes on, but not within a `push` or `setPath`. */
  onLate?: (matches: TtsrMatch[]) => void;
}

/** What stands before a run of added lines: it decides in which zone the run begins (TTSR-3.3). */
export interface TextBefore {
  /** The next part of the text, watched or not. */
  note(text: string): void;
  /** @returns a tokenizer in the place where the text so far ends */
  at(info: LaneInfo): Tokenizer;
}

export interface Lane {
  push(delta: string): TtsrMatch[];
  /** The file became known after the text (TTSR-2.5). */
  setPath(path: string): TtsrMatch[];
  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> };
  /** Some rule waits for the file: `close()` before `setPath()` decides without one. */
  readonly waiting: boolean;
}

/** Something to tell the author of a registered or refused rule. */
export interface TtsrDiagnostic extends RuleDiagnostic {
  rule: string;
  pattern?: string;
}
