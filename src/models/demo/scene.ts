/** Which scene of the demo comes next. Looks at the conversation only, so that a resumed or rewound one goes on rightly. */
import type { Message, ToolCallBlock, ToolResultMessage } from "../../agent/messages.js";
import { textOf } from "../../agent/messages.js";
import { DEMO_PROMPT, type Scene } from "./steps.js";

interface Done {
  call: ToolCallBlock;
  result: ToolResultMessage;
}

/** The messages since the user last said something. */
function sincePrompt(messages: readonly Message[]): { prompt: string; rest: readonly Message[] } {
  const at = messages.findLastIndex((message) => message.role === "user" && message.synthetic === undefined);
  const prompt = messages[at];
  return { prompt: prompt ? textOf(prompt).trim() : "", rest: messages.slice(at + 1) };
}

function callsDone(messages: readonly Message[]): readonly Done[] {
  const calls = new Map<string, ToolCallBlock>();
  const done: Done[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") calls.set(block.id, block);
    } else if (message.role === "toolResult") {
      const call = calls.get(message.toolCallId);
      if (call) done.push({ call, result: message });
    }
  }
  return done;
}

function addsEval({ call }: Done): boolean {
  const edits: unknown = call.arguments["edits"];
  if (!Array.isArray(edits)) return false;
  return edits.some(
    (edit: unknown) => typeof edit === "object" && edit !== null && "new" in edit && /\beval\(/.test(String(edit.new)),
  );
}

function wasInterrupted(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === "user" && textOf(message).includes("<system-interrupt"));
}

/** `node --test` ends its report with these two lines, in each of its formats. */
function testsPassed({ result }: Done): boolean {
  const report = textOf(result);
  return !result.isError && /\bpass [1-9]/.test(report) && /\bfail 0\b/.test(report);
}

/** `node --test` did run if its report says so; else the call was denied or the command could not start. */
function testsRan({ result }: Done): boolean {
  return /\b(?:pass|fail) \d/.test(textOf(result));
}

/** @returns the scene that answers this conversation */
export function nextScene(messages: readonly Message[]): Scene {
  const { prompt, rest } = sincePrompt(messages);
  if (prompt !== DEMO_PROMPT) return "offScript";
  const done = callsDone(rest);
  const interrupted = wasInterrupted(rest);
  const last = (name: string): Done | undefined => done.findLast(({ call }) => call.name === name);

  const tests = last("bash");
  if (tests) {
    if (!testsRan(tests)) return "untested";
    if (!testsPassed(tests)) return "failed";
    const evalEntered = done.some((one) => one.call.name === "edit" && addsEval(one) && !one.result.isError);
    return evalEntered || !interrupted ? "passedUncut" : "passed";
  }
  const edited = last("edit");
  if (edited && !edited.result.isError) return addsEval(edited) ? "undoEval" : "test";
  // A call that a rule blocked (its budget was spent) is answered with the rule's text: the same as an interrupt, one step later.
  if (edited) return addsEval(edited) && /eval/.test(textOf(edited.result)) ? "rightEdit" : "unedited";
  const read = last("read");
  if (!read) return "read";
  if (read.result.isError) return "unread";
  return interrupted ? "rightEdit" : "wrongEdit";
}
