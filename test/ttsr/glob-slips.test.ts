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
  ])("%s is as it should be", (glob) => {
    expect(globSlips(rule("r", { globs: [glob] }))).toEqual([]);
  });
});
