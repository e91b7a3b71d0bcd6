/** The `generateContent` API of Google: Gemini API and Vertex AI. */
import type { Wire } from "../wire.js";
import { createDecoder } from "./decode.js";
import { readError } from "./errors.js";
import { buildRequest } from "./request.js";

export const wire: Wire = { id: "gemini", buildRequest, createDecoder, readError };
