/** A small stage for the scripted model: real files, real `node --test`, and a rule that cuts as the program's does. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAssembler } from "../../src/agent/assemble.js";
import type { AssistantMessage, Message, ToolCallBlock } from "../../src/agent/messages.js";
import { textOf, userText } from "../../src/agent/messages.js";
import type { ModelRequest } from "../../src/agent/ports.js";
import type { Showcase } from "../../src/models/demo/index.js";

export interface StageOptions {
  /** A pattern that cuts an edit's added text. */
  rule?: RegExp;
  /** Answers a call instead of running it. */
  intercept?: (call: ToolCallBlock) => string | undefined;
}

export interface Played {
  messages: Message[];
  /** The argument text of each attempt that was cut. */
  cut: string[];
  /** `name` or `name!` (an error) of each call that was answered, in order. */
  calls: string[];
  lastText: string;
}

export function requestOf(messages: readonly Message[]): ModelRequest {
  return { system: "", messages, tools: [], thinking: "off" };
}

interface Edit {
  old: string;
  new: string;
}

function runCall(call: ToolCallBlock, folder: string): { text: string; isError: boolean } {
  const path = join(folder, String(call.arguments["path"] ?? ""));
  switch (call.name) {
    case "read":
      return { text: readFileSync(path, "utf8"), isError: false };
    case "edit": {
      let content = readFileSync(path, "utf8");
      for (const edit of call.arguments["edits"] as Edit[]) {
        if (content.split(edit.old).length !== 2) return { text: `"${edit.old}" is not there once`, isError: true };
        content = content.replace(edit.old, () => edit.new);
      }
      writeFileSync(path, content);
      return { text: "edited", isError: false };
    }
    case "bash": {
      // The runner must not hear of the runner that runs these tests.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const ran = spawnSync("sh", ["-c", String(call.arguments["command"])], { cwd: folder, encoding: "utf8", env });
      return { text: ran.stdout + ran.stderr, isError: ran.status !== 0 };
    }
    default:
      return { text: `no tool ${call.name}`, isError: true };
  }
}

async function attempt(
  model: Showcase,
  messages: readonly Message[],
  rule: RegExp | undefined,
): Promise<AssistantMessage | string> {
  const abort = new AbortController();
  const assembler = createAssembler(model);
  let args = "";
  for await (const group of model.stream(requestOf(messages), abort.signal)) {
    if (abort.signal.aborted) throw new Error("the model went on after the abort");
    for (const part of group) {
      assembler.apply(part);
      if (part.type !== "args_delta") continue;
      args += part.text;
      // The old text may hold anything; only what is added counts.
      if (rule?.test(args.slice(args.indexOf('"new"')))) abort.abort();
    }
  }
  return abort.signal.aborted ? args : assembler.seal();
}

/** Plays the demo to its end. At most 12 requests. */
export async function play(
  model: Showcase,
  folder: string,
  prompt: string,
  options: StageOptions = {},
): Promise<Played> {
  const messages: Message[] = [userText(prompt)];
  const played: Played = { messages, cut: [], calls: [], lastText: "" };
  for (let round = 0; round < 12; round++) {
    const answer = await attempt(model, messages, options.rule);
    if (typeof answer === "string") {
      played.cut.push(answer);
      const interrupt = '<system-interrupt reason="rule_violation" rule="no-eval">No eval.</system-interrupt>';
      messages.push(userText(interrupt, { synthetic: "ttsr-interrupt" }));
      continue;
    }
    messages.push(answer);
    const calls = answer.content.filter((block) => block.type === "toolCall");
    if (calls.length === 0) {
      played.lastText = textOf(answer);
      return played;
    }
    for (const call of calls) {
      const refused = options.intercept?.(call);
      const { text, isError } = refused === undefined ? runCall(call, folder) : { text: refused, isError: true };
      played.calls.push(isError ? `${call.name}!` : call.name);
      messages.push({
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: "text", text }],
        isError,
      });
    }
  }
  throw new Error("the demo did not end in 12 requests");
}
