import { describe, expect, it } from "vitest";
import type { AssistantBlock } from "../../src/agent/messages.js";
import { rewindPoint } from "../../src/ttsr/rewind.js";
import type { LaneInfo, TtsrMatch } from "../../src/ttsr/types.js";
import { match, rule } from "../support/rules.js";

const text = (words: string): AssistantBlock => ({ type: "text", text: words });
const call: AssistantBlock = { type: "toolCall", id: "c1", name: "write", arguments: {} };
const at = (source: LaneInfo["source"], contentIndex: number, start: number): TtsrMatch =>
  match(rule("no-eval"), { lane: { source, contentIndex }, start, end: start + 5 });

describe("TTSR-6.4 where an answer is taken back to", () => {
  it.each([
    ["the start of the match's line", "one\ntwo eval(", 8, 4],
    ["a match at the start of a line", "one\neval(", 4, 4],
    ["CRLF", "one\r\ntwo eval(", 9, 5],
    ["the first line", "eval(", 0, 0],
    ["a match that runs over lines counts where it begins", "one\ntwo\nthree", 5, 4],
    ["a match that begins with the end of a line", "one\ntwo\nthree", 3, 0],
    ["behind an empty line", "\neval(", 1, 1],
  ])("%s", (_, words, start, offset) => {
    expect(rewindPoint([at("text", 0, start)], [text(words)])).toEqual({ block: 0, offset });
  });

  it("thinking and calls are taken back whole", () => {
    const thinking: AssistantBlock = { type: "thinking", thinking: "one\ntwo eval(", signature: "s" };
    expect(rewindPoint([at("thinking", 0, 8)], [thinking])).toEqual({ block: 0, offset: 0 });
    expect(rewindPoint([at("tool", 1, 8)], [text("a\nb"), call])).toEqual({ block: 1, offset: 0 });
  });

  it("of a batch the earliest match counts, by block and then by place", () => {
    const content = [text("one\ntwo\nthree"), text("four")];
    const batch = [at("text", 1, 2), at("text", 0, 9), at("text", 0, 5)];
    expect(rewindPoint(batch, content)).toEqual({ block: 0, offset: 4 });
  });
});
