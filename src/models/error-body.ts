/** An answer that is no event stream: an error with its status, a redirect, or a page where an API should be. */
import type { ModelError } from "../agent/errors.js";
import type { Clock } from "../agent/ports.js";
import { notAnApiError, redirectError, toldError } from "./errors.js";
import { fields, number, parseObject } from "./json.js";
import { retryAfterHeader } from "./retry-after.js";
import type { Watchdog } from "./watchdog.js";
import type { ModelTarget, Wire } from "./wire.js";

/** Characters of an error body that are read. */
const BODY_LIMIT = 65_536;

/** @returns why this answer is no stream at all; undefined where it is one, or the signal aborted */
export async function refusal(
  wire: Wire,
  target: ModelTarget,
  response: Response,
  body: ReadableStreamDefaultReader<Uint8Array> | undefined,
  watchdog: Watchdog,
  clock: Clock,
): Promise<ModelError | undefined> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) return redirectError(target, status, headers.get("location") ?? "");
  if (response.ok && !/\bhtml\b/i.test(headers.get("content-type") ?? "")) return undefined;
  const text = await readText(body, watchdog);
  return text === undefined ? undefined : bodyError(wire, target, response, text, clock);
}

/** @returns the head of the body; undefined if the signal aborted */
async function readText(
  body: ReadableStreamDefaultReader<Uint8Array> | undefined,
  watchdog: Watchdog,
): Promise<string | undefined> {
  const utf8 = new TextDecoder("utf-8");
  let text = "";
  while (body && text.length < BODY_LIMIT) {
    const chunk = await watchdog.wait(body.read());
    if (chunk.done === "aborted") return undefined;
    // The status says enough: what came of the body is used.
    if (chunk.done !== "work" || chunk.value.done) break;
    text += utf8.decode(chunk.value.value, { stream: true });
  }
  return (text + utf8.decode()).slice(0, BODY_LIMIT);
}

const REQUEST_ID_HEADERS = [
  "request-id",
  "x-request-id",
  "apim-request-id",
  "x-amzn-requestid",
  "x-goog-request-id",
  "cf-ray",
];

/** @returns what a body says that is no event stream */
export function bodyError(wire: Wire, target: ModelTarget, response: Response, body: string, clock: Clock): ModelError {
  const { headers } = response;
  const told = wire.readError(body);
  const page = /^\s*</.test(body) || (/\bhtml\b/i.test(headers.get("content-type") ?? "") && told === undefined);
  if (response.ok && (page || (told?.code === undefined && told?.message === undefined))) {
    return notAnApiError(target, body, response.status);
  }
  const requestId = REQUEST_ID_HEADERS.map((name) => headers.get(name)).find((id) => id);
  const asked = retryAfterHeader(headers, clock.date());
  const status = response.ok ? statusIn(body) : response.status;
  return toldError(
    {
      ...(status === undefined ? {} : { status }),
      ...(told?.code === undefined ? {} : { code: told.code }),
      message: told?.message ?? (page ? titleOf(body) : body),
      ...(told?.retryAfterMs === undefined ? {} : { retryAfterMs: told.retryAfterMs }),
    },
    target,
    { ...(requestId ? { requestId } : {}), ...(asked === undefined ? {} : { retryAfterMs: asked }) },
  );
}

/** The status that an error body names when the answer itself came with 200. */
function statusIn(body: string): number | undefined {
  const whole = parseObject(body);
  const code = number(fields(whole?.["error"])["code"]) ?? number(whole?.["code"]);
  return code !== undefined && code >= 400 && code < 600 ? code : undefined;
}

/** A proxy's or firewall's page says in its title what it is. */
function titleOf(page: string): string {
  return /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1] ?? page;
}
