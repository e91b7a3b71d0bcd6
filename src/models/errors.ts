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
  const { fact, advice } = sayingOf(verdict.kind, verdict.retryable, told.status, target);
  return new ModelError(verdict.kind, fact, {
    advice,
    words: quote(message),
    ...(told.status === undefined ? {} : { status: told.status }),
    ...(more.requestId === undefined ? {} : { requestId: more.requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(verdict.retryable === undefined ? {} : { retryable: verdict.retryable }),
    raw: message,
  });
}

function sayingOf(
  kind: ModelErrorKind,
  retryable: boolean | undefined,
  code: number | undefined,
  { provider, model, baseUrl }: Target,
): { fact: string; advice: string } {
  const status = code === undefined ? "" : ` (${code})`;
  switch (kind) {
    case "rate-limit":
      return retryable === false
        ? {
            fact: `The daily limit of ${provider} is used up${status}`,
            advice: "wait until it is renewed or choose another model",
          }
        : { fact: `${provider} asks to slow down${status}`, advice: "wait a moment or choose another model" };
    case "overloaded":
      return {
        fact: `${provider} failed on its side or is overloaded${status}`,
        advice: "try again in a moment or choose another model",
      };
    case "auth":
      return {
        fact: `${provider} did not accept the credentials${status}`,
        advice: `check the API key for ${provider} and what it may use`,
      };
    case "billing":
      return {
        fact: `The account at ${provider} has no credit or quota left${status}`,
        advice: "add credit there or choose another model",
      };
    case "context-overflow":
      return {
        fact: `The conversation is too long for ${model}${status}`,
        advice: "compact it or choose a model with a larger context window",
      };
    case "refused":
      return {
        fact: `${provider} blocked the request because of its content${status}`,
        advice: "change the prompt or choose another model",
      };
    case "not-found":
      return {
        fact: `${provider} has no model "${model}" at ${baseUrl}${status}`,
        advice: "check the model's name and the base URL",
      };
    default:
      return {
        fact: `${provider} refused the request${status}`,
        advice: "change the model, the thinking level or the last message",
      };
  }
}

/** Nothing in a terminal, a log or a session shows the key, even where a provider echoes it. */
function withoutKey(text: string, target: Target): string {
  return target.apiKey && target.apiKey.length >= 8 ? text.replaceAll(target.apiKey, "[key]") : text;
}

/** The connection ended, in order, before the wire's terminal event. */
export function incompleteError(target: Target): ModelError {
  return new ModelError("incomplete", `The answer of ${target.provider} ended in the middle`, { advice: "try again" });
}

/** An event that cannot be read, so that nothing after it can be trusted. */
export function brokenEventError(target: Target, data: string): ModelError {
  return new ModelError("incomplete", `${target.provider} sent a broken piece in the middle of the answer`, {
    advice: "try again",
    raw: data,
  });
}

/** A stop reason that no version of the wire known to us has: the text is kept, nothing is run. */
export function unknownStopError(target: Target, reason: string): ModelError {
  return new ModelError(
    "bad-request",
    `${target.provider} stopped for a reason that is not known here ("${quote(reason, 60)}")`,
    { advice: "no tool was run, ask it to go on or choose another model", raw: reason },
  );
}

/** @param ms how long nothing came */
export function stalledError(target: Target, ms: number, first: boolean): ModelError {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return new ModelError(
    "stalled",
    first
      ? `${target.provider} did not begin to answer within ${seconds} s`
      : `${target.provider} sent nothing more for ${seconds} s`,
    { advice: "try again or choose another model" },
  );
}

/** A status of 200 with something that is no stream of this wire. */
export function notAnApiError(target: Target, body: string, status: number): ModelError {
  return new ModelError("not-an-api", `What answers at ${target.baseUrl} is no model API`, {
    advice: "check the base URL and any proxy or login page between",
    words: quote(withoutKey(body, target)),
    status,
    raw: withoutKey(body, target),
  });
}

/** @param location where the server pointed to; never followed, because the key would go there too */
export function redirectError(target: Target, status: number, location: string): ModelError {
  return new ModelError(
    "not-an-api",
    `${target.baseUrl} points to another address (${quote(withoutKey(location, target), 200) || "not named"})`,
    { advice: "if you trust it, set it as the base URL", status },
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
    return new ModelError("stalled", `${target.provider} sent nothing for too long`, {
      ...details,
      advice: "try again or choose another model",
    });
  }
  if (codes.some((code) => TLS.test(code))) {
    return new ModelError("network", `The certificate of ${at} is not trusted (${why})`, {
      ...details,
      advice: "for a company's own certificate set NODE_EXTRA_CA_CERTS",
      retryable: false,
    });
  }
  if (has("ECONNREFUSED")) {
    return new ModelError("network", `Nothing answers at ${at} (${why})`, {
      ...details,
      advice: "start the server or check the base URL",
    });
  }
  if (has("ENOTFOUND") || has("EAI_AGAIN")) {
    return new ModelError("network", `The address ${at} cannot be found (${why})`, {
      ...details,
      advice: "check the base URL and the network",
    });
  }
  if (begun)
    return new ModelError("network", `The connection to ${target.provider} broke during the answer (${why})`, {
      ...details,
      advice: "try again",
    });
  return new ModelError("network", `${at} cannot be reached (${why})`, {
    ...details,
    advice: "check the network, a proxy or the base URL",
  });
}
