import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileIndex } from "../../../src/modes/interactive/editor/file-index.js";
import { listFiles } from "../../../src/modes/interactive/editor/list-files.js";
import { FakeClock, settle } from "../../support/fake-clock.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-files-"));
  for (const name of ["src/a.ts", "src/b c.ts", "out/x.js", "node_modules/p/i.js", "ünicode.md"]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "");
  }
  writeFileSync(join(root, ".gitignore"), "out/\nnode_modules/\n");
});
afterEach(() => rmSync(root, { recursive: true }));

describe("the project's files", () => {
  it("by git: tracked and new ones, not the ignored, with their real names", async () => {
    execFileSync("git", ["init", "-q"], { cwd: root });
    // A repository may name a program to be run at every look; it is not.
    const ran = join(root, "ran");
    execFileSync("git", ["config", "core.fsmonitor", `touch ${ran}; false`], { cwd: root });
    execFileSync("git", ["-c", "core.fsmonitor=false", "add", "src/a.ts"], { cwd: root });
    expect((await listFiles(root, process.env)).sort()).toEqual([".gitignore", "src/a.ts", "src/b c.ts", "ünicode.md"]);
    expect((await listFiles(join(root, "src"), process.env)).sort()).toEqual(["a.ts", "b c.ts"]);
    expect(existsSync(ran)).toBe(false);
  });

  it("without git: a walk that leaves out what nobody means", async () => {
    expect((await listFiles(root, process.env)).sort()).toEqual([
      ".gitignore",
      "out/x.js",
      "src/a.ts",
      "src/b c.ts",
      "ünicode.md",
    ]);
    expect(await listFiles(join(root, "gone"), process.env).catch(() => [])).toEqual([]);
  });

  it("are read when first wanted, once, and again when they have grown old", async () => {
    const clock = new FakeClock();
    let reads = 0;
    let changes = 0;
    const list = async (): Promise<string[]> => {
      reads++;
      return reads < 3 ? ["a"] : ["a", "b"];
    };
    const index = new FileIndex(list, clock, () => void changes++);
    expect(reads).toBe(0);
    expect(index.files).toEqual([]);
    expect(index.files).toEqual([]);
    await settle();
    expect(index.files).toEqual(["a"]);
    expect([reads, changes]).toEqual([1, 1]);
    await clock.advance(6_000);
    expect(index.files).toEqual(["a"]);
    await settle();
    expect([reads, changes]).toEqual([2, 1]);
    await clock.advance(6_000);
    void index.files;
    await settle();
    expect(index.files).toEqual(["a", "b"]);
    expect(changes).toBe(2);
  });
});
