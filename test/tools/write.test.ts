import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeText } from "../../src/platform/text-codec.js";
import { bench } from "./kit.js";

const text = (path: string) => readFileSync(path, "utf8");

describe("write", () => {
  it("makes a new file and its folders, and says so", async () => {
    const { call, path } = bench();
    const answer = await call("write", { path: "a/b/c.txt", content: "one\ntwo\n" });
    expect(answer).toMatchObject({ isError: false, details: { path: path("a/b/c.txt") } });
    expect(answer.text).toMatch(/^Created a\/b\/c\.txt \(\+2 -0 lines\)\.$/);
    expect(answer.details?.diff).toContain("--- /dev/null\n+++ b/a/b/c.txt");
    expect(text(path("a/b/c.txt"))).toBe("one\ntwo\n");
    expect(readdirSync(path("a/b"))).toEqual(["c.txt"]);
  });

  it("an empty file, and one with a NUL, are written as they are", async () => {
    const { call, path } = bench();
    expect((await call("write", { path: "e", content: "" })).isError).toBe(false);
    expect(statSync(path("e")).size).toBe(0);
    expect((await call("write", { path: "n", content: "a\0b" })).isError).toBe(false);
    expect(text(path("n"))).toBe("a\0b");
    expect((await call("write", { path: "a\0b", content: "" })).text).toContain("path: holds a NUL character");
  });

  it("D19 refuses to shrink an existing file that was not read, or only in part", async () => {
    const { call, put } = bench();
    const path = put("f", "one\ntwo\nthree\n");
    expect((await call("write", { path: "f", content: "x\n" })).text).toContain("you have not read it");
    await call("read", { path: "f", limit: 1 });
    expect((await call("write", { path: "f", content: "x\n" })).text).toContain("only a part");
    expect(text(path)).toBe("one\ntwo\nthree\n");
    await call("read", { path: "f" });
    expect(await call("write", { path: "f", content: "x\n" })).toMatchObject({ isError: false });
    expect(text(path)).toBe("x\n");
    // What we wrote ourselves we know.
    expect(await call("write", { path: "f", content: "" })).toMatchObject({ isError: false });
  });

  it("D19 refuses where the user changed the file since it was read, with the difference", async () => {
    const { call, put } = bench();
    const path = put("f", "one\n");
    await call("read", { path: "f" });
    writeFileSync(path, "one, by the user\n");
    const answer = await call("write", { path: "f", content: "two, and much longer than before\n" });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("has changed since you read it");
    expect(answer.text).toContain("-one, by the user");
    expect(text(path)).toBe("one, by the user\n");
  });

  it("notices a change while the user is asked", async () => {
    const { tool, root, put } = bench();
    const path = put("f", "one\n");
    const write = tool("write");
    const signal = new AbortController().signal;
    const args = { path: "f", content: "two and more\n" };
    expect(await write.describe(args, { cwd: root, signal })).toMatchObject({ kind: "edit", paths: [path] });
    writeFileSync(path, "three\n");
    const result = await write.execute(args, { cwd: root, signal, toolCallId: "1", update: () => undefined });
    expect(result.isError).toBe(true);
    expect(text(path)).toBe("three\n");
  });

  it("keeps mode, encoding and CRLF of the file it replaces", async () => {
    const { call, put } = bench();
    const script = put("run.sh", "echo\n");
    chmodSync(script, 0o755);
    await call("write", { path: "run.sh", content: "echo longer\n" });
    expect(statSync(script).mode & 0o777).toBe(0o755);
    const crlf = put("crlf", encodeText("a\r\nb\r\n", "utf-8-bom"));
    expect((await call("write", { path: "crlf", content: "a\nb\nc\n" })).text).toMatch(
      /CRLF line ends were kept.*\n.*utf-8-bom/,
    );
    expect(readFileSync(crlf).equals(encodeText("a\r\nb\r\nc\r\n", "utf-8-bom"))).toBe(true);
  });

  it("refuses placeholders in place of what stands in the file, and folders", async () => {
    const { call, put, path } = bench();
    put("f", "a\n");
    const answer = await call("write", { path: "f", content: "a\n// ... rest of the code ...\n" });
    expect(answer.text).toContain("placeholder");
    expect(text(path("f"))).toBe("a\n");
    mkdirSync(path("dir"));
    expect((await call("write", { path: "dir", content: "x" })).text).toMatch(/folder/);
    expect((await call("write", { path: "f/x", content: "x" })).text).toMatch(/ENOTDIR|not a folder/);
  });

  it("after an abort nothing is written", async () => {
    const { call, path } = bench();
    expect((await call("write", { path: "f", content: "x" }, { signal: AbortSignal.abort() })).isError).toBe(true);
    expect(existsSync(path("f"))).toBe(false);
  });

  it("a file outside of the workspace, named by its own path, can be written with leave", async () => {
    const { call, top } = bench();
    expect((await call("write", { path: "../beside", content: "x" })).isError).toBe(false);
    expect(text(join(top, "beside"))).toBe("x");
  });
});
