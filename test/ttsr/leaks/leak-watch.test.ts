import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../../src/agent/ports.js";
import { LeakWatch, type PlacedLeak } from "../../../src/ttsr/leaks/leak-watch.js";
import { LEAK_PATTERNS } from "../../../src/ttsr/leaks/patterns.js";
import { compileTriggers } from "../../../src/ttsr/matcher/index.js";
import { cuts } from "../helpers.js";
import { FIRING, SILENT } from "./corpus.js";

type Found = PlacedLeak | undefined;

/** @param end how the block ends: with a part of its own, or only with the answer */
function leakOf(pieces: readonly string[], end: "block_end" | "finish" = "block_end"): Found {
  const watch = new LeakWatch();
  watch.open();
  const last: StreamPart =
    end === "block_end"
      ? { type: "block_end", index: 0 }
      : {
          type: "finish",
          reason: "stop",
          rawReason: "stop",
          usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        };
  const parts: StreamPart[] = [
    { type: "text_start", index: 0 },
    ...pieces.map((text): StreamPart => ({ type: "text_delta", index: 0, text })),
    last,
  ];
  for (const part of parts) {
    const leak = watch.inspect(part);
    if (leak) return leak;
  }
  return undefined;
}

describe("C76 a control token of the chat template leaks into prose", () => {
  it("every pattern is decided at each character", () => {
    const set = compileTriggers(LEAK_PATTERNS.map((pattern, index) => ({ ruleId: `${index}`, pattern, index })));
    expect(set.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const slow = LEAK_PATTERNS.filter((_, index) => set.tierOf(`${index}`) !== 1);
    expect(slow).toEqual([]);
  });

  it.each(FIRING)("fires: %j", (text, token) => {
    const whole = leakOf([text]);
    expect(whole?.token).toBe(token);
    expect(leakOf([text], "finish")).toEqual(whole);
    for (const pieces of cuts(text)) expect(leakOf(pieces), JSON.stringify(pieces)).toEqual(whole);
  });

  it.each(SILENT)("is silent: %j", (text) => {
    for (const pieces of [...cuts(text), [text]]) expect(leakOf(pieces), JSON.stringify(pieces)).toBeUndefined();
  });

  it.each([
    ["in plain prose", ""],
    ["in prose that has begun with what may begin one", "a <b> [NONE] to=m c\n"],
  ])("far behind in a long text: %s", (_, begin) => {
    const text = `${begin}${"All is well. ".repeat(25_000)}Done.<|im_end|>`;
    const pieces = text.match(/[\s\S]{1,777}/g) ?? [];
    expect(leakOf(pieces)).toEqual({ token: "<|im_end|>", end: text.length });
    expect(leakOf([text])).toEqual({ token: "<|im_end|>", end: text.length });
    expect(leakOf([text.replace("Done.<", "Done: <")])).toBeUndefined();
  });

  it("nothing joins across blocks, attempts and a restart of the answer", () => {
    const watch = new LeakWatch();
    const text = (index: number, words: string) => watch.inspect({ type: "text_delta", index, text: words });
    expect(text(0, "Done.<|im_")).toBeUndefined();
    expect(text(1, "end|>")).toBeUndefined();
    watch.open();
    expect(text(0, "end|> Done.<|im_")).toBeUndefined();
    watch.inspect({ type: "start" });
    expect(text(0, "end|> Done.<|im_")).toBeUndefined();
    expect(text(0, "end|>")).toMatchObject({ token: "<|im_end|>" });
  });
});
