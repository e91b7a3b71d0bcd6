import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { atomicWrite } from "../../src/platform/atomic-write.js";

let top: string;
const at = (name: string) => join(top, name);
const text = (name: string) => readFileSync(at(name), "utf8");

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-write-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
});

describe("D18 whole files, replaced at once", () => {
  it("makes files and folders, and leaves nothing else behind", async () => {
    await atomicWrite(at("a/b/new.txt"), Buffer.from("x"));
    expect(text("a/b/new.txt")).toBe("x");
    expect(readdirSync(at("a/b"))).toEqual(["new.txt"]);
  });

  it("keeps the mode and puts a new inode in the place of the old one", async () => {
    writeFileSync(at("run.sh"), "old");
    chmodSync(at("run.sh"), 0o751);
    const before = statSync(at("run.sh")).ino;
    await atomicWrite(at("run.sh"), Buffer.from("new"));
    expect(text("run.sh")).toBe("new");
    expect(statSync(at("run.sh")).mode & 0o7777).toBe(0o751);
    expect(statSync(at("run.sh")).ino).not.toBe(before);
    expect(readdirSync(top)).toEqual(["run.sh"]);
  });

  it("who reads meanwhile sees the old content or the new one, never a part", async () => {
    const old = "a".repeat(2_000_000);
    const fresh = "b".repeat(3_000_000);
    writeFileSync(at("f"), old);
    let done = false;
    const writing = atomicWrite(at("f"), Buffer.from(fresh)).then(() => {
      done = true;
    });
    const seen = new Set<string>();
    while (!done) {
      const now = text("f");
      seen.add(now === old ? "old" : now === fresh ? "new" : `torn ${now.length}`);
      await new Promise((next) => setImmediate(next));
    }
    await writing;
    expect([...seen].filter((state) => state !== "old" && state !== "new")).toEqual([]);
    expect(text("f")).toBe(fresh);
  });

  it("a hard link stays one: both names have the new content, and no backup is left", async () => {
    writeFileSync(at("one"), "old content");
    linkSync(at("one"), at("two"));
    await atomicWrite(at("one"), Buffer.from("new"));
    expect([text("one"), text("two")]).toEqual(["new", "new"]);
    expect(readdirSync(top).sort()).toEqual(["one", "two"]);
  });

  it("a link stays a link, and its target inside of the root is written", async () => {
    mkdirSync(at("proj"));
    writeFileSync(at("proj/real"), "old");
    symlinkSync("real", at("proj/link"));
    await atomicWrite(at("proj/link"), Buffer.from("new"), { root: at("proj") });
    expect(text("proj/real")).toBe("new");
    expect(lstatSync(at("proj/link")).isSymbolicLink()).toBe(true);
  });

  it("S21 links that lead out of the root are refused, and nothing outside changes", async () => {
    mkdirSync(at("proj"));
    mkdirSync(at("out"));
    writeFileSync(at("out/f"), "outside");
    symlinkSync("../out/f", at("proj/file"));
    symlinkSync("../out", at("proj/dir"));
    symlinkSync("../out/none", at("proj/dangling"));
    for (const name of ["proj/file", "proj/dir/f", "proj/dir/new/deep"]) {
      await expect(atomicWrite(at(name), Buffer.from("x"), { root: at("proj") })).rejects.toMatchObject({
        code: "write-outside",
      });
    }
    await expect(atomicWrite(at("proj/dangling"), Buffer.from("x"), { root: at("proj") })).rejects.toMatchObject({
      code: "path-unresolved",
    });
    expect(text("out/f")).toBe("outside");
    expect(readdirSync(at("out"))).toEqual(["f"]);
  });

  it("a folder is refused", async () => {
    mkdirSync(at("dir"));
    await expect(atomicWrite(at("dir"), Buffer.from("x"))).rejects.toMatchObject({ code: "write-not-a-file" });
  });

  it.skipIf(process.getuid?.() === 0)("a write-protected file is refused", async () => {
    writeFileSync(at("ro"), "old");
    chmodSync(at("ro"), 0o444);
    await expect(atomicWrite(at("ro"), Buffer.from("x"))).rejects.toMatchObject({ code: "write-protected" });
    expect(text("ro")).toBe("old");
  });
});
