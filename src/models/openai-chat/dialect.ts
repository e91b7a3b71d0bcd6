/** What differs between the servers that speak this wire, as far as requests go. */
import type { ModelTarget } from "../wire.js";

export interface Dialect {
  /** The name of the role that OpenAI's reasoning models want instead of `system`. */
  systemRole: "system" | "developer";
  /** The field that limits the output. */
  limitField: "max_tokens" | "max_completion_tokens";
  /** How thinking is asked for. */
  effort: "reasoning_effort" | "openrouter" | "thinking-type" | "none";
  /** How thinking goes back with the answer it led to. `details`: as the list it came in. */
  thinkingBack: "reasoning_content" | "details" | "none";
  /** Whether a stable key for the prompt cache is sent. */
  cacheKey: boolean;
  /** Whether usage has to be asked for; one vendor refuses to be asked, and tells it anyway. */
  askUsage: boolean;
  /** Whether roles must come in turn: the user's words never right after a result, nor twice running; and ids have nine characters. */
  strictTurns: boolean;
}

const PLAIN: Dialect = {
  systemRole: "system",
  limitField: "max_tokens",
  effort: "reasoning_effort",
  thinkingBack: "none",
  cacheKey: false,
  askUsage: true,
  strictTurns: false,
};

/** By provider id or host; the first that holds counts. Read on the vendors' API pages, 2026-11; unknown servers get the plainest form. */
const DIALECTS: readonly [RegExp, Partial<Dialect>][] = [
  [/^openai$|(^|\.)api\.openai\.com$/, { limitField: "max_completion_tokens", cacheKey: true }],
  [/^openrouter$|(^|\.)openrouter\.ai$/, { effort: "openrouter", thinkingBack: "details" }],
  [/^vercel|(^|\.)vercel\.sh$/, { effort: "openrouter", thinkingBack: "details" }],
  // DeepSeek and Moonshot refuse a conversation whose calls come without the thinking that led to them.
  [/^deepseek$|(^|\.)deepseek\.com$/, { effort: "thinking-type", thinkingBack: "reasoning_content" }],
  [/^moonshot|(^|\.)moonshot\.(ai|cn)$/, { effort: "thinking-type", thinkingBack: "reasoning_content" }],
  [/^zai$|(^|\.)(z\.ai|bigmodel\.cn)$/, { effort: "thinking-type", thinkingBack: "reasoning_content" }],
  [/^mistral$|(^|\.)mistral\.ai$/, { effort: "none", askUsage: false, strictTurns: true }],
  [/^(lmstudio|llamacpp|vllm)$/, { effort: "none" }],
];

/** Models whose chat templates refuse other turns with a 400 or 500, whoever serves them. */
const STRICT_MODELS = /(?:^|[/-])(?:mistral|ministral|mixtral|magistral|devstral|codestral|pixtral|gemma)/i;

const OPENAI_REASONING = /^(?:openai\/)?(?:o\d|gpt-5)/;

export function dialectOf(target: Pick<ModelTarget, "provider" | "baseUrl" | "model">): Dialect {
  const host = hostOf(target.baseUrl);
  const known = DIALECTS.find(([pattern]) => pattern.test(target.provider) || pattern.test(host))?.[1];
  const dialect = { ...PLAIN, ...(STRICT_MODELS.test(target.model) ? { strictTurns: true } : {}), ...known };
  const atOpenAi = dialect.limitField === "max_completion_tokens";
  return atOpenAi && OPENAI_REASONING.test(target.model) ? { ...dialect, systemRole: "developer" } : dialect;
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
}
