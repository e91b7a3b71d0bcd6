import { describe, expect, it } from "vitest";
import { FlushScheduler } from "../../../src/modes/interactive/store/flush.js";
import { FakeClock } from "../../support/fake-clock.js";

describe("when the screen follows the stream", () => {
  it("at the first delta at once, then once in 33 ms, and with no timer left when nothing comes", async () => {
    const clock = new FakeClock();
    let frames = 0;
    const flush = new FlushScheduler(clock, 33, () => frames++);
    flush.soon();
    expect(frames).toBe(1);
    for (let ms = 0; ms < 1000; ms++) {
      flush.soon();
      await clock.advance(1);
    }
    expect(frames).toBeGreaterThan(28);
    expect(frames).toBeLessThanOrEqual(31);
    await clock.advance(100);
    expect(clock.waiting).toBe(0);
  });

  it("at once on demand, which replaces the frame that waited", async () => {
    const clock = new FakeClock();
    let frames = 0;
    const flush = new FlushScheduler(clock, 33, () => frames++);
    flush.now();
    flush.soon();
    flush.now();
    await clock.advance(100);
    expect(frames).toBe(2);
  });

  it("not while the terminal has not taken the last one", async () => {
    const clock = new FakeClock();
    let frames = 0;
    let blocked = true;
    const flush = new FlushScheduler(
      clock,
      33,
      () => frames++,
      () => blocked,
    );
    flush.soon();
    await clock.advance(500);
    expect(frames).toBe(0);
    blocked = false;
    await clock.advance(40);
    expect(frames).toBe(1);
  });
});
