import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  displayPath,
  foldPath,
  isInside,
  isInsideFolded,
  realpathDeepest,
  resolvePath,
} from "../../src/platform/paths.js";

describe("S28 inside is not a matter of prefixes", () => {
  it.each([
    ["/w/proj", "/w/proj", true],
    ["/w/proj", "/w/proj/a/b", true],
    ["/w/proj", "/w/proj-evil/x", false],
    ["/w/proj", "/w", false],
    ["/w/proj", "/w/proj/../other", false],
    ["/w/proj", "/w/proj/..x", true],
    ["/", "/etc", true],
  ])("%s %s %s", (root, path, inside) => {
    expect(isInside(root, path)).toBe(inside);
  });

  it("S18 folds case, Unicode form and invisible characters", () => {
    expect(foldPath(".GIT")).toBe(".git");
    expect(foldPath("cafe\u0301")).toBe(foldPath("CAFÉ"));
    expect(foldPath(".g\u200bit")).toBe(".git");
    expect(isInsideFolded("/Home/U/.Config", "/home/u/.config/x")).toBe(true);
    expect(isInsideFolded("/home/u/.config", "/home/u/.config2")).toBe(false);
  });

  it("resolves ~ and relative names, and shows what lies inside relative", () => {
    expect(resolvePath("~/a", "/w", "/home/u")).toBe("/home/u/a");
    expect(resolvePath("~", "/w", "/home/u")).toBe("/home/u");
    expect(resolvePath("~x", "/w", "/home/u")).toBe("/w/~x");
    expect(resolvePath("a/../b", "/w", "/home/u")).toBe("/w/b");
    expect(displayPath("/w", "/w/a")).toBe("a");
    expect(displayPath("/w", "/w")).toBe(".");
    expect(displayPath("/w", "/wx/a")).toBe("/wx/a");
  });
});

describe("S21 where a path really leads", () => {
  it("follows links up to the deepest existing parent, and refuses what cannot be told", async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-paths-")));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    mkdirSync(join(top, "real/deep"), { recursive: true });
    writeFileSync(join(top, "real/f"), "");
    symlinkSync("real", join(top, "link"));
    symlinkSync("nowhere", join(top, "dangling"));
    symlinkSync("loop", join(top, "loop"));
    expect(await realpathDeepest(join(top, "link/f"))).toBe(join(top, "real/f"));
    expect(await realpathDeepest(join(top, "link/new/er"))).toBe(join(top, "real/new/er"));
    for (const name of ["dangling", "dangling/x", "loop", "loop/x"]) {
      await expect(realpathDeepest(join(top, name))).rejects.toMatchObject({ code: "path-unresolved" });
    }
  });
});
