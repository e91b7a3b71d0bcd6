/** Carries any wire over `fetch`: one request, its answer as groups of parts. */
import type { Clock, ModelRequest, ModelStream, StreamPart } from "../agent/ports.js";
import { Answer, type Chunk } from "./answer.js";
import { refusal } from "./error-body.js";
import { networkError, stalledError } from "./errors.js";
import { type Timeouts, type Waited, Watchdog } from "./watchdog.js";
import type { ModelTarget, Wire } from "./wire.js";

export interface HttpDeps {
  fetch: typeof globalThis.fetch;
  clock: Clock;
  timeouts: Timeouts;
}

/** An answer without a body is an empty one. */
const NO_BODY: Waited<Chunk> = { done: "work", value: { done: true, value: undefined } };
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
    const refused = await refusal(wire, target, response.value, body, watchdog, deps.clock);
    if (signal.aborted) return;
    if (refused) {
      yield [{ type: "error", error: refused }];
      return;
    }
    const answer = new Answer(wire, target, response.value, deps.clock);
    while (!answer.ended) {
      const chunk = body ? await watchdog.wait(body.read()) : NO_BODY;
      if (chunk.done === "aborted") return;
      const group = answer.take(chunk, watchdog);
      finished = group.at(-1)?.type === "finish";
      if (group.length > 0) yield group;
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

/** Names are the same in any case; `fetch` would send both values in one line. @returns the later one of each */
function oneOfEach(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
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
