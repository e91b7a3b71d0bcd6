/** What stands between the bytes of one answer and its parts: framing, the wire's decoder, and the ends that a stream may have. */
import type { ModelError } from "../agent/errors.js";
import type { Clock, StreamPart } from "../agent/ports.js";
import { bodyError } from "./error-body.js";
import { incompleteError, networkError, stalledError } from "./errors.js";
import { createSseReader } from "./sse.js";
import type { Waited, Watchdog } from "./watchdog.js";
import type { ModelTarget, Wire, WireDecoder, WireEvent } from "./wire.js";

/** What one read of a body gives. */
export type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/** One answer that is a stream: chunks in, groups of parts out. */
export class Answer {
  /** Whether the last part has been given. */
  ended = false;
  readonly #sse = createSseReader();
  readonly #decoder: WireDecoder;
  #events = 0;

  constructor(
    private readonly wire: Wire,
    private readonly target: ModelTarget,
    private readonly response: Response,
    private readonly clock: Clock,
  ) {
    this.#decoder = wire.createDecoder(target);
  }

  /** @returns the parts that this chunk completes, up to and with the last one that the stream may have */
  take(chunk: Exclude<Waited<Chunk>, { done: "aborted" }>, watchdog: Watchdog): StreamPart[] {
    const { target } = this;
    if (chunk.done === "stalled") return this.#fail(stalledError(target, chunk.ms, watchdog.first));
    if (chunk.done === "failed") return this.#fail(networkError(chunk.error, target, true));
    if (chunk.value.done) return this.#close();
    const group = this.#decode(this.#sse.push(chunk.value.value));
    if (group.some(isProgress)) watchdog.progress();
    return group;
  }

  #close(): StreamPart[] {
    const { wire, target, response, clock } = this;
    const group = this.#decode(this.#sse.end());
    const unframed = this.#sse.unframed();
    if (this.#events === 0 && unframed.trim() !== "")
      return this.#fail(bodyError(wire, target, response, unframed, clock));
    if (!this.ended) group.push(...this.#decoder.end(unframed));
    if (!isLast(group.at(-1))) group.push({ type: "error", error: incompleteError(target) });
    this.ended = true;
    return group;
  }

  #decode(events: readonly WireEvent[]): StreamPart[] {
    this.#events += events.length;
    const group: StreamPart[] = [];
    for (const event of events) {
      const parts = this.#decoder.push(event);
      group.push(...parts);
      this.ended = isLast(parts.at(-1));
      if (this.ended) break;
    }
    return group;
  }

  #fail(error: ModelError): StreamPart[] {
    this.ended = true;
    return [{ type: "error", error }];
  }
}

function isLast(part: StreamPart | undefined): boolean {
  return part?.type === "finish" || part?.type === "error";
}

function isProgress(part: StreamPart): boolean {
  return part.type !== "warning" && part.type !== "usage";
}
