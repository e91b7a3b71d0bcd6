import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchStart } from "../../../src/ttsr/matcher/index.js";
import { settle } from "../../../src/ttsr/matcher/settle.js";
import { parseTrigger } from "../../../src/ttsr/matcher/source.js";
import { bodies, flags, texts } from "./patterns.js";

const whole = (text: string) => ({ text, whole: true });
const part = (text: string) => ({ text, whole: false });

describe("the start of a match", () => {
  it.each([
    ["eval\\(", "const x = eval(", "unit", 10],
    ["a+b", "xaaab", "unit", 1],
    ["--force(?!-with-lease)", "git push --force origin ma", "unit", 9],
    ["\\bany\\b", "company: any", "end", 9],
    ["\\bany\\b", "company: any;", "unit", 9],
    ["(?<!tri)eval", "retrieval eval", "unit", 10],
    ["(?<=x(?=y).)z", "xyz", "unit", 2],
    ["(?i)todo", "a TODO", "unit", 2],
    ["(?m)^b", "a\nb", "unit", 2],
    ["b(?!7[^\\s\\S])", "xb7", "unit", 1],
    ["foo$", "a foo", "end", 2],
    ["(?:ab){2,3}c", "abababc", "unit", 0],
    ["[\\ud83d][\\ude00-\\ude4f]", "hi \u{1F600}", "unit", 3],
  ] as const)("%s in %j", (pattern, text, by, start) => {
    expect(matchStart(pattern, whole(text), by)).toBe(start);
  });

  it("the beginning of a part of a text is not the beginning of the text", () => {
    expect(matchStart("^b", part("b"), "unit")).toBe("none");
    expect(matchStart("\\bb", part("ab"), "unit")).toBe("none");
    expect(matchStart("\\bb", part("-b"), "unit")).toBe(1);
    expect(matchStart("(?m)^b", part("\nb"), "unit")).toBe(1);
  });

  it.each(["(a+)+$", "(.*)*x", "(x+x+)+y", "(\\w+\\s?)*!$", "(?=(a+)+$)a", "(?<!(a+)+b)c", "(?:a?){50}a{50}b"])(
    "%s stalls nothing",
    (pattern) => {
      const text = `${"ay".repeat(500)}${"a".repeat(3095)}?`;
      expect(["none", "unknown"]).toContain(matchStart(pattern, whole(text), "end"));
    },
  );

  it("is not known for back-references and for patterns above the limit", () => {
    expect(matchStart("(a)\\1", whole("aa"), "unit")).toBe("unknown");
    expect(matchStart("(?:a{100}){100}", whole("aa"), "unit")).toBe("unknown");
  });

  it("is the engine's: for whole texts, and for what has settled", () => {
    let judged = 0;
    fc.assert(
      fc.property(flags, bodies, texts, (flag, body, text) => {
        const pattern = flag + body;
        let parsed: ReturnType<typeof parseTrigger>;
        try {
          parsed = parseTrigger(pattern);
        } catch {
          return;
        }
        const found = matchStart(pattern, whole(text), "end");
        if (found === "unknown") return;
        judged++;
        const start = new RegExp(parsed.source, parsed.flags).exec(text)?.index ?? "none";
        expect(found).toBe(start);
        // The rewriting settles no earlier than is right, so what it finds is found here as well, there or further left.
        const settled = new RegExp(settle(parsed), parsed.flags).exec(text)?.index;
        if (settled !== undefined) expect(matchStart(pattern, whole(text), "unit")).toBeLessThanOrEqual(settled);
      }),
      { numRuns: 6000 },
    );
    expect(judged).toBeGreaterThan(500);
  });
});
