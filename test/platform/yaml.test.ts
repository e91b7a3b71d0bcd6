import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/platform/yaml.js";

describe("S31 YAML that is built to cost much", () => {
  const bombs: [string, string][] = [
    [
      "60,000 open brackets (overflows the stack inside a regular expression: no catch helps)",
      `a: ${"[".repeat(60_000)}`,
    ],
    ["open braces", "{a: ".repeat(15_000)],
    ["brackets over many lines", "a: [\n".repeat(1_000)],
    ["a chain of entries", `${"- ".repeat(30_000)}x`],
    ["a chain of explicit keys (minutes in the parser)", `${"? ".repeat(30_000)}x`],
    ["explicit keys over many lines", `${"? ".repeat(60)}x\n`.repeat(400)],
    ["a chain of values", `a${": b".repeat(9_000)}`],
    ["a staircase", Array.from({ length: 350 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    ["aliases that are each looked up", `a: &a x\nlist:\n${"  - *a\n".repeat(1_900)}`],
    ["an alias that leads back to itself", "a: &a\n  properties: { b: [*a] }"],
    ["many lines", "k: 1\n".repeat(9_000)],
    [
      "aliases that multiply",
      [
        "a: &a [x,x,x,x,x,x,x,x,x]",
        "b: &b [*a,*a,*a,*a,*a,*a,*a,*a]",
        "c: &c [*b,*b,*b,*b,*b,*b,*b]",
        "d: [*c,*c,*c,*c]",
      ].join("\n"),
    ],
  ];
  it.each(bombs)("is a limit, not a crash: %s", (_, text) => {
    const read = parseYaml(text);
    expect(read.value).toBeUndefined();
    expect(read.problems.map((problem) => problem.kind)).toEqual(["limit"]);
  });

  it("lets through what stands just below the limits", () => {
    expect(parseYaml(`a: ${"[".repeat(200)}${"]".repeat(200)}`).problems).toEqual([]);
    expect(parseYaml(`${"- ".repeat(60)}x`).problems).toEqual([]);
  });
});

describe("parseYaml", () => {
  it("is YAML 1.2 core: no dates, no octal, no yes", () => {
    expect(parseYaml("a: 2024-01-02\nb: 010\nc: yes\nd: null\ne: 0x10").value).toEqual({
      a: "2024-01-02",
      b: 10,
      c: "yes",
      d: null,
      e: 16,
    });
  });

  it("refuses tags and merges nothing", () => {
    expect(parseYaml("a: !!js/function 'x'").value).toBeUndefined();
    expect(parseYaml("a: &a {x: 1}\nb: {<<: *a}").value).toEqual({ a: { x: 1 }, b: { "<<": { x: 1 } } });
  });

  it("knows the line of every value", () => {
    const read = parseYaml("a: 1\nlist:\n  - x\n  - deep:\n      y: 2\nempty:\n", 10);
    const paths = [["a"], ["list", 1], ["list", 1, "deep", "y"], ["empty"], ["list", 7]];
    expect(paths.map((path) => read.lineOf(path))).toEqual([10, 13, 14, 15, 11]);
  });

  it("names a key that stands twice, and takes the last", () => {
    const read = parseYaml("a: 1\nb: 2\na: 3\n");
    expect(read.problems).toMatchObject([{ kind: "duplicate-key", line: 3 }]);
    expect(read.value).toEqual({ a: 3, b: 2 });
    expect(read.lineOf(["a"])).toBe(3);
  });

  it("says on which line it broke", () => {
    expect(parseYaml("a: 1\nb: [1, 2\nc: 3\n", 2).problems[0]).toMatchObject({ kind: "syntax" });
  });

  it("`__proto__` is a key like any other", () => {
    const value = parseYaml("__proto__: {polluted: 1}").value;
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
