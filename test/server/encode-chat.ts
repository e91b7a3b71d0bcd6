import type { EncodeContext, ServedEvent } from "./pieces.js";
import { argsText, chop, json, textPieces } from "./pieces.js";
import type { Answer } from "./script.js";
import { stopOf, usageOf } from "./script.js";

const STOP = { stop: "stop", toolUse: "tool_calls", length: "length", refusal: "content_filter" } as const;

/**
 * The answer as `POST /v1/chat/completions` streams it. Thinking without a signature comes as `reasoning_content`, with one as
 * OpenRouter's `reasoning` and `reasoning_details`.
 */
export function* encodeChat(answer: Answer, context: EncodeContext): Generator<ServedEvent, void, undefined> {
  const base = { id: `chatcmpl-${context.serial}`, object: "chat.completion.chunk", created: 1, model: context.model };
  const choice = (delta: object, finish_reason: string | null = null): ServedEvent =>
    json({ ...base, choices: [{ index: 0, delta, finish_reason }] });

  yield choice({ role: "assistant", content: "" });
  let calls = 0;
  for (const block of answer.blocks ?? []) {
    switch (block.type) {
      case "text":
        for (const content of textPieces(block, answer.chunk)) yield choice({ content });
        break;
      case "thinking": {
        if (block.redacted) break;
        const detail = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
        for (const text of chop(block.thinking, answer.chunk)) {
          yield choice(
            block.signature
              ? { reasoning: text, reasoning_details: [{ ...detail, text }] }
              : { reasoning_content: text },
          );
        }
        if (block.signature) yield choice({ reasoning_details: [{ ...detail, signature: block.signature }] });
        break;
      }
      case "call": {
        const index = calls++;
        const id = block.id ?? context.nextCallId();
        yield choice({ tool_calls: [{ index, id, type: "function", function: { name: block.name, arguments: "" } }] });
        for (const piece of chop(argsText(block), answer.chunk)) {
          yield choice({ tool_calls: [{ index, function: { arguments: piece } }] });
        }
        break;
      }
    }
  }
  yield choice({}, STOP[stopOf(answer)]);

  const usage = usageOf(answer);
  const prompt_tokens = usage.input + usage.cacheRead + usage.cacheWrite;
  yield json({
    ...base,
    choices: [],
    usage: {
      prompt_tokens,
      completion_tokens: usage.output,
      total_tokens: prompt_tokens + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cacheRead },
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    },
  });
  yield { data: "[DONE]" };
}
