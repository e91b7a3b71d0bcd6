/** How many tokens of output to ask for. */
import type { ModelRequest } from "../agent/ports.js";
import type { ModelTarget } from "./wire.js";

/** Characters per token, on the low side: English and code have about four, and the estimate must not be too small. */
const CHARACTERS_PER_TOKEN = 3;
/** Tokens an image may cost at the vendors that cost most. */
const TOKENS_PER_IMAGE = 1600;
/** Less than this is no answer; the server may refuse instead. */
const LEAST = 1024;

/**
 * @returns the target's output limit, lowered to what the context window leaves free: servers refuse a request whose input and output
 *   limit together are over the window. undefined where the target names no limit.
 */
export function outputLimit(request: ModelRequest, target: ModelTarget): number | undefined {
  const { maxOutput, contextWindow } = target;
  if (maxOutput === undefined || contextWindow === undefined) return maxOutput;
  if (contextWindow - maxOutput > roughTokens(request)) return maxOutput;
  return Math.min(maxOutput, Math.max(LEAST, contextWindow - roughTokens(request)));
}

function roughTokens(request: ModelRequest): number {
  let characters = request.system.length;
  let images = 0;
  for (const tool of request.tools) characters += tool.description.length + JSON.stringify(tool.parameters).length;
  for (const message of request.messages) {
    for (const block of message.content) {
      if (block.type === "text") characters += block.text.length;
      else if (block.type === "image") images++;
      else characters += JSON.stringify(block).length;
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * TOKENS_PER_IMAGE;
}
