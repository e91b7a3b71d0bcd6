/**
 * What a model wrote, taken out of a transcript: our own session logs, those of Claude Code and pi, and whatever else is JSON, JSON lines or
 * plain text. Nothing in a transcript is ever obeyed; what cannot be read is counted.
 */
import type { Json } from "../../agent/messages.js";
import type { StreamPart } from "../../agent/ports.js";
import { type Call, likeOurs } from "./foreign-tools.js";

/** One answer of a model: its parts as they would have arrived. */
export interface Written {
  /** Where it stands in the file, as in "line 12" or "message 3". */
  place: string;
  parts: StreamPart[];
  /** UTF-16 units of each block, by its index. */
  lengths: number[];
}

export interface Transcript {
  messages: Written[];
  /** Lines, or whole files, that are no JSON although they look like it. */
  unreadable: number;
}

type Fields = { readonly [key: string]: Json };

/** Deeper than any transcript, and than a hostile one may drive us. */
const MAX_DEPTH = 40;

/** @param text of the whole file */
export function readTranscript(text: string): Transcript {
  const start = text.trimStart();
  if (start.startsWith("{") || start.startsWith("[")) {
    const whole = parse(text);
    if (whole !== undefined) return withoutTwins(fromJson(whole, (at) => `message ${at}`));
    return readLines(text);
  }
  return { messages: start === "" ? [] : [written("text", [textBlock(text)])], unreadable: 0 };
}

function readLines(text: string): Transcript {
  const messages: Written[] = [];
  let unreadable = 0;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parse(line);
    if (value === undefined) unreadable++;
    else messages.push(...fromJson(value, () => `line ${index + 1}`).messages);
  }
  return withoutTwins({ messages, unreadable });
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Some formats hold the same answers twice, as a history and as steps. */
function withoutTwins({ messages, unreadable }: Transcript): Transcript {
  const seen = new Set<string>();
  const kept = messages.filter(({ parts }) => {
    const mark = JSON.stringify(parts);
    return !seen.has(mark) && seen.add(mark);
  });
  return { messages: kept, unreadable };
}

function fromJson(value: Json, place: (at: number) => string): Transcript {
  const messages: Written[] = [];
  const visit = (node: Json, depth: number): void => {
    if (depth > MAX_DEPTH || typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      for (const each of node) visit(each, depth + 1);
      return;
    }
    const fields = node as Fields;
    const blocks = answerOf(fields);
    if (blocks === "not the model's") return;
    if (blocks === undefined) for (const each of Object.values(fields)) visit(each, depth + 1);
    else if (blocks.length > 0) messages.push(written(place(messages.length + 1), blocks));
  };
  visit(value, 0);
  return { messages, unreadable: 0 };
}

type Block =
  | { kind: "text" | "thinking"; text: string }
  | ({ kind: "call" } & Call)
  /** A call whose arguments never came to their end: a rule, the user or a fault cut it off. */
  | { kind: "cut"; toolName: string; json: string };

function textBlock(text: string): Block {
  return { kind: "text", text };
}

/** @returns the blocks of an answer; undefined where the object is none and may hold some */
function answerOf(fields: Fields): Block[] | "not the model's" | undefined {
  const role = fields["role"];
  if (role === "assistant") return [...contentOf(fields["content"] ?? ""), ...callsOf(fields["tool_calls"])];
  if (typeof role === "string") return "not the model's";
  // A step of a trajectory: what was said, and the command that it came to.
  const { response, thought, action } = fields;
  if (typeof response === "string" || (typeof thought === "string" && typeof action === "string")) {
    const said = typeof response === "string" ? response : String(thought);
    const ran = typeof action === "string" && action.trim() !== "" ? [commandBlock(action)] : [];
    return said.trim() === "" ? ran : [textBlock(said), ...ran];
  }
  return undefined;
}

function commandBlock(command: string): Block {
  return { kind: "call", toolName: "bash", args: { command } };
}

function contentOf(content: Json): Block[] {
  if (typeof content === "string") return content.trim() === "" ? [] : [textBlock(content)];
  return Array.isArray(content) ? content.flatMap(blockOf) : [];
}

function blockOf(block: Json): Block[] {
  if (typeof block !== "object" || block === null || Array.isArray(block)) return [];
  const { type, text, thinking, name, arguments: args, invalidArguments, input } = block as Fields;
  if (typeof thinking === "string") return [{ kind: "thinking", text: thinking }];
  if (typeof name === "string") return [callBlock(name, invalidArguments ?? args ?? input)];
  if (typeof text !== "string" || type === "tool_result") return [];
  return [type === "thinking" || type === "reasoning" ? { kind: "thinking", text } : textBlock(text)];
}

function callsOf(calls: Json | undefined): Block[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: Json): Block[] => {
    const called = typeof call === "object" && call !== null ? (call as Fields)["function"] : undefined;
    if (typeof called !== "object" || called === null) return [];
    const { name, arguments: args } = called as Fields;
    return typeof name === "string" ? [callBlock(name, args)] : [];
  });
}

function callBlock(toolName: string, args: Json | undefined): Block {
  const value = typeof args === "string" ? parse(args) : args;
  if (typeof args === "string" && value === undefined) return { kind: "cut", toolName, json: args };
  const known = typeof value === "object" && value !== null && !Array.isArray(value);
  return { kind: "call", toolName, args: known ? (value as Call["args"]) : {} };
}

function written(place: string, blocks: readonly Block[]): Written {
  const parts: StreamPart[] = [];
  const lengths: number[] = [];
  const add = (text: string, start: StreamPart, delta: StreamPart, index: number): void => {
    lengths.push(text.length);
    parts.push(start, delta, { type: "block_end", index });
  };
  const addCall = (name: string, text: string): void => {
    const index = lengths.length;
    add(text, { type: "call_start", index, id: `call-${index}`, name }, { type: "args_delta", index, text }, index);
  };
  for (const block of blocks) {
    if (block.kind === "call") {
      for (const { toolName, args } of likeOurs(block)) addCall(toolName, JSON.stringify(args));
    } else if (block.kind === "cut") addCall(block.toolName, block.json);
    else {
      const index = lengths.length;
      const { kind, text } = block;
      add(text, { type: `${kind}_start`, index }, { type: `${kind}_delta`, index, text }, index);
    }
  }
  return { place, parts, lengths };
}
