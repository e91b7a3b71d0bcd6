import type { AssistantBlock, Usage } from "../../src/agent/messages.js";
import type { ModelRequest, ModelStream, StreamPart } from "../../src/agent/ports.js";

export interface ScriptedAnswer {
  blocks?: (
    | { text: string }
    | { thinking: string; signature?: string }
    | { call: string; args: Record<string, unknown> | string; id?: string }
  )[];
  /** Characters a delta; default 4. */
  chunk?: number;
  /** The deltas of its text blocks, instead of their text. */
  pieces?: readonly string[];
  /** All parts in one group. */
  burst?: boolean;
  reason?: "stop" | "toolUse" | "length" | "refusal";
  pause?: boolean;
  usage?: Usage;
  /** Instead of, or after, the blocks. */
  error?: Extract<StreamPart, { type: "error" }>["error"];
  /** Ends without finish. */
  incomplete?: boolean;
  /** Never goes on after the blocks, until aborted. */
  hang?: boolean;
  /** Ignores the abort for ever. */
  deaf?: boolean;
}

/** A model that answers from a list, and keeps what it was asked. */
export class ScriptedModel implements ModelStream {
  readonly provider = "test";
  readonly model = "scripted";
  readonly wire = "scripted" as const;
  readonly contextWindow = 100_000;
  readonly requests: ModelRequest[] = [];
  /** Groups handed out after the abort: must stay 0. */
  lateGroups = 0;

  constructor(private readonly answers: (ScriptedAnswer | ((request: ModelRequest) => ScriptedAnswer))[]) {}

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<readonly StreamPart[]> {
    const next = this.answers[this.requests.length] ?? this.answers.at(-1);
    this.requests.push(structuredClone(request));
    if (!next) throw new Error("The script is empty");
    const answer = typeof next === "function" ? next(request) : next;
    const parts = partsOf(answer);
    if (answer.burst) {
      yield parts;
    } else {
      for (const part of parts) {
        if (signal.aborted && !answer.deaf) return;
        yield [part];
        await Promise.resolve();
      }
    }
    if (answer.deaf) await new Promise(() => undefined);
    if (answer.hang) {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener("abort", () => resolve());
      });
    }
  }
}

export function partsOf(answer: ScriptedAnswer): StreamPart[] {
  const parts: StreamPart[] = [{ type: "start", responseId: "r1" }];
  const chunk = answer.chunk ?? 4;
  const cut = (text: string): string[] => text.match(new RegExp(`[\\s\\S]{1,${chunk}}`, "g")) ?? [];
  for (const [index, block] of (answer.blocks ?? []).entries()) {
    if ("text" in block) {
      parts.push({ type: "text_start", index });
      for (const text of answer.pieces ?? cut(block.text)) parts.push({ type: "text_delta", index, text });
    } else if ("thinking" in block) {
      parts.push({ type: "thinking_start", index });
      for (const text of cut(block.thinking)) parts.push({ type: "thinking_delta", index, text });
      if (block.signature) parts.push({ type: "signature", index, signature: block.signature });
    } else {
      parts.push({ type: "call_start", index, id: block.id ?? `call_${index}`, name: block.call });
      const args = typeof block.args === "string" ? block.args : JSON.stringify(block.args);
      for (const text of cut(args)) parts.push({ type: "args_delta", index, text });
    }
    parts.push({ type: "block_end", index });
  }
  if (answer.error) parts.push({ type: "error", error: answer.error });
  else if (!answer.incomplete && !answer.hang && !answer.deaf) {
    const calls = (answer.blocks ?? []).some((block) => "call" in block);
    parts.push({
      type: "finish",
      reason: answer.reason ?? (calls ? "toolUse" : "stop"),
      rawReason: "end",
      usage: answer.usage ?? { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
      ...(answer.pause ? { pause: true } : {}),
    });
  }
  return parts;
}

/** The text, calls and results of a request, in short. */
export function shape(request: ModelRequest): string[] {
  return request.messages.map((message) => {
    const blocks = (message.content as readonly (AssistantBlock | { type: "image" })[]).map((block) =>
      block.type === "text" ? block.text : block.type === "toolCall" ? `call ${block.name}` : block.type,
    );
    return `${message.role}: ${blocks.join(" | ")}`;
  });
}
