/** Rules on calls at work: what they say of a finished call, before it may run. */
import type { ToolCallBlock } from "../../agent/messages.js";
import type { Tool } from "../../agent/ports.js";
import type { Rule } from "../../capability/rule.js";
import { PATH_ARGUMENTS } from "../lanes/call-lanes.js";
import { headOf } from "../lanes/excerpt.js";
import type { LaneInfo, TtsrMatch } from "../types.js";
import { decide, type RuleWatch } from "../watch.js";
import { Budget, TooMuch } from "./budget.js";

/** UTF-16 units of a call's JSON. */
const LARGEST = 512 * 1024;

export interface FinishedCall {
  call: ToolCallBlock;
  contentIndex: number;
  /** undefined: nobody knows it. */
  tool: Tool | undefined;
  toProjectPath(path: string): string;
}

/**
 * @param watches with conditions on calls, of rules that may fire
 * @returns at most one match a rule, of its first condition that holds; and the rules of which it could not be known, because the call is
 * too large or the condition too costly
 */
export function checkCall(
  { call, contentIndex, tool, toProjectPath }: FinishedCall,
  watches: readonly RuleWatch[],
): { matches: TtsrMatch[]; undecided: Rule[] } {
  const path = pathOf(call, tool);
  const lane: LaneInfo = {
    source: "tool",
    contentIndex,
    toolCallId: call.id,
    toolName: call.name,
    ...(path === undefined ? {} : { filePath: toProjectPath(path) }),
  };
  const options = {
    ...(tool ? { readOnly: tool.readOnly } : {}),
    ...(tool?.like === undefined ? {} : { like: tool.like }),
  };
  const watching = watches.filter((watch) => decide(watch, lane, options) === "yes");
  if (watching.length === 0) return { matches: [], undecided: [] };
  const size = JSON.stringify(call.arguments).length;
  const budget = new Budget();
  const matches: TtsrMatch[] = [];
  const undecided: Rule[] = [];
  for (const { rule, calls = [] } of watching) {
    try {
      if (size > LARGEST) throw new TooMuch();
      const index = calls.findIndex((condition) => condition.holds(call.arguments, size, budget));
      const part = calls[index]?.partOf(call.arguments, budget);
      if (!part) continue;
      const text = JSON.stringify(part.value);
      matches.push({
        rule,
        trigger: rule.ttsrTrigger.length + (rule.astCondition?.length ?? 0) + index,
        lane: part.path === "" ? lane : { ...lane, argument: part.path },
        start: 0,
        end: text.length,
        excerpt: headOf(text),
      });
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      undecided.push(rule);
    }
  }
  return { matches, undecided };
}

/** @returns the file that the call names, as the model wrote it; of two arguments that could name it the first does */
function pathOf({ arguments: args }: ToolCallBlock, tool: Tool | undefined): string | undefined {
  const names = tool?.pathArgument === undefined ? PATH_ARGUMENTS : new Set([tool.pathArgument]);
  for (const [name, value] of Object.entries(args)) {
    if (names.has(name) && typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
