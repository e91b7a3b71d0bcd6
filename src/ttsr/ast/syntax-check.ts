/** Rules on syntax at work: what a finished call would make of a file, before it may run (TTSR-4.5). */
import type { ToolCallBlock } from "../../agent/messages.js";
import type { Tool } from "../../agent/ports.js";
import type { Rule } from "../../capability/rule.js";
import { excerptOf } from "../lanes/excerpt.js";
import { KnownLines } from "../lanes/line-runs.js";
import type { LaneInfo, TtsrMatch } from "../types.js";
import { fileAfter } from "./file-after.js";
import { type Languages, languageOf } from "./languages.js";
import type { AstHit } from "./questions.js";
import type { SyntaxAnswer } from "./syntax-checker.js";

/** UTF-16 units. A larger file takes too long to parse before every write of it (0.4 s for 147 KB, measured). */
export const SYNTAX_LIMIT = 512 * 1024;

export interface SyntaxCall {
  call: ToolCallBlock;
  contentIndex: number;
  tool: Tool;
  toProjectPath(path: string): string;
  baseline(path: string): string | undefined;
  /** Whether an exception of the rule holds for what stands there in the text of the file. */
  isExcused(rule: Rule, text: string, at: { start: number; end: number }): boolean;
  /** Told of each rule that could not be tried: a part of a sentence, why. */
  undecided(rule: Rule, why: string): void;
}

/**
 * @param rules those that may watch this lane
 * @param signal aborted: nobody waits for the answer any more
 * @returns at most one match a rule: the first that touches a line which the call adds
 */
export async function checkSyntax(
  { call, contentIndex, tool, toProjectPath, baseline, isExcused, undecided }: SyntaxCall,
  rules: (lane: LaneInfo) => readonly Rule[],
  languages: Languages,
  signal?: AbortSignal,
): Promise<TtsrMatch[]> {
  const file = await fileAfter(call, tool, (path) => baseline(toProjectPath(path)));
  if (!file || file.after.length > SYNTAX_LIMIT) return [];
  const filePath = toProjectPath(file.path);
  const lane: LaneInfo = {
    source: "tool",
    contentIndex,
    toolCallId: call.id,
    toolName: call.name,
    argument: file.argument,
    filePath,
  };
  const language = languageOf(filePath);
  const watching = language === undefined ? [] : rules(lane);
  if (language === undefined || watching.length === 0 || languages.missing(language) !== undefined) return [];
  const conditions = watching.map(({ astCondition = [] }) => astCondition);
  const answers = await languages.checker.check(languages.placeOf(language), file.after, conditions, signal);
  if (signal?.aborted) return [];
  const isAdded = addedLines(file.before, file.after);
  const matches: TtsrMatch[] = [];
  for (const [index, rule] of watching.entries()) {
    const answer = answers[index];
    if (answer && "undecided" in answer) undecided(rule, answer.undecided);
    const hit = hitsOf(answer).find((each) => {
      return isAdded(each.firstLine, each.lastLine) && !isExcused(rule, file.after, each);
    });
    if (!hit) continue;
    const firstLineEnd = file.after.indexOf("\n", hit.start);
    const shownTo = firstLineEnd === -1 ? hit.end : Math.min(hit.end, firstLineEnd);
    const excerpt = excerptOf(file.after.slice(0, shownTo));
    matches.push({
      rule,
      trigger: rule.ttsrTrigger.length + hit.condition,
      lane,
      start: hit.start,
      end: hit.end,
      excerpt,
    });
  }
  return matches;
}

export function hitsOf(answer: SyntaxAnswer | undefined): readonly AstHit[] {
  return answer && "hits" in answer ? answer.hits : [];
}

/** @returns whether one of these lines, 0-based and both ends included, is not carried over from the old text */
function addedLines(before: string | undefined, after: string): (first: number, last: number) => boolean {
  if (before === undefined) return () => true;
  const known = new KnownLines(before);
  const lines = after.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return (first, last) => lines.slice(first, last + 1).some((line) => !known.has(line));
}
