/** Makes the failures of models: one plain sentence each, with what the user can do. */
import { ModelError, type ModelErrorKind } from "../agent/errors.js";
import { classify, type Told } from "./classify.js";
import { wellFormed } from "./json.js";
import { retryAfterIn } from "./retry-after.js";
import type { ModelTarget } from "./wire.js";

type Target = Pick<ModelTarget, "provider" | "model" | "baseUrl" | "apiKey">;

/** The provider's words in one line, without control characters, at most `max` characters. */
export function quote(text: string, max = 200): string {
  const line = wellFormed(text)
    .replace(
      /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g,
      " ",
    )
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max).join("")}…`;
}

/**
 * A failure that the provider told, over HTTP or in the stream.
 * @param more what the transport knows beside it: the request id, the wait asked for by the headers
 */
export function toldError(
  told: Told,
  target: Target,
  more: { requestId?: string; retryAfterMs?: number } = {},
): ModelError {
  const message = withoutKey(told.message, target);
  const waits = [told.retryAfterMs, more.retryAfterMs, retryAfterIn(message)].filter((ms) => ms !== undefined);
  const retryAfterMs = waits.length > 0 ? Math.max(...waits) : undefined;
  const verdict = classify({ ...told, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  return new ModelError(verdict.kind, sentenceFor(verdict.kind, verdict.retryable, { ...told, message }, target), {
    ...(told.status === undefined ? {} : { status: told.status }),
    ...(more.requestId === undefined ? {} : { requestId: more.requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(verdict.retryable === undefined ? {} : { retryable: verdict.retryable }),
    raw: message,
  });
}

function sentenceFor(kind: ModelErrorKind, retryable: boolean | undefined, told: Told, target: Target): string {
  const { provider, model } = target;
  const status = told.status === undefined ? "" : ` (${told.status})`;
  const words = told.message.trim() === "" ? "" : `: ${quote(told.message)}`;
  switch (kind) {
    case "rate-limit":
      return retryable === false
        ? `The daily limit of ${provider} is used up${status}; wait until it is renewed or choose another model${words}`
        : `${provider} asks to slow down${status}; wait a moment or choose another model${words}`;
    case "overloaded":
      return `${provider} failed on its side or is overloaded${status}; try again in a moment or choose another model${words}`;
    case "auth":
      return `${provider} did not accept the credentials${status}; check the API key for ${provider} and what it may use${words}`;
    case "billing":
      return `The account at ${provider} has no credit or quota left${status}; add credit there or choose another model${words}`;
    case "context-overflow":
      return `The conversation is too long for ${model}${status}; compact it or choose a model with a larger context window${words}`;
    case "refused":
      return `${provider} blocked the request because of its content${status}; change the prompt or choose another model${words}`;
    case "not-found":
      return `${provider} has no model "${model}" at ${target.baseUrl}${status}; check the model's name and the base URL${words}`;
    default:
      return `${provider} refused the request${status}; change the model, the thinking level or the last message${words}`;
  }
}

/** Nothing in a terminal, a log or a session shows the key, even where a provider echoes it. */
function withoutKey(text: string, target: Target): string {
  return target.apiKey && target.apiKey.length >= 8 ? text.replaceAll(target.apiKey, "[key]") : text;
}

/** The connection ended, in order, before the wire's terminal event. */
export function incompleteError(target: Target): ModelError {
  return new ModelError("incomplete", `The answer of ${target.provider} ended in the middle; try again.`);
}

/** An event that cannot be read, so that nothing after it can be trusted. */
export function brokenEventError(target: Target, data: string): ModelError {
  return new ModelError(
    "incomplete",
    `${target.provider} sent a broken piece in the middle of the answer; try again.`,
    {
      raw: data,
    },
  );
}

/** A stop reason that no version of the wire known to us has: the text is kept, nothing is run. */
export function unknownStopError(target: Target, reason: string): ModelError {
  return new ModelError(
    "bad-request",
    `${target.provider} stopped for a reason that is not known here ("${quote(reason, 60)}"); no tool was run, ask it to go on or choose another model.`,
    { raw: reason },
  );
}

/** @param ms how long nothing came */
export function stalledError(target: Target, ms: number, first: boolean): ModelError {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return new ModelError(
    "stalled",
    first
      ? `${target.provider} did not begin to answer within ${seconds} s; try again or choose another model.`
      : `${target.provider} sent nothing more for ${seconds} s; try again or choose another model.`,
  );
}

/** A status of 200 with something that is no stream of this wire. */
export function notAnApiError(target: Target, body: string, status: number): ModelError {
  return new ModelError(
    "not-an-api",
    `What answers at ${target.baseUrl} is no model API; check the base URL and any proxy or login page between. It says: ${quote(withoutKey(body, target))}`,
    { status, raw: withoutKey(body, target) },
  );
}

/** @param location where the server pointed to; never followed, because the key would go there too */
export function redirectError(target: Target, status: number, location: string): ModelError {
  return new ModelError(
    "not-an-api",
    `${target.baseUrl} points to another address (${quote(withoutKey(location, target), 200) || "not named"}); if you trust it, set it as the base URL.`,
    { status },
  );
}

interface Cause {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** Every code and message along a chain of causes, also of an `AggregateError` (one for each address tried). */
function causesOf(error: unknown, depth = 0): { code: string; message: string }[] {
  if (typeof error !== "object" || error === null || depth > 5) return [];
  const { code, message, cause, errors } = error as Cause;
  const own = { code: typeof code === "string" ? code : "", message: typeof message === "string" ? message : "" };
  const below = (Array.isArray(errors) ? errors : []).flatMap((each: unknown) => causesOf(each, depth + 1));
  return [...causesOf(cause, depth + 1), ...below, own];
}

const TLS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;
const TIMEOUTS = /UND_ERR_(?:HEADERS|BODY)_TIMEOUT/;

/**
 * A failure of the connection.
 * @param begun whether the answer had begun
 */
export function networkError(error: unknown, target: Target, begun: boolean): ModelError {
  const causes = causesOf(error);
  const codes = causes.map(({ code }) => code);
  const has = (code: string): boolean => codes.includes(code);
  const named = causes.filter(({ code, message }) => code !== "" && code !== "ERR_INVALID_STATE" && message !== "");
  const why = quote(
    [
      ...new Set((named.length > 0 ? named : causes).map(({ message, code }) => withoutKey(message || code, target))),
    ].join("; "),
    300,
  );
  const at = target.baseUrl;
  const details = { raw: why, cause: error };
  if (codes.some((code) => TIMEOUTS.test(code))) {
    return new ModelError(
      "stalled",
      `${target.provider} sent nothing for too long; try again or choose another model.`,
      details,
    );
  }
  if (codes.some((code) => TLS.test(code))) {
    return new ModelError(
      "network",
      `The certificate of ${at} is not trusted (${why}); for a company's own certificate set NODE_EXTRA_CA_CERTS.`,
      { ...details, retryable: false },
    );
  }
  if (has("ECONNREFUSED")) {
    return new ModelError(
      "network",
      `Nothing answers at ${at} (${why}); start the server or check the base URL.`,
      details,
    );
  }
  if (has("ENOTFOUND") || has("EAI_AGAIN")) {
    return new ModelError(
      "network",
      `The address ${at} cannot be found (${why}); check the base URL and the network.`,
      details,
    );
  }
  if (begun)
    return new ModelError(
      "network",
      `The connection to ${target.provider} broke during the answer (${why}); try again.`,
      details,
    );
  return new ModelError(
    "network",
    `${at} cannot be reached (${why}); check the network, a proxy or the base URL.`,
    details,
  );
}
