/** Puts an encoded answer on the socket, cut up and broken off as the answer says. */
import type { ServerResponse } from "node:http";
import { streamError } from "./failures.js";
import type { LoggedRequest } from "./log.js";
import { monotonicMs } from "./log.js";
import type { ServedEvent } from "./pieces.js";
import type { Answer } from "./script.js";

function frame(event: ServedEvent, answer: Answer): string {
  const end = answer.crlf ? "\r\n" : "\n";
  const comment = answer.comments ? `: keep-alive${end}${end}` : "";
  const name = event.event === undefined ? "" : `event: ${event.event}${end}`;
  return `${comment}${name}data: ${event.data}${end}${end}`;
}

/** @returns false when the client has gone */
function write(response: ServerResponse, bytes: Buffer | string): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = (): void => resolve(false);
    response.once("close", gone);
    response.write(bytes, (error) => {
      response.off("close", gone);
      resolve(!error);
    });
  });
}

async function writeText(response: ServerResponse, text: string, answer: Answer): Promise<boolean> {
  if (answer.splitBytes === undefined) return write(response, text);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += answer.splitBytes) {
    if (!(await write(response, bytes.subarray(at, at + answer.splitBytes)))) return false;
  }
  return true;
}

/** Waits, but not for a client that has gone. */
export function pause(response: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      response.off("close", over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    response.once("close", over);
  });
}

/** Waits for the promise, but not for a client that has gone. */
function whileHeld(response: ServerResponse, until: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once("close", resolve);
    void until.then(() => {
      response.off("close", resolve);
      resolve();
    });
  });
}

type Ending = "end" | "cut" | "stall" | "error";

/** @returns what happens before the event with this number (from 0), if anything */
function endingAt(answer: Answer, count: number): Ending | undefined {
  if (count === answer.errorAfter) return "error";
  if (count === answer.cutAfter) return "cut";
  if (count === answer.endAfter) return "end";
  if (count === answer.stallAfter) return "stall";
  return undefined;
}

async function finish(response: ServerResponse, how: Ending, entry: LoggedRequest): Promise<void> {
  if (how === "stall" || response.destroyed) return;
  if (how === "cut") {
    // What was written must reach the client first: it is the connection that breaks, not the text before.
    await new Promise((resolve) => setImmediate(resolve));
    if (response.destroyed) return;
    entry.cutByServer = true;
    response.socket?.destroy();
    return;
  }
  response.end();
}

/** Sends events until they end, an ending comes up, or the client goes. */
export async function sendStream(
  response: ServerResponse,
  events: Iterable<ServedEvent>,
  answer: Answer,
  entry: LoggedRequest,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...answer.headers,
  });
  response.flushHeaders();
  const burst: string[] = [];
  let ending: Ending = "end";

  const put = async (event: ServedEvent): Promise<boolean> => {
    const text = frame(event, answer);
    const at = monotonicMs();
    entry.firstEventAt ??= at;
    // Before the write: the client may answer to an event before its write has called back.
    entry.eventTimes.push(at);
    if (answer.burst) burst.push(text);
    else if (!(await writeText(response, text, answer))) return false;
    entry.eventsWritten++;
    return true;
  };

  let stopped = false;
  for (const event of events) {
    const due = endingAt(answer, entry.eventsWritten);
    if (due) {
      ending = due;
      stopped = true;
      break;
    }
    const held = answer.before?.(entry.eventsWritten);
    if (held) await whileHeld(response, held);
    if (!(await put(event))) return;
    if (answer.gapMs) await pause(response, answer.gapMs);
    // A write that the socket takes at once answers in the same turn of the loop; without this a client in the same process starves.
    else if (!answer.burst && entry.eventsWritten % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (!stopped) ending = endingAt(answer, entry.eventsWritten) ?? "end";
  if (ending === "error" && !(await put(streamError(entry.wire)))) return;
  if (burst.length > 0 && !(await writeText(response, burst.join(""), answer))) return;
  await finish(response, ending, entry);
}
