/**
 * Server-sent events out of bytes, by the stream format of the HTML standard (§9.2.6). `id` and `retry` mean nothing here: no wire resumes.
 * Own code, because every delta passes it: compiling and running a general parser (eventsource-parser 3.0.6) was about 5 µs of user CPU a delta.
 */
import type { WireEvent } from "./wire.js";

/** Characters of text outside of any event that are kept: enough for an error body or the head of a page. */
const UNFRAMED_LIMIT = 65_536;

export interface SseReader {
  /** @returns the events that these bytes complete */
  push(bytes: Uint8Array): WireEvent[];
  /** The bytes have ended. @returns a last event that no blank line closed */
  end(): WireEvent[];
  /** The lines after the last event that belong to none, where some servers put an error as bare JSON or a page as HTML. */
  unframed(): string;
}

/** @returns a reader for one response; any way of cutting the same bytes gives the same events */
export function createSseReader(): SseReader {
  const utf8 = new TextDecoder("utf-8");
  let events: WireEvent[] = [];
  /** The event so far. */
  let name = "";
  let data: string | undefined;
  /** The beginning of a line whose end has not come. */
  let begun = "";
  /** The last character was a carriage return: a line feed that follows belongs to it. */
  let afterReturn = false;
  let strays: string[] = [];
  let kept = 0;

  function feed(text: string): WireEvent[] {
    if (text === "") return [];
    events = [];
    const rest = afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    afterReturn = text.endsWith("\r");
    const lines = rest.includes("\r") ? rest.split(/\r\n|\r|\n/) : rest.split("\n");
    const last = lines.pop() ?? "";
    if (lines.length === 0) begun += last;
    else {
      lines[0] = begun + lines[0];
      begun = last;
      // Not a loop: that is compiled anew for every long chunk, with all that it calls.
      lines.forEach(line);
    }
    return events;
  }

  function line(text: string): void {
    if (text === "") dispatch();
    else if (text.startsWith("data:")) {
      const value = fieldValue(text, 5);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (text.startsWith("event:")) name = fieldValue(text, 6);
    else otherLine(text);
  }

  function dispatch(): void {
    if (data !== undefined) {
      events.push({ event: name === "" ? undefined : name, data });
      data = undefined;
      if (kept > 0) {
        strays = [];
        kept = 0;
      }
    }
    name = "";
  }

  function otherLine(text: string): void {
    if (text === "data") data = data === undefined ? "" : `${data}\n`;
    else if (text === "event") name = "";
    else if (!/^(:|(id|retry)(:|$))/.test(text) && kept < UNFRAMED_LIMIT) {
      const stray = text.slice(0, UNFRAMED_LIMIT - kept);
      strays.push(stray);
      kept += stray.length;
    }
  }

  return {
    push: (bytes) => feed(utf8.decode(bytes, { stream: true })),
    end: () => feed(`${utf8.decode()}\n\n`),
    unframed: () => strays.join("\n"),
  };
}

/** One space behind the colon belongs to it. */
function fieldValue(text: string, at: number): string {
  return text.slice(text.charCodeAt(at) === 0x20 ? at + 1 : at);
}
