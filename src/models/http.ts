/** Carries any wire over `fetch`: one request, its answer as groups of parts. */
import type { Clock, ModelRequest, ModelStream, StreamPart } from "../agent/ports.js";
import { incompleteError, networkError, notAnApiError, redirectError, stalledError, toldError } from "./errors.js";
import { fields, number, parseObject } from "./json.js";
import { retryAfterHeader } from "./retry-after.js";
import { createSseReader } from "./sse.js";
import { type Timeouts, Watchdog } from "./watchdog.js";
import type { ModelTarget, Wire, WireDecoder, WireEvent } from "./wire.js";

export interface HttpDeps {
  fetch: typeof globalThis.fetch;
  clock: Clock;
  timeouts: Timeouts;
}

/** Characters of an error body that are read. */
const BODY_LIMIT = 65_536;
/** How long a finished answer may take to close in order, so that the connection serves the next request too. Milliseconds. */
const CLOSING_MS = 250;

/**
 * @returns the model behind `target`, spoken to over `wire`. `stream` keeps the promises of `ModelStream`: failures are one `error` part;
 *   after the abort the socket closes at once and nothing more comes, whatever was buffered; a group holds the parts of one network chunk.
 */
export function createHttpModel(wire: Wire, target: ModelTarget, deps: HttpDeps): ModelStream {
  return {
    provider: target.provider,
    model: target.model,
    wire: wire.id,
    contextWindow: target.contextWindow,
    stream: (request, signal) => stream(wire, target, deps, request, signal),
  };
}

async function* stream(
  wire: Wire,
  target: ModelTarget,
  deps: HttpDeps,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart[], void> {
  if (signal.aborted) return;
  const socket = new AbortController();
  const closeSocket = (): void => socket.abort();
  signal.addEventListener("abort", closeSocket);
  const watchdog = new Watchdog(deps.clock, deps.timeouts, signal);
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let finished = false;
  try {
    const { url, headers, body: content } = wire.buildRequest(request, target);
    const answered = deps.fetch(url, {
      method: "POST",
      headers: oneOfEach(headers),
      body: JSON.stringify(content),
      signal: socket.signal,
      redirect: "manual",
    });
    const response = await watchdog.wait(answered);
    if (response.done !== "work") {
      // A `fetch` that does not heed its signal may still answer later.
      answered.then((late) => late.body?.cancel()).catch(ignoreAfterClose);
      if (response.done === "stalled") yield [{ type: "error", error: stalledError(target, response.ms, true) }];
      if (response.done === "failed") yield [{ type: "error", error: networkError(response.error, target, false) }];
      return;
    }
    body = response.value.body?.getReader();
    for await (const group of read(wire, target, deps, response.value, body, watchdog)) {
      finished = group.some((part) => part.type === "finish");
      yield group;
      if (signal.aborted) return;
    }
  } catch (error) {
    if (!signal.aborted) yield [{ type: "error", error: networkError(error, target, body !== undefined) }];
  } finally {
    watchdog.close();
    if (finished && body && !signal.aborted) {
      closeInOrder(body, deps.clock, closeSocket);
    } else {
      socket.abort();
      body?.cancel().catch(ignoreAfterClose);
    }
    signal.removeEventListener("abort", closeSocket);
  }
}

async function* read(
  wire: Wire,
  target: ModelTarget,
  deps: HttpDeps,
  response: Response,
  body: ReadableStreamDefaultReader<Uint8Array> | undefined,
  watchdog: Watchdog,
): AsyncGenerator<StreamPart[], void> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    yield [{ type: "error", error: redirectError(target, status, headers.get("location") ?? "") }];
    return;
  }
  if (!response.ok || /\bhtml\b/i.test(headers.get("content-type") ?? "")) {
    const text = await readText(body, watchdog);
    if (text === undefined) return;
    yield [{ type: "error", error: bodyError(wire, target, response, text, deps.clock) }];
    return;
  }

  const sse = createSseReader();
  const decoder = wire.createDecoder(target);
  let events = 0;
  while (body) {
    const chunk = await watchdog.wait(body.read());
    if (chunk.done === "aborted") return;
    if (chunk.done === "stalled") {
      yield [{ type: "error", error: stalledError(target, chunk.ms, watchdog.first) }];
      return;
    }
    if (chunk.done === "failed") {
      yield [{ type: "error", error: networkError(chunk.error, target, true) }];
      return;
    }
    if (chunk.value.done) break;
    const framed = sse.push(chunk.value.value);
    events += framed.length;
    const group = decodeAll(decoder, framed);
    if (group.some(isProgress)) watchdog.progress();
    if (group.length > 0) yield group;
    if (group.some(isLast)) return;
  }

  const framed = sse.end();
  const unframed = sse.unframed();
  if (events + framed.length === 0 && unframed.trim() !== "") {
    yield [{ type: "error", error: bodyError(wire, target, response, unframed, deps.clock) }];
    return;
  }
  const group = decodeAll(decoder, framed);
  if (!group.some(isLast)) group.push(...decoder.end(unframed));
  if (!group.some(isLast)) group.push({ type: "error", error: incompleteError(target) });
  yield group;
}

/** Names are the same in any case; `fetch` would send both values in one line. @returns the later one of each */
function oneOfEach(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** @returns the parts up to and with the last one that the stream may have */
function decodeAll(decoder: WireDecoder, events: readonly WireEvent[]): StreamPart[] {
  const group: StreamPart[] = [];
  for (const event of events) {
    for (const part of decoder.push(event)) {
      group.push(part);
      if (isLast(part)) return group;
    }
  }
  return group;
}

function isLast(part: StreamPart): boolean {
  return part.type === "finish" || part.type === "error";
}

function isProgress(part: StreamPart): boolean {
  return part.type !== "warning" && part.type !== "usage";
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

/** A body that is no event stream: an error with its status, or a page where an API should be. */
function bodyError(wire: Wire, target: ModelTarget, response: Response, body: string, clock: Clock) {
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

/** Reads on until the server closes, so that the connection can be used again; closes it when that takes too long. */
function closeInOrder(body: ReadableStreamDefaultReader<Uint8Array>, clock: Clock, closeSocket: () => void): void {
  const cancelTimer = clock.after(CLOSING_MS, closeSocket);
  const drain = async (): Promise<void> => {
    while (!(await body.read()).done);
  };
  drain().catch(ignoreAfterClose).finally(cancelTimer);
}

/** The answer is over and told; that its connection then broke or was closed by us changes nothing. */
function ignoreAfterClose(): null {
  return null;
}
