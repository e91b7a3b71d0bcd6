import { describe, expect, it } from "vitest";
import { compileTriggers } from "../../../src/ttsr/matcher/index.js";

const told = (pattern: string): string[] => {
  const set = compileTriggers([{ ruleId: "r", pattern, index: 0 }]);
  const state = set.has("r") ? "compiled" : "refused";
  return [state, ...set.diagnostics.map(({ code, severity }) => `${severity} ${code}`)];
};

describe("TTSR-4.3 what a trigger may be", () => {
  it.each([
    ["eval\\(", ["compiled"]],
    ["(?ims)a.b", ["compiled"]],
    [" lead and trail ", ["compiled"]],
    ["(unclosed", ["refused", "error syntax"]],
    ["a++", ["refused", "error syntax"]],
    ["**/*.ts", ["refused", "error syntax"]],
    ["(?x)a b", ["refused", "error unsupported-flag"]],
    ["(?iu)a", ["refused", "error unsupported-flag"]],
    ["a(?i:b)", ["refused", "error unsupported-flag"]],
    ["", ["refused", "error matches-empty"]],
    ["a*", ["refused", "error matches-empty"]],
    ["(?!foo)", ["refused", "error matches-empty"]],
    ["$", ["refused", "error matches-empty"]],
    ["^$", ["compiled", "warning matches-empty"]],
    ["[\\s\\S]", ["compiled", "warning matches-everything"]],
    ["\\p{Lu}x", ["compiled", "warning p-without-u"]],
    ["password[[:space:]]*=", ["compiled", "warning posix-class"]],
    ["\\Afoo", ["compiled", "warning foreign-anchor"]],
    ["foo\\Z", ["compiled", "warning foreign-anchor"]],
    ["\\\\bfoo", ["compiled", "warning doubled-backslash"]],
    ["/eval/i", ["compiled", "warning literal-slashes"]],
    ["src/*.ts", ["compiled", "warning glob-like"]],
  ])("%j", (pattern, expected) => {
    expect(told(pattern)).toEqual(expected);
  });

  it("gives the reason and the place", () => {
    const [first] = compileTriggers([{ ruleId: "r", pattern: "(?i)ab(", index: 3 }]).diagnostics;
    expect(first).toMatchObject({ ruleId: "r", index: 3, severity: "error", message: "Unterminated group." });
    expect(first?.span.end).toBe(7);
  });

  it("does not trim, and takes slashes literally", () => {
    const hits = (pattern: string, text: string): number =>
      compileTriggers([{ ruleId: "r", pattern, index: 0 }])
        .open(() => true)
        .feed(text).length;
    expect([hits("a ", "ab"), hits("a ", "a b"), hits("/x/", "x"), hits("/x/", "a/x/")]).toEqual([0, 1, 0, 1]);
  });

  it("a bad trigger leaves the others at work", () => {
    const set = compileTriggers([
      { ruleId: "a", pattern: "(", index: 0 },
      { ruleId: "a", pattern: "foo", index: 1 },
      { ruleId: "b", pattern: "bar", index: 0 },
    ]);
    const cursor = set.open(() => true);
    expect(cursor.feed("foobar").map(({ ruleId, trigger }) => [ruleId, trigger])).toEqual([
      ["a", 1],
      ["b", 0],
    ]);
  });

  it("watches only armed rules, and not what is disarmed", () => {
    const sources = ["a", "b", "c"].map((pattern) => ({ ruleId: pattern, pattern, index: 0 }));
    const cursor = compileTriggers(sources).open((id) => id !== "a");
    cursor.disarm("b");
    expect(cursor.feed("abc").map(({ ruleId }) => ruleId)).toEqual(["c"]);
    expect(cursor.position).toBe(3);
  });
});
