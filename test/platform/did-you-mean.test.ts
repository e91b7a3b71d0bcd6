import { describe, expect, it } from "vitest";
import { didYouMean } from "../../src/platform/did-you-mean.js";

describe("didYouMean", () => {
  const keys = ["contextMode", "interruptMode", "instead", "scope", "globs"];
  it.each([
    ["contextmode", "contextMode"],
    ["context_mode", "contextMode"],
    ["contxetMode", "contextMode"],
    ["glob", "globs"],
    ["scpoe", "scope"],
    ["inted", undefined],
    ["xyzzy", undefined],
    ["", undefined],
    ["x".repeat(100_000), undefined],
  ])("%.20s → %s", (word, meant) => expect(didYouMean(word, keys)).toBe(meant));

  it("takes the beginning of a name for it, where nothing is nearer", () => {
    expect(didYouMean("warn", ["info", "warning", "error"])).toBe("warning");
    expect(didYouMean("err", ["info", "warning", "error"])).toBe(undefined);
  });

  it("finds the nearest, and a dotted name by its last part", () => {
    expect(didYouMean("cat", ["cart", "cut", "cats"])).toBe("cart");
    expect(didYouMean("no-sudo", ["no-todo", "sh/no-sudo"])).toBe("sh/no-sudo");
    expect(didYouMean("retryDelayMs", ["ttsr.enabled", "ttsr.retryDelayMs"])).toBe("ttsr.retryDelayMs");
    expect(didYouMean("ttsr.retryDelay", ["ttsr.enabled", "ttsr.retryDelayMs"])).toBe("ttsr.retryDelayMs");
  });
});
