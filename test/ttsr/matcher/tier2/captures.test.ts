/** Groups in look-arounds that are referred to from outside of them. */
import { afterEach, describe, expect, it } from "vitest";
import type { MatcherSet } from "../../../../src/ttsr/matcher/index.js";
import { settle } from "../../../../src/ttsr/matcher/settle.js";
import { parseTrigger } from "../../../../src/ttsr/matcher/source.js";
import { setOf, verdictOf } from "../verdict.js";

const LIMITS = { worker: { msPerTest: 2_000, msPerStream: 60_000, bufferUnits: 262_144 } };

let set: MatcherSet | undefined;
afterEach(() => set?.dispose());

describe("limits of the worker", () => {
  it("that are not given are the usual ones: what computes for ever is given up", async () => {
    set = setOf(["(a+)+\\1$"], { worker: { bufferUnits: 4_096 } });
    expect(await verdictOf(set, [`${"a".repeat(300)}!`])).toBe("silent");
    expect(set.diagnostics.map(({ code }) => code)).toContain("timed-out");
  });
});

describe("TTSR-4.2 a reference to what a look-around captured", () => {
  const rest = " and more text than the pattern can take";

  it.each([
    ["(?<=(['\"]))foo\\1", `'foo'${rest}`, "5 unit"],
    ["(?<=(['\"]))foo\\1", `'foo"${rest}`, "silent"],
    ["(?<=(a)\\b|(b))c\\1", `acabc${rest}`, `${5 + rest.length} end`],
    ["(?=(a|ab))\\1c", `xac${rest}`, `${3 + rest.length} end`],
    ["(?=(a|ab))\\1c", `xabc${rest}`, "silent"],
    ["(?=(x))\\1y|_", `a_b${rest}`, `${3 + rest.length} end`],
  ])("%s on %s", async (pattern, text, verdict) => {
    set = setOf(pattern, LIMITS);
    const { source, flags } = parseTrigger(pattern);
    expect(verdict !== "silent").toBe(new RegExp(source, flags).test(text));
    for (const pieces of [[text], text.split(""), [text.slice(0, 4), text.slice(4)]])
      expect(await verdictOf(set, pieces)).toBe(verdict);
  });

  it("is final where it stands behind, and no edge has a say in it", () => {
    const never = (pattern: string): boolean => settle(parseTrigger(pattern)) === "(?!)";
    expect(["(?<=(a+))b\\1", "(?<=^(a))b\\1", "(?<=(?<!(x))y(a))b\\2"].map(never)).toEqual([false, false, false]);
    expect(["(?=(a+))\\1", "(?<=(a\\b))b\\1", "(?=x(?<=(a)))\\1", "(?<=(a)(?!b))c\\1"].map(never)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});
