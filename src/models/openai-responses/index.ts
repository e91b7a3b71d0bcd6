/** The Responses API of OpenAI, and servers that speak it. */
import type { Wire } from "../wire.js";
import { createDecoder } from "./decode.js";
import { readError } from "./errors.js";
import { buildRequest } from "./request.js";

export const wire: Wire = { id: "openai-responses", buildRequest, createDecoder, readError };
