/** Anthropic's Messages API, and the servers that speak it. */
import type { Wire } from "../wire.js";
import { AnthropicDecoder, readError } from "./decode.js";
import { buildRequest } from "./request.js";

export const wire: Wire = {
  id: "anthropic-messages",
  buildRequest,
  createDecoder: (target) => new AnthropicDecoder(target),
  readError,
};
