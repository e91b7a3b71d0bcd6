import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import type { TermInput } from "../../../src/modes/interactive/term/key-parser.js";
import { type InputStream, StdinSource } from "../../../src/modes/interactive/term/stdin-source.js";
import { FakeClock } from "../../support/fake-clock.js";

class FakeInput extends EventEmitter {
  raw: boolean[] = [];
  setRawMode(on: boolean): this {
    this.raw.push(on);
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
}

let stream: FakeInput;
let clock: FakeClock;
let inputs: TermInput[];
let closed: number;
let source: StdinSource;
const names = (): string[] =>
  inputs.map((input) =>
    input.type === "key" ? input.name : `${input.type}:${input.type === "paste" ? input.text : ""}`,
  );

beforeEach(() => {
  stream = new FakeInput();
  clock = new FakeClock();
  inputs = [];
  closed = 0;
  source = new StdinSource(
    stream as unknown as InputStream,
    clock,
    (some) => inputs.push(...some),
    () => closed++,
  );
  source.start();
});

describe("the keyboard", () => {
  it("waits 50 ms before a lone ESC is Escape, and no longer for a torn sequence", async () => {
    stream.emit("data", Buffer.from("\u001b"));
    await clock.advance(49);
    expect(names()).toEqual([]);
    await clock.advance(1);
    expect(names()).toEqual(["escape"]);
    stream.emit("data", Buffer.from("\u001b"));
    await clock.advance(30);
    stream.emit("data", Buffer.from("[A"));
    await clock.advance(100);
    expect(names()).toEqual(["escape", "up"]);
    expect(clock.waiting).toBe(0);
  });

  it("types nothing of an answer, and sends nothing of a paste, whose beginning comes 900 ms before the rest", async () => {
    for (const [begin, rest] of [
      ["\u001b[>84;", "0;0c"],
      ["\u001b]11;rgb:00", "00/0000/0000\u0007"],
      ["\u001b[20", "0~a\rb\r\u001b[201~"],
    ] as const) {
      stream.emit("data", Buffer.from(begin));
      await clock.advance(900);
      stream.emit("data", Buffer.from(rest));
    }
    expect(inputs).toEqual([
      { type: "reply", sequence: "[>84;0;0c" },
      { type: "reply", sequence: "]11;rgb:0000/0000/0000\u0007" },
      { type: "paste", text: "a\nb\n" },
    ]);
    stream.emit("data", Buffer.from("\u001b[>84;"));
    await clock.advance(1_000);
    stream.emit("data", Buffer.from("c"));
    expect(names().at(-1)).toBe("c");
  });

  it("joins a character that is cut between two reads", () => {
    const bytes = Buffer.from("é🙂");
    for (const byte of bytes) stream.emit("data", Buffer.from([byte]));
    expect(names()).toEqual(["é", "🙂"]);
  });

  it("takes several typed lines in one read as a paste, but a line with its Enter as typed", () => {
    stream.emit("data", Buffer.from("first line\rsecond line\r"));
    expect(names()).toEqual(["paste:first line\nsecond line\n"]);
    inputs.length = 0;
    stream.emit("data", Buffer.from("hi there\r"));
    expect(names().at(-1)).toBe("enter");
  });

  it("gives out a paste whose end never comes", async () => {
    stream.emit("data", Buffer.from("\u001b[200~half"));
    await clock.advance(30_000);
    expect(names()).toEqual(["paste:half"]);
  });

  it("says when the terminal is gone, and gives the raw mode back when stopped", () => {
    stream.emit("end");
    expect(closed).toBe(1);
    source.stop();
    expect(stream.raw).toEqual([true, false]);
    stream.emit("data", Buffer.from("x"));
    expect(inputs).toEqual([]);
  });
});
