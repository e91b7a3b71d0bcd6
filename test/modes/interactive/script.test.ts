import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ScriptPlayer } from "../../../src/modes/interactive/script.js";
import { FaceHarness } from "./face-harness.js";
import { CUT_RUN } from "./fake-session.js";

let face: FaceHarness;
let player: ScriptPlayer;
let skipped: number;
function play(fast = false): void {
  player = new ScriptPlayer({ prompt: "make it work", fast, skip: () => skipped++ }, face.face, face.clock);
  player.start();
}
beforeEach(() => {
  face = new FaceHarness();
  skipped = 0;
});
afterEach(() => {
  player.stop();
  face.dispose();
});

describe("the demo", () => {
  it("types its prompt by itself, and sends it", async () => {
    play();
    await face.clock.advance(900);
    expect(face.frame).toMatch(/› make/);
    expect(face.session.prompts).toEqual([]);
    await face.clock.advance(2000);
    expect(face.session.prompts.map(({ text }) => text)).toEqual(["make it work"]);
    expect(face.clock.waiting).toBe(0);
  });

  it("finishes its sentence at the first key, which does nothing else; later keys skip a wait and mean what they mean", async () => {
    play();
    await face.clock.advance(800);
    expect(player.key()).toBe(true);
    expect(face.session.prompts.map(({ text }) => text)).toEqual(["make it work"]);
    expect(player.key()).toBe(false);
    expect(skipped).toBe(1);
  });
});

describe("when nothing happens", () => {
  it("no timer runs; while the model works there is one, of eight a second", async () => {
    play(true);
    // The draft is saved a moment after the last key.
    await face.clock.advance(1000);
    expect(face.clock.waiting).toBe(0);
    face.session.emit(...CUT_RUN.before.slice(0, 3));
    const { tick } = face.face.store.state.status;
    await face.clock.advance(1000);
    expect(face.face.store.state.status.tick - tick).toBe(8);
    expect(face.frame).toContain("working 1 s");
    face.session.emit({ type: "agent_end", status: "ok", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } });
    await face.clock.advance(1000);
    expect(face.clock.waiting).toBe(0);
  });
});
