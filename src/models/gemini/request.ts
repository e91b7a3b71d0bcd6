import type { Json } from "../../agent/messages.js";
import type { ModelRequest, ToolSpec } from "../../agent/ports.js";
import { objectOf } from "../json.js";
import { outputLimit } from "../output-limit.js";
import type { ModelTarget, WireRequest } from "../wire.js";
import { contentsOf } from "./history.js";
import { generation, thinkingConfig } from "./thinking.js";

/** `POST {baseUrl}/models/{model}:streamGenerateContent?alt=sse`. The key is a header: addresses end up in logs. */
export function buildRequest(request: ModelRequest, target: ModelTarget): WireRequest {
  const limit = outputLimit(request, target);
  const thinking = thinkingConfig(request.thinking, target);
  const generationConfig = {
    ...(limit ? { maxOutputTokens: limit } : {}),
    ...(thinking ? { thinkingConfig: thinking } : {}),
  };
  const functionDeclarations = declarations(request.tools);
  return {
    url: `${target.baseUrl}/models/${encodeURIComponent(target.model.replace(/^models\//, ""))}:streamGenerateContent?alt=sse`,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(target.apiKey ? { "x-goog-api-key": target.apiKey } : {}),
      ...target.headers,
    },
    body: {
      ...(request.system ? { systemInstruction: { parts: [{ text: request.system }] } } : {}),
      contents: contentsOf(request.messages, target),
      ...(functionDeclarations.length > 0 ? { tools: [{ functionDeclarations }], ...toolConfig(target) } : {}),
      ...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
    },
  };
}

/** Sorted, so that the same tools are the same bytes. */
function declarations(tools: readonly ToolSpec[]): Json[] {
  return [...tools]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ name, description, parameters }) => ({ name, description, ...schema(parameters) }));
}

/** A schema without properties is refused; such a tool is declared without one. `$schema` only costs tokens. */
function schema(parameters: Json): Record<string, Json> {
  const { $schema: _, ...rest } = objectOf(parameters) ?? {};
  const properties = objectOf(rest["properties"]);
  return properties && Object.keys(properties).length > 0 ? { parametersJsonSchema: rest } : {};
}

/** Only Vertex AI sends arguments while they are written, and only if asked. Elsewhere the field is refused. */
function toolConfig(target: ModelTarget): Record<string, Json> {
  const streams = /\baiplatform\.googleapis\.com\b/.test(target.baseUrl) && (generation(target.model) ?? 0) >= 3;
  return streams ? { toolConfig: { functionCallingConfig: { mode: "AUTO", streamFunctionCallArguments: true } } } : {};
}
