import { describe, expect, it } from "vitest";
import { queueRows } from "../../../src/modes/interactive/rows/queue.js";
import { createTheme } from "../../../src/modes/interactive/theme.js";

const context = { columns: 40, theme: createTheme({ NO_COLOR: "1" }) } as Parameters<typeof queueRows>[2];

describe("what waits", () => {
  it("for the present tool comes first, as next; the others are queued", () => {
    expect(queueRows({ queue: ["stop that", "then this", "a\nb"], steering: 1 }, 5, context)).toEqual([
      "  next: stop that",
      "  queued: then this",
      expect.stringMatching(/^ {2}queued: a\s?b$/),
    ]);
  });

  it("is counted where it has no room", () => {
    const queue = ["one", "two", "three", "four"];
    expect(queueRows({ queue, steering: 0 }, 2, context)).toEqual(["  queued: one", "  3 more queued"]);
    expect(queueRows({ queue, steering: 0 }, 1, context)).toEqual(["  4 queued"]);
    expect(queueRows({ queue: [], steering: 0 }, 3, context)).toEqual([]);
  });
});
