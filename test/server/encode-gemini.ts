import type { EncodeContext, ServedEvent } from "./pieces.js";
import { argsText, chop, json, textPieces } from "./pieces.js";
import type { Answer, AnswerBlock } from "./script.js";
import { stopOf, usageOf } from "./script.js";

const STOP = { stop: "STOP", toolUse: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" } as const;

/** The leaves of an arguments object with their JSON paths, in order. */
function* leaves(value: unknown, path: string): Generator<{ path: string; value: unknown }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* leaves(item, `${path}[${index}]`);
  } else if (value !== null && typeof value === "object") {
    for (const [key, item] of Object.entries(value)) yield* leaves(item, `${path}.${key}`);
  } else {
    yield { path, value };
  }
}

function leafArg(path: string, value: unknown): object {
  if (typeof value === "number") return { jsonPath: path, numberValue: value };
  if (typeof value === "boolean") return { jsonPath: path, boolValue: value };
  return { jsonPath: path, nullValue: "NULL_VALUE" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The wire has objects, not texts: a script that asks for broken JSON gets the text in the object's place.
    return text;
  }
}

type Chunk = (parts: object[], more?: object) => ServedEvent;

function* callParts(
  block: Extract<AnswerBlock, { type: "call" }>,
  answer: Answer,
  id: string,
  sign: () => object,
  chunk: Chunk,
): Generator<ServedEvent, void, undefined> {
  const args = parsed(argsText(block));
  if (!answer.streamArgs) {
    yield chunk([{ functionCall: { id, name: block.name, args }, ...sign() }]);
    return;
  }
  yield chunk([{ functionCall: { id, name: block.name, willContinue: true }, ...sign() }]);
  for (const leaf of leaves(args, "$")) {
    const pieces =
      typeof leaf.value === "string"
        ? chop(leaf.value, answer.chunk).map((stringValue, index, all) => ({
            jsonPath: leaf.path,
            stringValue,
            willContinue: index < all.length - 1,
          }))
        : [leafArg(leaf.path, leaf.value)];
    for (const piece of pieces) yield chunk([{ functionCall: { partialArgs: [piece], willContinue: true } }]);
  }
  yield chunk([{ functionCall: {} }]);
}

/**
 * The answer as `POST /v1beta/models/M:streamGenerateContent?alt=sse` streams it. The signature of a thinking block stands on the
 * part that follows it, as the vendor sends it.
 */
export function* encodeGemini(answer: Answer, context: EncodeContext): Generator<ServedEvent, void, undefined> {
  const counted = usageOf(answer);
  const promptTokenCount = counted.input + counted.cacheRead + counted.cacheWrite;
  const usageMetadata = {
    promptTokenCount,
    candidatesTokenCount: counted.output - counted.reasoning,
    thoughtsTokenCount: counted.reasoning,
    cachedContentTokenCount: counted.cacheRead,
    totalTokenCount: promptTokenCount + counted.output,
  };
  const chunk: Chunk = (parts, more = {}) =>
    json({
      candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
      usageMetadata,
      modelVersion: context.model,
      responseId: `response_${context.serial}`,
    });

  let owed: string | undefined;
  const sign = (): object => {
    const signature = owed;
    owed = undefined;
    return signature === undefined ? {} : { thoughtSignature: signature };
  };
  for (const block of answer.blocks ?? []) {
    switch (block.type) {
      case "text":
        for (const text of textPieces(block, answer.chunk)) yield chunk([{ text, ...sign() }]);
        break;
      case "thinking":
        if (!block.redacted) {
          for (const text of chop(block.thinking, answer.chunk)) yield chunk([{ text, thought: true }]);
        }
        owed = block.signature;
        break;
      case "call":
        yield* callParts(block, answer, block.id ?? context.nextCallId(), sign, chunk);
        break;
    }
  }
  yield chunk([{ text: "", ...sign() }], { finishReason: STOP[stopOf(answer)] });
}
