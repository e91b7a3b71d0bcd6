import type { EncodeContext, ServedEvent } from "./pieces.js";
import { argsText, chop, json, textPieces } from "./pieces.js";
import type { Answer, AnswerBlock } from "./script.js";
import { stopOf, usageOf } from "./script.js";

type Send = (type: string, more: object) => ServedEvent;

function* textItem(
  block: Extract<AnswerBlock, { type: "text" }>,
  answer: Answer,
  id: string,
  output_index: number,
  send: Send,
): Generator<ServedEvent, object, undefined> {
  const at = { output_index, item_id: id, content_index: 0 };
  const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
  const item = { id, type: "message", role: "assistant" };
  yield send("response.output_item.added", { output_index, item: { ...item, status: "in_progress", content: [] } });
  yield send("response.content_part.added", { ...at, part });
  for (const delta of textPieces(block, answer.chunk)) {
    yield send("response.output_text.delta", { ...at, delta, logprobs: [] });
  }
  const whole = { ...part, text: block.text };
  yield send("response.output_text.done", { ...at, text: block.text, logprobs: [] });
  yield send("response.content_part.done", { ...at, part: whole });
  const done = { ...item, status: "completed", content: [whole] };
  yield send("response.output_item.done", { output_index, item: done });
  return done;
}

function* reasoningItem(
  block: Extract<AnswerBlock, { type: "thinking" }>,
  answer: Answer,
  id: string,
  output_index: number,
  send: Send,
): Generator<ServedEvent, object, undefined> {
  const item = { id, type: "reasoning", summary: [] as object[], encrypted_content: "" };
  yield send("response.output_item.added", { output_index, item });
  if (!block.redacted) {
    const at = { output_index, item_id: id, summary_index: 0 };
    const text = block.thinking;
    yield send("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
    for (const delta of chop(text, answer.chunk)) yield send("response.reasoning_summary_text.delta", { ...at, delta });
    yield send("response.reasoning_summary_text.done", { ...at, text });
    yield send("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text } });
  }
  const done = {
    ...item,
    summary: block.redacted ? [] : [{ type: "summary_text", text: block.thinking }],
    encrypted_content: block.signature ?? null,
  };
  yield send("response.output_item.done", { output_index, item: done });
  return done;
}

function* callItem(
  block: Extract<AnswerBlock, { type: "call" }>,
  answer: Answer,
  id: string,
  call_id: string,
  output_index: number,
  send: Send,
): Generator<ServedEvent, object, undefined> {
  const item = { id, type: "function_call", call_id, name: block.name };
  const text = argsText(block);
  yield send("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } });
  for (const delta of chop(text, answer.chunk)) {
    yield send("response.function_call_arguments.delta", { output_index, item_id: id, delta });
  }
  yield send("response.function_call_arguments.done", { output_index, item_id: id, name: block.name, arguments: text });
  const done = { ...item, arguments: text, status: "completed" };
  yield send("response.output_item.done", { output_index, item: done });
  return done;
}

/** The answer as `POST /v1/responses` streams it. */
export function* encodeResponses(answer: Answer, context: EncodeContext): Generator<ServedEvent, void, undefined> {
  let sequence_number = 0;
  const send: Send = (type, more) => json({ type, sequence_number: sequence_number++, ...more }, type);
  const output: object[] = [];
  const response = (status: string, more: object = {}): object => ({
    id: `resp_${context.serial}`,
    object: "response",
    created_at: 1,
    status,
    model: context.model,
    output,
    usage: null,
    error: null,
    incomplete_details: null,
    ...more,
  });

  yield send("response.created", { response: response("in_progress") });
  yield send("response.in_progress", { response: response("in_progress") });
  for (const block of answer.blocks ?? []) {
    const index = output.length;
    const id = `${{ text: "msg", thinking: "rs", call: "fc" }[block.type]}_${context.serial}_${index}`;
    switch (block.type) {
      case "text":
        output.push(yield* textItem(block, answer, id, index, send));
        break;
      case "thinking":
        output.push(yield* reasoningItem(block, answer, id, index, send));
        break;
      case "call":
        output.push(yield* callItem(block, answer, id, block.id ?? context.nextCallId(), index, send));
        break;
    }
  }

  const counted = usageOf(answer);
  const input_tokens = counted.input + counted.cacheRead + counted.cacheWrite;
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: counted.cacheRead },
    output_tokens: counted.output,
    output_tokens_details: { reasoning_tokens: counted.reasoning },
    total_tokens: input_tokens + counted.output,
  };
  const stop = stopOf(answer);
  if (stop === "length" || stop === "refusal") {
    const reason = stop === "length" ? "max_output_tokens" : "content_filter";
    yield send("response.incomplete", { response: response("incomplete", { usage, incomplete_details: { reason } }) });
  } else {
    yield send("response.completed", { response: response("completed", { usage }) });
  }
}
