import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settle } from "../../../src/ttsr/matcher/settle.js";
import { parseTrigger } from "../../../src/ttsr/matcher/source.js";
import { bodies, flags, texts } from "./patterns.js";

function compiles(pattern: string): boolean {
  try {
    return parseTrigger(pattern).source !== "";
  } catch {
    return false;
  }
}

describe("TTSR-4.2 the settling rewrite, against RegExp", () => {
  it("holds only where no continuation can undo it, and goes on to hold", () => {
    let judged = 0;
    fc.assert(
      fc.property(flags, bodies, texts, texts, (flag, body, text, continuation) => {
        const pattern = flag + body;
        if (!compiles(pattern)) return;
        judged++;
        const { source, flags: own } = parseTrigger(pattern);
        const original = new RegExp(source, own);
        const settled = new RegExp(settle(parseTrigger(pattern)), own);
        const prefixes = Array.from({ length: text.length + 1 }, (_, k) => text.slice(0, k));
        const first = prefixes.findIndex((prefix) => settled.test(prefix));

        // monotone and sound
        for (const [k, prefix] of prefixes.entries()) {
          if (first >= 0 && k >= first) {
            expect(settled.test(prefix), `monotone at ${k}`).toBe(true);
            expect(original.test(prefix + continuation), `sound at ${k}`).toBe(true);
          }
        }
        // the earliest there is, where nothing looks to the right
        if (!/[$\\]b|\\B|\$|\(\?[=!]|\(\?<|\\1/.test(body)) {
          expect(first).toBe(prefixes.findIndex((prefix) => original.test(prefix)));
        }
      }),
      { numRuns: 6000 },
    );
    expect(judged).toBeGreaterThan(500);
  });
});
