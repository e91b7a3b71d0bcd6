import { describe, expect, it } from "vitest";
import { classify } from "../../src/models/classify.js";

/** As vendors and servers word it, with made-up figures. */
const TOO_LONG: readonly [string, string, string?][] = [
  ["Anthropic", "prompt is too long: 213462 tokens > 200000 maximum"],
  ["Anthropic, with the answer", "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000"],
  ["Anthropic, by bytes", "Request exceeds the maximum size"],
  ["Bedrock", "Input is too long for requested model."],
  ["Bedrock, other", "Too many input tokens"],
  ["OpenAI", "Your input exceeds the context window of this model. Please adjust your input and try again."],
  [
    "OpenAI chat",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
  ],
  ["OpenAI by code", "no", "context_length_exceeded"],
  ["OpenAI, one text", "Invalid 'input': string too long. Expected a string with maximum length 10485760."],
  ["Azure and GitHub", "Request body too large for gpt-4o model. Max size: 8000 tokens."],
  ["GitHub by code", "no", "tokens_limit_reached"],
  ["Gemini", "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ["Groq", "Please reduce the length of the messages or completion."],
  ["Copilot", "prompt token count of 140000 exceeds the limit of 128000"],
  ["llama.cpp", "the request exceeds the available context size, try increasing it"],
  ["llama.cpp by type", "no", "exceed_context_size_error"],
  ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length."],
  ["LM Studio, n_ctx", "Trying to keep the first 9000 tokens when context overflows: n_keep 9000 >= n_ctx 4096"],
  ["Ollama", "prompt too long; exceeded max context length by 12 tokens"],
  ["Ollama, other", "input length exceeds maximum context length"],
  ["MiniMax", "invalid params, context window exceeds limit"],
  ["Moonshot", "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"],
  ["Mistral", "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"],
  ["Cohere", "too many tokens: total number of tokens in the prompt cannot exceed 4081"],
  ["Together", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769."],
  ["SGLang", "The input (40000 tokens) is longer than the model's context length (32768 tokens)."],
  ["vLLM", "You passed 40961 input tokens. However, the model's context length is only 40960 tokens."],
  ["vLLM, older", "The decoder prompt (length 9000) is longer than the maximum model length of 8192."],
  ["Fireworks", "The prompt is too long: 134023, model maximum context length: 131071"],
  ["Z.ai", "Prompt exceeds max length", "1261"],
  ["DashScope", "Range of input length should be [1, 129024]"],
  ["DashScope, pictures", "Total tokens of image and text exceed the limit"],
  ["OpenRouter", "This endpoint's maximum context length is 65536 tokens. However, you requested about 70000 tokens."],
  ["a gateway", "Context length exceeded"],
  ["another gateway", "ContextWindowExceededError: context window exceeded"],
];

describe("F21 the conversation is too long", () => {
  it.each(TOO_LONG)("%s: %s", (_vendor, message, code) => {
    expect(classify({ status: 400, message, ...(code === undefined ? {} : { code }) })).toEqual({
      kind: "context-overflow",
    });
    expect(classify({ message, ...(code === undefined ? {} : { code }) }).kind).toBe("context-overflow");
  });

  it("413 says so by itself", () => {
    expect(classify({ status: 413, message: "" })).toEqual({ kind: "context-overflow" });
  });

  it.each([
    [429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000."],
    [429, "Rate limit reached for gpt-4o: too many tokens per minute."],
    [429, "Number of request tokens has exceeded your per-minute rate limit"],
    [429, "Too many tokens, please wait before trying again."],
    [400, "ThrottlingException: Too many tokens, please wait before trying again."],
    [400, "Tokens per day limit reached: the input is too long for what remains of it"],
    [503, "Too many requests: input tokens per second exceeded"],
    [400, "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens"],
    [400, "messages.1.content.0: `tool_use` ids must be unique"],
    [400, "Invalid value for 'temperature': maximum is 2"],
    [500, "Internal server error"],
  ])("%i %s: is something else", (status, message) => {
    expect(classify({ status, message }).kind).not.toBe("context-overflow");
  });
});

describe("F2 what waiting cannot heal", () => {
  it.each([
    [{ status: 429, code: "insufficient_quota", message: "You exceeded your current quota" }, "billing"],
    [{ status: 402, message: "" }, "billing"],
    [{ status: 400, message: "Your credit balance is too low to access the API." }, "billing"],
    [{ status: 429, message: "You exceeded your current quota, please check your plan." }, "billing"],
    [{ status: 403, message: "Insufficient balance" }, "billing"],
  ] as const)("%j", (told, kind) => {
    expect(classify(told).kind).toBe(kind);
  });

  it("a limit per day is told from one per minute", () => {
    expect(classify({ status: 429, message: "Rate limit: free-models-per-day" })).toEqual({
      kind: "rate-limit",
      retryable: false,
    });
    expect(
      classify({ status: 429, message: "You exceeded your current quota, retry in 20s", retryAfterMs: 20_000 }),
    ).toEqual({ kind: "rate-limit" });
  });
});

describe("what else a failure means", () => {
  it.each([
    [{ code: "overloaded_error", message: "Overloaded" }, "overloaded"],
    [{ status: 529, message: "" }, "overloaded"],
    [{ status: 502, message: "Provider returned error" }, "overloaded"],
    [{ message: "something went wrong" }, "overloaded"],
    [{ code: "RESOURCE_EXHAUSTED", message: "" }, "rate-limit"],
    [{ code: "rate_limit_error", message: "" }, "rate-limit"],
    [{ status: 401, message: "" }, "auth"],
    [{ status: 403, message: "" }, "auth"],
    [{ status: 400, message: "Incorrect API key provided." }, "auth"],
    [{ code: "permission_error", message: "" }, "auth"],
    [{ status: 404, message: "" }, "not-found"],
    [{ status: 400, message: "The model `x` does not exist" }, "not-found"],
    [{ status: 400, code: "content_filter", message: "" }, "refused"],
    [{ status: 403, message: "Your input was flagged by moderation" }, "refused"],
    [{ status: 400, message: "tools.0: unknown field" }, "bad-request"],
    [{ status: 422, message: "" }, "bad-request"],
    [{ code: "invalid_request_error", message: "bad" }, "bad-request"],
  ] as const)("%j is %s", (told, kind) => {
    expect(classify(told).kind).toBe(kind);
  });
});
