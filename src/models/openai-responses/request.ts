import type { Json } from "../../agent/messages.js";
import type { ModelRequest, ToolSpec } from "../../agent/ports.js";
import { effortFor, thinks } from "../effort.js";
import { outputLimit } from "../output-limit.js";
import type { ModelTarget, WireRequest } from "../wire.js";
import { inputItems } from "./history.js";

/** Longest `prompt_cache_key` that the API takes. */
const LONGEST_CACHE_KEY = 64;

/**
 * `POST {baseUrl}/responses`. Nothing is stored at the provider: the whole conversation is sent each time, reasoning in its encrypted
 * form.
 */
export function buildRequest(request: ModelRequest, target: ModelTarget): WireRequest {
  const limit = outputLimit(request, target);
  const tools = functionTools(request.tools);
  return {
    url: `${target.baseUrl}/responses`,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(target.apiKey ? { authorization: `Bearer ${target.apiKey}` } : {}),
      ...target.headers,
    },
    body: {
      model: target.model,
      ...(request.system ? { instructions: request.system } : {}),
      input: inputItems(request.messages, target),
      ...(tools.length > 0 ? { tools, parallel_tool_calls: true } : {}),
      ...reasoning(request, target),
      ...(limit ? { max_output_tokens: limit } : {}),
      ...(request.conversationId ? { prompt_cache_key: request.conversationId.slice(0, LONGEST_CACHE_KEY) } : {}),
      store: false,
      stream: true,
    },
  };
}

/** Sorted, so that the same tools are the same bytes. `strict` would forbid optional arguments. */
function functionTools(tools: readonly ToolSpec[]): Json[] {
  return [...tools]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ name, description, parameters }) => ({ type: "function", name, description, parameters, strict: false }));
}

function reasoning(request: ModelRequest, target: ModelTarget): Record<string, Json> {
  if (!thinks(target)) return {};
  const effort = effortFor(request.thinking, target.model);
  const summary = request.thinking === "off" ? {} : { summary: "auto" };
  return {
    ...(effort ? { reasoning: { effort, ...summary } } : {}),
    include: ["reasoning.encrypted_content"],
  };
}
