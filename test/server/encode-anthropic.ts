import type { EncodeContext, ServedEvent } from "./pieces.js";
import { argsText, chop, json, textPieces } from "./pieces.js";
import type { Answer } from "./script.js";
import { stopOf, usageOf } from "./script.js";

const STOP = { stop: "end_turn", toolUse: "tool_use", length: "max_tokens", refusal: "refusal" } as const;

/** The answer as `POST /v1/messages` streams it. */
export function* encodeAnthropic(answer: Answer, context: EncodeContext): Generator<ServedEvent, void, undefined> {
  const usage = usageOf(answer);
  const send = (data: { type: string; [key: string]: unknown }): ServedEvent => json(data, data.type);
  yield send({
    type: "message_start",
    message: {
      id: `msg_${context.serial}`,
      type: "message",
      role: "assistant",
      model: context.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: usage.input,
        cache_creation_input_tokens: usage.cacheWrite,
        cache_read_input_tokens: usage.cacheRead,
        output_tokens: 1,
      },
    },
  });
  yield send({ type: "ping" });

  let index = 0;
  for (const block of answer.blocks ?? []) {
    const start = (content_block: object): ServedEvent => send({ type: "content_block_start", index, content_block });
    const delta = (change: object): ServedEvent => send({ type: "content_block_delta", index, delta: change });
    switch (block.type) {
      case "text":
        yield start({ type: "text", text: "" });
        for (const text of textPieces(block, answer.chunk)) yield delta({ type: "text_delta", text });
        break;
      case "thinking":
        if (block.redacted) {
          yield start({ type: "redacted_thinking", data: block.signature ?? "" });
          break;
        }
        yield start({ type: "thinking", thinking: "", signature: "" });
        for (const thinking of chop(block.thinking, answer.chunk)) yield delta({ type: "thinking_delta", thinking });
        if (block.signature) yield delta({ type: "signature_delta", signature: block.signature });
        break;
      case "call":
        yield start({ type: "tool_use", id: block.id ?? context.nextCallId(), name: block.name, input: {} });
        yield delta({ type: "input_json_delta", partial_json: "" });
        for (const partial_json of chop(argsText(block), answer.chunk)) {
          yield delta({ type: "input_json_delta", partial_json });
        }
        break;
    }
    yield send({ type: "content_block_stop", index });
    index++;
  }
  yield send({
    type: "message_delta",
    delta: { stop_reason: STOP[stopOf(answer)], stop_sequence: null },
    usage: { output_tokens: usage.output },
  });
  yield send({ type: "message_stop" });
}
