/** Errors in the shapes in which the vendors send them. */
import type { ServedEvent } from "./pieces.js";
import { json } from "./pieces.js";
import type { ServedWire } from "./script.js";

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};
const GEMINI_STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
};

/** @returns the body of an HTTP error; `message` defaults to one that names the status */
export function errorBody(wire: ServedWire, status: number, message = `scripted failure ${status}`): object {
  switch (wire) {
    case "anthropic-messages":
      return { type: "error", error: { type: ANTHROPIC_TYPES[status] ?? "api_error", message }, request_id: "req_1" };
    case "gemini":
      return { error: { code: status, message, status: GEMINI_STATUS[status] ?? "UNAVAILABLE", details: [] } };
    default:
      return {
        error: { message, type: status === 429 ? "requests" : "invalid_request_error", param: null, code: null },
      };
  }
}

/** @returns the 400 body with which the wire's vendor says that the prompt is too long */
export function overflowBody(wire: ServedWire): object {
  switch (wire) {
    case "anthropic-messages":
      return errorBody(wire, 400, "prompt is too long: 205000 tokens > 200000 maximum");
    case "gemini":
      return errorBody(
        wire,
        400,
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      );
    default: {
      const message =
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.";
      return { error: { message, type: "invalid_request_error", param: "messages", code: "context_length_exceeded" } };
    }
  }
}

/** @returns the error event of a stream that had begun well */
export function streamError(wire: ServedWire): ServedEvent {
  switch (wire) {
    case "anthropic-messages":
      return json({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "error");
    case "openai-chat":
      return json({ error: { message: "scripted failure in the stream", type: "server_error", code: 502 } });
    case "openai-responses":
      return json(
        {
          type: "error",
          sequence_number: 99,
          code: "server_error",
          message: "scripted failure in the stream",
          param: null,
        },
        "error",
      );
    case "gemini":
      return json({ error: { code: 503, message: "scripted failure in the stream", status: "UNAVAILABLE" } });
  }
}
