/** Sends a sample through the real lanes, cut as a provider might cut it. */

import type { AssistantBlock, AssistantMessage, Json, ToolCallBlock } from "../../agent/messages.js";
import type { StreamPart, Tool } from "../../agent/ports.js";
import type { Rule } from "../../capability/rule.js";
import type { Languages } from "../ast/languages.js";
import { TtsrManager } from "../manager.js";
import { createMonitor, type TtsrMonitor } from "../monitor.js";
import type { TtsrDiagnostic, TtsrMatch } from "../types.js";
import { UNHINDERED } from "../unhindered.js";
import type { Sample } from "./sample.js";

/** Cuts a text into the deltas in which it arrives. */
export type Cutting = (text: string) => string[];

export const WHOLE: Cutting = (text) => [text];
export const SINGLE_UNITS: Cutting = (text) => text.split("");
/** @returns the text in two pieces, the first so many UTF-16 units long */
export const cutAt =
  (position: number): Cutting =>
  (text) =>
    [text.slice(0, position), text.slice(position)].filter((piece) => piece !== "");

/** What stands where an edit's sample goes. It is like nothing that a sample says. */
const OLD = "\u0001";
const NO_MESSAGE: AssistantMessage = {
  role: "assistant",
  provider: "",
  model: "",
  wire: "scripted",
  content: [],
  stopReason: "stop",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** What samples are tried with. */
export interface Lab {
  /** What is known of the tools that samples name. */
  tools(name: string): Tool | undefined;
  /** For rules on syntax. */
  languages?: Languages;
}

/** @returns whether the rule could be armed if there were no other, and what there is to tell its author */
export function armAlone(rule: Rule, { languages }: Lab): { armed: boolean; diagnostics: readonly TtsrDiagnostic[] } {
  const manager = new TtsrManager(UNHINDERED, languages ? { languages } : {});
  return { armed: manager.addRule(rule), diagnostics: manager.diagnostics() };
}

/** Rules on a bench: the same lanes and matcher as in a session, and nothing around them. */
export class Bench {
  readonly #manager: TtsrManager;
  readonly #monitor: TtsrMonitor;
  #untried: string | undefined;
  #matches: TtsrMatch[] = [];

  /** @param rules those that do not compile are left out */
  constructor(rules: readonly Rule[], { tools, languages }: Lab) {
    // An edit needs something to edit, before its file can be looked at as it would be.
    const bySyntax = rules.some(({ astCondition }) => astCondition !== undefined);
    const manager = new TtsrManager(UNHINDERED, {
      ...(bySyntax ? { baseline: () => OLD } : {}),
      ...(languages ? { languages } : {}),
    });
    for (const rule of rules) manager.addRule({ ...rule, enabled: true, repeatMode: "always" });
    this.#manager = manager;
    this.#monitor = createMonitor({
      manager,
      tools,
      cwd: "/",
      onBatch: (matches) => {
        this.#matches.push(...matches);
        return "pass";
      },
    });
  }

  /** @returns in one sentence why a rule could not be tried on what was run so far; undefined where all were */
  get untried(): string | undefined {
    this.#untried ??= this.#manager.takeNews().find(({ code }) => code === "undecided")?.message;
    return this.#untried;
  }

  /** @returns every match of the sample, in order */
  run(sample: Sample, cut: Cutting): Promise<TtsrMatch[]> {
    return this.stream(partsOf(sample, cut));
  }

  /** @returns every match in one message, given as the parts in which it would arrive */
  async stream(parts: readonly StreamPart[]): Promise<TtsrMatch[]> {
    this.#matches = [];
    this.#monitor.open();
    for (const part of parts) this.#monitor.inspect(part);
    await this.#monitor.close({ ...NO_MESSAGE, content: contentOf(parts) });
    return this.#matches;
  }
}

/** The finished message, as far as checks on whole calls look at it. */
function contentOf(parts: readonly StreamPart[]): AssistantBlock[] {
  const content: AssistantBlock[] = [];
  const calls = new Map<number, { name: string; json: string }>();
  for (const part of parts) {
    if (part.type === "text_start" || part.type === "thinking_start") content[part.index] = { type: "text", text: "" };
    if (part.type === "call_start") calls.set(part.index, { name: part.name, json: "" });
    const call = part.type === "args_delta" ? calls.get(part.index) : undefined;
    if (call && part.type === "args_delta") call.json += part.text;
  }
  for (const [index, { name, json }] of calls) {
    content[index] = { type: "toolCall", id: `call-${index}`, name, ...argumentsIn(json) };
  }
  return content;
}

/** @returns as a provider's parts are put together: what is not whole is kept as it came */
function argumentsIn(json: string): Pick<ToolCallBlock, "arguments" | "invalidArguments"> {
  try {
    return { arguments: JSON.parse(json) as Record<string, Json> };
  } catch (error) {
    if (error instanceof SyntaxError) return { arguments: {}, invalidArguments: json };
    throw error;
  }
}

/** @returns the text that is cut: prose as it is, a call as its arguments in JSON */
export function streamedText(sample: Sample): string {
  return sample.source === "tool" ? JSON.stringify(argumentsOf(sample)) : sample.text;
}

function partsOf(sample: Sample, cut: Cutting): StreamPart[] {
  const index = 0;
  const pieces = cut(streamedText(sample));
  if (sample.source === "tool") {
    return [
      { type: "call_start", index, id: "sample", name: sample.toolName ?? "" },
      ...pieces.map((text): StreamPart => ({ type: "args_delta", index, text })),
      { type: "block_end", index },
    ];
  }
  const { source } = sample;
  return [
    { type: `${source}_start`, index },
    ...pieces.map((text): StreamPart => ({ type: `${source}_delta`, index, text })),
    { type: "block_end", index },
  ];
}

function argumentsOf({ toolName, argument = "text", text, filePath, call }: Sample): Json {
  if (call) return call;
  const path = filePath === undefined ? {} : { path: filePath };
  if (toolName === "edit" && argument === "added") return { ...path, edits: [{ old: OLD, new: text }] };
  if (toolName === "edit" && argument === "removed") return { ...path, edits: [{ old: text, new: "" }] };
  const nested = argument.split(".").reduceRight<Json>((inner, key) => ({ [key]: inner }), text);
  return { ...path, ...(nested as Record<string, Json>) };
}
