/** A request as HTTP of this wire: Anthropic's Messages API, version 2023-06-01. */
import type { Json } from "../../agent/messages.js";
import type { ModelRequest, ToolSpec } from "../../agent/ports.js";
import { type JsonObject, wellFormedJson } from "../json.js";
import { outputLimit } from "../output-limit.js";
import type { ModelTarget, WireRequest } from "../wire.js";
import { mayThinkOn, type WireMessage, wireMessages } from "./history.js";
import { thinkingFields } from "./thinking.js";

/** The API wants a limit; this one holds for every model that is still served. Tokens. */
const DEFAULT_MAX_TOKENS = 8192;

const CACHE = { type: "ephemeral" } as const;

export function buildRequest(request: ModelRequest, target: ModelTarget): WireRequest {
  const maxTokens = outputLimit(request, target) ?? DEFAULT_MAX_TOKENS;
  const messages = wireMessages(request.messages, target);
  const asked = thinkingFields(request.thinking, target, maxTokens);
  const thinking = asked.thinking?.["type"] === "enabled" && !mayThinkOn(messages) ? {} : asked;
  markLastUserMessage(messages);
  const body = {
    model: target.model,
    max_tokens: maxTokens,
    stream: true,
    ...thinking,
    ...(request.tools.length > 0 ? { tools: wireTools(request.tools, target) } : {}),
    ...(request.system.trim() === "" ? {} : { system: [{ type: "text", text: request.system, cache_control: CACHE }] }),
    messages: messages as unknown as Json,
  };
  return {
    url: `${target.baseUrl}/messages`,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      "anthropic-version": "2023-06-01",
      ...(target.apiKey ? { "x-api-key": target.apiKey } : {}),
      ...target.headers,
    },
    body: wellFormedJson(body) as JsonObject,
  };
}

/** By name, so that the cached prefix does not depend on the order in which tools were found. */
function wireTools(tools: readonly ToolSpec[], target: ModelTarget): JsonObject[] {
  // Without it the server holds an argument back until it is whole, and a stream rule would see it late. Others may refuse the field.
  const eager = /^https:\/\/api\.anthropic\.com(?:\/|$)/.test(target.baseUrl) || target.provider === "anthropic";
  const wired: JsonObject[] = [...tools]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.parameters,
      ...(eager ? { eager_input_streaming: true } : {}),
    }));
  const last = wired.at(-1);
  if (last) wired[wired.length - 1] = { ...last, cache_control: CACHE };
  return wired;
}

/** All up to it is read from the cache by the next request. */
function markLastUserMessage(messages: WireMessage[]): void {
  const content = messages.findLast((message) => message.role === "user")?.content;
  const block = content?.at(-1);
  if (content && block) content[content.length - 1] = { ...block, cache_control: CACHE };
}
