import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { holdsFor } from "../../src/capability/agents.js";
import { IgnoreRules } from "../../src/tools/ignore-rules.js";

const folder = mkdtempSync(join(tmpdir(), "hostile-ignore-"));
mkdirSync(join(folder, ".git"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("patterns of a repository that are made to be slow", () => {
  it("in .gitignore hide nothing, and those beside them hold", async () => {
    const lines = [`${"*a".repeat(30)}b`, "*a*a*a*a*a*b", "x/*a/*a/*a/*a/*a/*a/*a/b", "**/bin/**/*.d*", "*.log", ""];
    writeFileSync(join(folder, ".gitignore"), lines.join("\r\n"));
    const rules = await IgnoreRules.forFolder(folder);
    const ignored = (name: string): boolean => rules.ignores(join(folder, name), false);
    expect(["a".repeat(250), `${"a".repeat(250)}b`, "x/bin/y/z.dll", "a.log"].map(ignored)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it("of agents: as many braces as one likes", () => {
    expect(holdsFor([`${"{,}".repeat(200)}x`], "main")).toBe(false);
    expect(holdsFor([`!${"{,}".repeat(200)}x`], "main")).toBe(true);
    expect(holdsFor(["{main,other}"], "main")).toBe(true);
  });
});
