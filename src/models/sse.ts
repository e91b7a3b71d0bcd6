/** Server-sent events out of bytes. */
import { createParser } from "eventsource-parser";
import type { WireEvent } from "./wire.js";

/** Characters of text outside of any event that are kept: enough for an error body or the head of a page. */
const UNFRAMED_LIMIT = 65_536;
/** The parser searches each line to the end of what it is given, so long chunks are given in pieces. */
const PIECE = 4096;

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
  let lines: string[] = [];
  let kept = 0;
  const parser = createParser({
    onEvent({ event, data }) {
      events.push({ event, data });
      lines = [];
      kept = 0;
    },
    onError(error) {
      if (error.type !== "unknown-field" || error.line === undefined || kept > UNFRAMED_LIMIT) return;
      const line = error.line.slice(0, UNFRAMED_LIMIT);
      lines.push(line);
      kept += line.length;
    },
  });

  function feed(text: string): WireEvent[] {
    for (let at = 0; at < text.length; at += PIECE) parser.feed(text.slice(at, at + PIECE));
    if (events.length === 0) return events;
    const complete = events;
    events = [];
    return complete;
  }

  return {
    push: (bytes) => feed(utf8.decode(bytes, { stream: true })),
    end: () => feed(`${utf8.decode()}\n\n`),
    unframed: () => lines.join("\n"),
  };
}
