import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseReader } from "../../src/models/sse.js";
import type { WireEvent } from "../../src/models/wire.js";
import { anyCharacter } from "../support/any-character.js";

interface Told {
  events: WireEvent[];
  unframed: string;
}

/** @param cuts lengths of the pieces in which the bytes come; the rest comes as one */
function read(bytes: Uint8Array, cuts: readonly number[] = []): Told {
  const reader = createSseReader();
  const events: WireEvent[] = [];
  let at = 0;
  for (const cut of cuts) {
    events.push(...reader.push(bytes.subarray(at, at + cut)));
    at += cut;
  }
  events.push(...reader.push(bytes.subarray(at)), ...reader.end());
  return { events, unframed: reader.unframed() };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The format's own rules, line by line over the whole text. */
function plainly(text: string): Told {
  const told: Told = { events: [], unframed: "" };
  let strays: string[] = [];
  let data: string[] = [];
  let event: string | undefined;
  const whole = `${text.replace(/^\uFEFF/, "")}\n\n`;
  for (const line of whole.split(/\r\n|\n|\r/)) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) {
        told.events.push({ event: event || undefined, data: data.join("\n") });
        strays = [];
      }
      data = [];
      event = undefined;
    } else if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field !== "" && field !== "id" && field !== "retry") strays.push(line);
  }
  return { ...told, unframed: strays.join("\n") };
}

const lineText = fc.oneof(
  fc.constantFrom(
    "data",
    "event",
    "data:",
    "data: ",
    "data:  two",
    "event: ping",
    "event:",
    ": comment",
    "id: 7",
    "id",
  ),
  fc.constantFrom("retry: x", "database: no", "events: no", '{"error":"bare"}', "<html>", " data: indented", ""),
  fc.string({ unit: anyCharacter, maxLength: 12 }).map((text) => `data: ${text.replaceAll(/[\r\n\uFEFF]/g, "")}`),
);
const stream = fc
  .array(fc.tuple(lineText, fc.constantFrom("\n", "\r\n", "\r", "\n\n", "\r\n\r\n")), { maxLength: 20 })
  .map((lines) => lines.map(([line, end]) => line + end).join(""));

describe("server-sent events", () => {
  it("any text in any cutting gives what the format says", () => {
    fc.assert(
      fc.property(
        stream,
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
        fc.boolean(),
        (text, cuts, mark) => {
          const whole = mark ? `\uFEFF${text}` : text;
          expect(read(bytes(whole), cuts)).toEqual(plainly(whole));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("one byte at a time: nothing is lost, also inside of characters", () => {
    const sent = bytes("event: a\r\ndata: grüße 👋\r\ndata:two\r\n\r\ndata: last");
    const events = [
      { event: "a", data: "grüße 👋\ntwo" },
      { event: undefined, data: "last" },
    ];
    expect(read(sent, new Array(sent.length).fill(1)).events).toEqual(events);
  });

  it("an event is told with its last line end, without waiting for what follows", () => {
    const reader = createSseReader();
    expect(reader.push(bytes("data: 1\r\n\r"))).toEqual([{ event: undefined, data: "1" }]);
    expect(reader.push(bytes("\ndata: 2\n\n"))).toEqual([{ event: undefined, data: "2" }]);
  });

  it("text outside of events is kept, up to a limit, and forgotten with the next event", () => {
    expect(read(bytes('{"error": {\n"message": "no"}}')).unframed).toBe('{"error": {\n"message": "no"}}');
    expect(read(bytes("<p>\ndata: 1\n\n")).unframed).toBe("");
    expect(read(bytes(`${"x".repeat(100_000)}\n${"y".repeat(100)}\n`)).unframed).toHaveLength(65_536);
  });
});
