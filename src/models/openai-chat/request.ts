/** A request as HTTP of this wire. */
import type { Json } from "../../agent/messages.js";
import type { ModelRequest, ToolSpec } from "../../agent/ports.js";
import { effortFor } from "../effort.js";
import { type JsonObject, wellFormedJson } from "../json.js";
import { outputLimit } from "../output-limit.js";
import type { ModelTarget, WireRequest } from "../wire.js";
import { type Dialect, dialectOf } from "./dialect.js";
import { wireMessages } from "./history.js";

export function buildRequest(request: ModelRequest, target: ModelTarget): WireRequest {
  const dialect = dialectOf(target);
  const limit = outputLimit(request, target);
  const body = {
    model: target.model,
    stream: true,
    ...(dialect.askUsage ? { stream_options: { include_usage: true } } : {}),
    ...(limit === undefined ? {} : { [dialect.limitField]: limit }),
    ...thinkingFields(request, target, dialect),
    ...(dialect.cacheKey && request.conversationId ? { prompt_cache_key: request.conversationId } : {}),
    ...(request.tools.length > 0 ? { tools: wireTools(request.tools) } : {}),
    messages: wireMessages(request, target, dialect) as unknown as Json,
  };
  return {
    url: `${target.baseUrl}/chat/completions`,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(target.apiKey ? { authorization: `Bearer ${target.apiKey}` } : {}),
      ...target.headers,
    },
    body: wellFormedJson(body) as JsonObject,
  };
}

/** By name, so that the cached prefix does not depend on the order in which tools were found. */
function wireTools(tools: readonly ToolSpec[]): JsonObject[] {
  return [...tools]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }));
}

/** What servers other than OpenAI's take, which check the word. */
const COMMON_EFFORTS: Readonly<Record<string, string>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
};

/** Asking a model that cannot think is an error at some servers, so it is asked only where we know. */
function thinkingFields(request: ModelRequest, target: ModelTarget, dialect: Dialect): JsonObject {
  const { thinking } = request;
  if (target.reasoning !== true || dialect.effort === "none") return {};
  const effort = effortFor(thinking, target.model);
  switch (dialect.effort) {
    case "reasoning_effort": {
      const asked = dialect.cacheKey ? effort : COMMON_EFFORTS[effort ?? ""];
      return asked === undefined ? {} : { reasoning_effort: asked };
    }
    case "thinking-type":
      return { thinking: { type: thinking === "off" ? "disabled" : "enabled" } };
    case "openrouter":
      // Off is not sent but where the family is known to take it: a model that always thinks refuses to be switched off.
      return effort === undefined ? {} : { reasoning: { effort } };
  }
}
