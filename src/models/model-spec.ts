/** Reads what a user writes to name a model: `provider/model[:thinking]`. */
import type { ThinkingLevel } from "../agent/messages.js";
import { didYouMean } from "../platform/did-you-mean.js";
import { UserError } from "../platform/errors.js";

export const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh"];

export interface ModelSpec {
  /** Lower case. Where no slash is written it may be a model's name instead. */
  provider: string;
  /** undefined: the provider's own choice. May hold `/` and `:`. */
  model?: string;
  thinking?: ThinkingLevel;
}

function isLevel(word: string): word is ThinkingLevel {
  return THINKING_LEVELS.some((level) => level === word);
}

/**
 * Takes a thinking level off the end. Only the six words are one: `ollama/qwen3:8b` has none.
 * @returns the text before it, and the level if there is one
 */
function splitThinking(text: string): { rest: string; thinking?: ThinkingLevel } {
  const colon = text.lastIndexOf(":");
  const word = text.slice(colon + 1).toLowerCase();
  return colon > 0 && isLevel(word) ? { rest: text.slice(0, colon), thinking: word } : { rest: text };
}

/**
 * @param text as written after `--model` or in the settings
 * @throws UserError with exit code 2 when it names no provider, or nothing after the slash
 */
export function parseModelSpec(text: string): ModelSpec {
  const { rest, thinking } = splitThinking(text.trim());
  const slash = rest.indexOf("/");
  const provider = (slash < 0 ? rest : rest.slice(0, slash)).trim().toLowerCase();
  const model = slash < 0 ? undefined : rest.slice(slash + 1).trim();
  if (!/^[^\s:]\S*$/.test(provider) || model === "") {
    throw new UserError(
      "bad-model-spec",
      `"${text}" names no model; write provider/model, for example anthropic/claude-sonnet-5 or ollama/qwen3:8b.`,
      2,
    );
  }
  return { provider, ...(model === undefined ? {} : { model }), ...(thinking ? { thinking } : {}) };
}

/**
 * A suffix that was probably meant as a thinking level, on a model whose name is known without it.
 * @throws UserError with exit code 2
 */
export function refuseBadThinking(id: string, isKnown: (id: string) => boolean): void {
  const colon = id.lastIndexOf(":");
  if (colon < 0 || isKnown(id) || !isKnown(id.slice(0, colon))) return;
  const word = id.slice(colon + 1);
  const near = didYouMean(word, THINKING_LEVELS);
  throw new UserError(
    "bad-thinking-level",
    `"${word}" is no thinking level; ${near ? `did you mean "${near}"? The levels are` : "use one of"} ${THINKING_LEVELS.join(", ")}.`,
    2,
  );
}
