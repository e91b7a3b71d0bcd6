import { describe, expect, it } from "vitest";
import { globSlips } from "../../src/ttsr/glob-slips.js";
import { rule } from "../support/rules.js";

describe("TTSR-3.2 file patterns that match no file", () => {
  it.each([
    [".*\\.ts$", "is a regular expression"],
    ["^src/", "is a regular expression"],
    ["src\\a.ts", "has backslashes"],
    ["C:/code/*.ts", "is a place on a disk"],
    ["~/code/*.ts", "is a place on a disk"],
    ["src/*.{ts,js", "without its other half"],
    ["src/[ab/*.ts", "without its other half"],
    ["*.ts *.js", "with a blank in it"],
    [".tsx", "a file of just this name"],
    ["!../other/*.ts", "leaves the project's folder"],
  ])("%s", (glob, said) => {
    expect(globSlips(rule("r", { globs: [glob] })).map(({ message }) => message)).toEqual([
      expect.stringContaining(said),
    ]);
  });

  it.each([
    ".*",
    "vite.config.*",
    "*.{ts,tsx}",
    "src/**",
    "/src/*.ts",
    "./a.ts",
    "routes/$id.tsx",
    "**/(group)/*.ts",
    "[ab].ts",
    "my notes/a.md",
    ".env",
    ".github",
    "*.{ts,[cm]ts}",
    "!*.test.ts",
  ])("%s is as it should be", (glob) => {
    expect(globSlips(rule("r", { globs: [glob] }))).toEqual([]);
  });

  it.each<[string[], number]>([
    [["*.ts", "!**"], 1],
    [["!*.test.ts", "*.ts"], 1],
    [["!a.ts, !b.ts, *.ts"], 1],
    [["*.ts", "!*.test.ts"], 0],
    [["*.ts", "!*.test.ts", "keep.test.ts"], 0],
    [["!*.md", "!*.txt"], 0],
  ])("in %j %i of them is out of its place", (globs, count) => {
    expect(globSlips(rule("r", { globs }))).toHaveLength(count);
  });
});
