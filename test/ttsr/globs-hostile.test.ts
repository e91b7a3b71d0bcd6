import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import { compileGlobs } from "../../src/ttsr/globs.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { DEFAULT_TTSR, rule } from "../support/rules.js";

const PATHS = [
  "src/a/b.ts",
  "a.ts",
  "a",
  "aaab",
  "x/aaab/c",
  "1.md",
  "a/*b",
  "aab",
  ".git/x.ts",
  "src/.x/y.ts",
  "a+b",
  "ab",
];

describe("TTSR-4.4 no file pattern can stall the program", () => {
  it.each([
    "*a*a*b",
    "*a*a*a*a*b",
    "**/*a/**/*a/**/*b",
    "{a,b}{a,b}{a,b}{a,b}",
    "[a]+b",
    "*.{ts,md}",
    "src/**",
    "!x/**",
  ])("%s means the same on a long path as on a short one", (glob) => {
    const options = { dot: true, nonegate: true, noextglob: true };
    const base = glob.replace(/^!/, "");
    const plain = base.includes("/") ? base : `**/${base}`;
    const negated = glob.startsWith("!");
    const test = compileGlobs([glob]);
    const far = "deep/".repeat(80);
    for (const path of PATHS) {
      const meant = picomatch.isMatch(path, [plain, `${plain}/**/*`], options);
      expect(test(path), path).toBe(meant !== negated);
      if (!base.includes("/") && path !== "a/*b") expect(test(far + path), path).toBe(meant);
    }
  });

  it.each([
    "*a*a*a*a*a*a*a*a*b",
    "**/a/**/a/**/a/**/a/**/b",
    `${"{a,a}".repeat(40)}b`,
    `${"[a]+".repeat(30)}b`,
    "*a*a*b",
    "**/a/**/a/**/b",
  ])("%s, on long paths", (glob) => {
    const test = compileGlobs([glob]);
    for (const path of ["a".repeat(5000), "a/".repeat(2500)]) expect(test(`${path}c`)).toBe(false);
  });

  it("one that cannot be read arms its rule everywhere, and is told", () => {
    for (const glob of ["(".repeat(40_000), `${"*a".repeat(600)}b`]) {
      expect(compileGlobs([glob])("x")).toBe(true);
      expect(compileGlobs(["x", `!${glob}`])("x")).toBe(true);
      const manager = new TtsrManager(DEFAULT_TTSR);
      expect(manager.addRule(rule("r", { globs: [glob], scope: ["tool"] }))).toBe(true);
      expect(manager.diagnostics().map(({ message }) => message)).toContainEqual(
        expect.stringContaining("as if it stood for every file"),
      );
    }
  });

  it("one that is given up on a path does so from there on", () => {
    const glob = `${"*a".repeat(200)}b`;
    const test = compileGlobs([glob]);
    expect(test("x")).toBe(false);
    expect(test("a".repeat(4000))).toBe(true);
    expect(compileGlobs(["*", `!${glob}`])("a".repeat(4000))).toBe(true);
  });

  it("nor the name of a tool in a scope", () => {
    const hostile: Rule = rule("r", { scope: [`tool:${"*a".repeat(20)}b`] });
    const manager = new TtsrManager(DEFAULT_TTSR);
    manager.addRule(hostile);
    const lane = manager.openLane({ source: "tool", contentIndex: 0, toolName: "a".repeat(5000), argument: "x" });
    expect(lane.push("eval(")).toEqual([]);
  });
});
