import type { IncomingHttpHeaders } from "node:http";
import type { NeutralRequest } from "./read-request.js";
import type { ServedWire } from "./script.js";

/** Milliseconds of the machine's monotonic clock: comparable between processes of one machine. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What the server saw of one request. Grows while it is answered. */
export interface LoggedRequest {
  /** From 0, in order of arrival. */
  readonly index: number;
  readonly wire: ServedWire;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: Record<string, unknown>;
  /** The model that was asked for, from the body or, for gemini, the path. */
  readonly model: string;
  /** `monotonicMs()` when the body had arrived whole. */
  readonly arrivedAt: number;
  /** The body in words that are the same for all wires. */
  neutral(): NeutralRequest;

  /** Events handed to the socket so far; a burst counts all its events. */
  eventsWritten: number;
  firstEventAt: number | undefined;
  /** `monotonicMs()` of each event handed to the socket. */
  readonly eventTimes: number[];
  /** The client closed the connection before the answer was whole. Neither the script's own cut nor `close()` counts. */
  closedEarly: boolean;
  /** The script broke the connection off (`cutAfter`). */
  cutByServer: boolean;
  closedAt: number | undefined;
  /** Resolves when the response is over, one way or the other. */
  readonly done: Promise<void>;
}
