/** A rule as everybody sees it, wherever it was written. Made by `discovery/`, registered by `ttsr/manager.ts`. */
export interface RuleExample {
  text: string;
  path?: string;
  tool?: string;
}

/** An ast-grep pattern, or an ast-grep rule as its own documentation has it. */
export type AstPattern = string | { readonly [key: string]: unknown };

/** What a rule can look for that no pattern says: prose that goes round in circles. */
export type Detector = "repetition";

/** A JSON Schema, as it stands in the rule's file. */
export type CallSchema = { readonly [key: string]: unknown };

/** Lexical zones of a text (TTSR-3.3). */
export type Zone = "code" | "comment" | "string" | "prose";

export interface Rule {
  /** Path below its rules folder without extension; `[A-Za-z0-9._-]` and `/`, at most 128 characters. */
  name: string;
  /** Absolute path of the file. */
  path: string;
  /** Which discovery provider found it: "user", "flag", "project", "bundled" … */
  provider: string;
  /** The body, without front matter: what the model reads. */
  content: string;
  description?: string;
  /** Trigger patterns, any of which fires. Empty: not a stream rule. */
  ttsrTrigger: string[];
  /** Fires on the syntax of a file as a call would leave it (TTSR-4.5). Absent or empty: no such condition. */
  astCondition?: AstPattern[];
  /** Fires on what the model says and thinks, never on a call. Absent: no such condition. */
  detect?: Detector;
  /** Fires on a finished call whose arguments are valid against one of these. Absent or empty: no such condition. */
  callCondition?: CallSchema[];
  /** Where a trigger is written, for messages: 1-based line of the file, per trigger. */
  triggerLines?: number[];
  /** Scope tokens as written; empty: the default, `text` and `tool`. */
  scope: string[];
  globs: string[];
  /**
   * The way down from the folder in which the rules folder stands, from which its patterns of files count, to the working folder; posix
   * separators. Absent: they are one.
   */
  below?: string;
  /** Without a trigger and beside `globs`: the text of the file must match one of these as well, for the body to be attached. */
  fileContent?: string[];
  /** Patterns that veto a match, any of which does: before it, on its line, or after it. */
  unless?: string[];
  /** 1-based line of the file, per pattern of `unless`. */
  unlessLines?: number[];
  /** Lines in front of the match's own in which a veto counts; default 3. */
  unlessWithin?: number;
  /** Lines behind it, for which the match is held; default 0. */
  unlessAfter?: number;
  /** SHA-256 of the file, hex. */
  hash: string;
  /** The zones that the trigger looks at; absent: all, but what prose only quotes. */
  in?: (Zone | "any")[];
  /** Globs of the agents that it holds for; absent: all. */
  agents?: string[];
  instead?: string;
  repeatMode?: "always" | "once" | "after-gap";
  repeatGap?: number;
  /** The occurrence in a conversation from which on it acts; those before only count. Default: the first. */
  warmupMatches?: number;
  contextMode?: "discard" | "keep" | "rewind";
  interruptMode?: "always" | "prose-only" | "tool-only" | "never";
  alwaysApply?: boolean;
  enabled?: boolean;
  observe?: boolean;
  severity?: "info" | "warning" | "error";
  examples?: { fire: RuleExample[]; silent: RuleExample[] };
}

/** Whether the rule watches what the model writes; the others are advice. */
export function isStreamRule(rule: Rule): boolean {
  return rule.detect !== undefined || looksAtText(rule) || hasCallConditions(rule);
}

/** Whether prose alone can break it. */
export function onlyDetects(rule: Rule): boolean {
  return rule.detect !== undefined && !looksAtText(rule) && !hasCallConditions(rule);
}

/** Whether it looks at nothing but calls as a whole. */
export function onlyJudgesCalls(rule: Rule): boolean {
  return hasCallConditions(rule) && !looksAtText(rule) && rule.detect === undefined;
}

/** Whether it looks for something in texts and files. */
export function looksAtText({ ttsrTrigger, astCondition = [] }: Rule): boolean {
  return ttsrTrigger.length > 0 || astCondition.length > 0;
}

function hasCallConditions({ callCondition = [] }: Rule): boolean {
  return callCondition.length > 0;
}

/** Providers whose rules the user has, or this program; all others read the repository. */
const FROM_ELSEWHERE: ReadonlySet<string> = new Set(["user", "flag", "extension", "bundled"]);

/** Whether the repository brought the rule: only on such rules has it a say (TTSR-1.7). */
export function isOfRepository({ provider }: Pick<Rule, "provider">): boolean {
  return !FROM_ELSEWHERE.has(provider);
}

export type RuleState = "armed" | "broken" | "shadowed" | "untrusted" | "off" | "observe" | "advice";

/** Something to tell the author of a rule. */
export interface RuleDiagnostic {
  severity: "error" | "warning" | "info";
  code: string;
  /** One sentence. */
  message: string;
  path: string;
  /** 1-based. */
  line?: number;
  suggestion?: string;
}
