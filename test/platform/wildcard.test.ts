import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileWildcard } from "../../src/platform/wildcard.js";

/** What the pattern means, as a regular expression. */
function meant(pattern: string, ignoreCase: boolean): RegExp {
  const source = pattern
    .replaceAll(/[\\^$+.()|[\]{}?]/g, "\\$&")
    .replaceAll(/\*\*\/|\*+/g, (stars) => (stars === "**/" ? "(?:[^]*/)?" : "[^]*"));
  return new RegExp(`^${source}$`, ignoreCase ? "i" : "");
}

describe("patterns in which * stands for any text", () => {
  it("mean what they mean as regular expressions", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "A", "b", "/", ".", "ß", "K", "\u212a", "é", "É", "\n"),
      maxLength: 9,
    });
    const pattern = fc
      .array(fc.constantFrom("a", "B", "/", "*", "*", "**/", ".", "k", "É"), { maxLength: 7 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (pattern, text, ignoreCase) => {
        const fits = compileWildcard(pattern, { ignoreCase, folders: true });
        expect(fits(text)).toBe(meant(pattern, ignoreCase).test(text));
        if (!pattern.includes("**/")) expect(compileWildcard(pattern, { ignoreCase })(text)).toBe(fits(text));
      }),
      { numRuns: 3000 },
    );
  });

  it("cost no more than the text is long", () => {
    const text = "rm ".repeat(300_000);
    expect(compileWildcard("*rm*rm*rm*rm*rm*rm*x")(text)).toBe(false);
    expect(compileWildcard("**/rm*rm*rm*rm*x", { folders: true, ignoreCase: true })(text)).toBe(false);
  });
});
