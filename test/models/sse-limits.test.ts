import { describe, expect, it } from "vitest";
import { createSseReader } from "../../src/models/sse.js";

const utf8 = new TextEncoder();

describe("server-sent events of any length", () => {
  it("reads a line of 16 MB in time that grows with its length, whatever its pieces", () => {
    const data = "x".repeat(16 * 1024 * 1024);
    const sse = createSseReader();
    const events = [];
    const bytes = utf8.encode(`data: ${data}\n\ndata: y\r\n\r\ndata: z\r\r`);
    for (let at = 0; at < bytes.length; at += 1000) events.push(...sse.push(bytes.subarray(at, at + 1000)));
    events.push(...sse.end());
    expect(events.map((event) => event.data.length)).toEqual([data.length, 1, 1]);
    expect(sse.overflowed).toBe(false);
  });

  it("gives the same events however the bytes are cut, line ends included", () => {
    const bytes = utf8.encode("event: a\r\ndata: ü\r\ndata: 2\r\n\r\n: ping\n\ndata: 3\r\rdata: 4\n\nloose\n");
    const whole = createSseReader();
    const expected = [...whole.push(bytes), ...whole.end()];
    expect(expected.map(({ data }) => data)).toEqual(["ü\n2", "3", "4"]);
    for (let size = 1; size <= bytes.length; size++) {
      const sse = createSseReader();
      const events = [];
      for (let at = 0; at < bytes.length; at += size) events.push(...sse.push(bytes.subarray(at, at + size)));
      events.push(...sse.end());
      expect({ size, events }).toEqual({ size, events: expected });
      expect(sse.unframed()).toBe("loose");
    }
  });

  it("gives up on an event that never ends, in one line or in many", () => {
    for (const piece of ["x".repeat(1024 * 1024), `data: ${"x".repeat(1017)}\n`.repeat(1024)]) {
      const sse = createSseReader();
      let pieces = 0;
      while (!sse.overflowed && pieces < 100) {
        sse.push(utf8.encode(piece));
        pieces++;
      }
      expect(pieces).toBe(33);
    }
  });

  it("does not count what came before the last event", () => {
    const sse = createSseReader();
    const megabyte = utf8.encode(`data: ${"x".repeat(1024 * 1024)}\n\n`);
    for (let n = 0; n < 40; n++) expect(sse.push(megabyte)).toHaveLength(1);
    expect(sse.overflowed).toBe(false);
  });
});
