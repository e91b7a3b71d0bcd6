/** OpenAI's Chat Completions API and the many servers that speak a dialect of it. */
import type { Wire } from "../wire.js";
import { ChatDecoder } from "./decode.js";
import { readError } from "./errors.js";
import { buildRequest } from "./request.js";

export const wire: Wire = {
  id: "openai-chat",
  buildRequest,
  createDecoder: (target) => new ChatDecoder(target),
  readError,
};
