import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { diskBaseline } from "../../src/ttsr/baseline.js";
import { projectPaths } from "../../src/ttsr/project-path.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "project-path-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, "project");
mkdirSync(join(project, "src"), { recursive: true });
mkdirSync(join(project, ".rules"));
writeFileSync(join(project, "src", "a.ts"), "a");
symlinkSync("src", join(project, "alias"));
symlinkSync("nothing", join(project, "dangling"));
symlinkSync("circle", join(project, "circle"));
symlinkSync("../src/a.ts", join(project, ".rules", "a.md"));
symlinkSync(project, join(folder, "other-name"));

describe("TTSR-3.2 paths as rules and messages name them", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src/../b.ts", "b.ts"],
    ["/p/src/a.ts", "src/a.ts"],
    ["/q/a.ts", "../q/a.ts"],
    ["/p", "."],
  ])("%s → %s", (path, expected) => {
    expect(projectPaths("/p")(path)).toBe(expected);
  });

  it("are those of the file itself, by whatever name it is called", () => {
    const names = ["alias/a.ts", "alias/new/b.ts", ".rules/a.md", join(folder, "other-name/src/a.ts")];
    const expected = ["src/a.ts", "src/new/b.ts", "src/a.ts", "src/a.ts"];
    expect(names.map(projectPaths(project))).toEqual(expected);
    expect([...names, "src/a.ts"].map(projectPaths(join(folder, "other-name")))).toEqual([...expected, "src/a.ts"]);
    const below = relative(realpathSync(homedir()), join(project, "src/a.ts"));
    expect(projectPaths(project)(`~/${below}`)).toBe("src/a.ts");
  });

  it("what leads nowhere, or can be no path, stands for itself", () => {
    const long = "x/".repeat(100_000);
    expect(["dangling", "circle", "circle/a", "a\0b", `${long}y`].map(projectPaths(project))).toEqual([
      "dangling",
      "circle",
      "circle/a",
      "a\0b",
      `${long}y`,
    ]);
  });

  it("lead to the file on disk", () => {
    writeFileSync(join(folder, "beside.ts"), "beside");
    const cwd = join(folder, "other-name");
    expect(diskBaseline(cwd)(projectPaths(cwd)(join(folder, "beside.ts")))).toBe("beside");
  });
});
