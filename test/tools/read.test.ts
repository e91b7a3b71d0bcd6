import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { encodeText } from "../../src/platform/text-codec.js";
import { bench } from "./kit.js";

const MB = 1024 * 1024;
const numbered = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}`).join("\n");

describe("read", () => {
  it("gives a small file as it is, without a notice", async () => {
    const { call } = bench({ f: "one\ntwo\n", crlf: "a\r\nb", empty: "", bom: encodeText("x\n", "utf-8-bom") });
    expect(await call("read", { path: "f" })).toMatchObject({ isError: false, text: "one\ntwo" });
    expect((await call("read", { path: "crlf" })).text).toBe("a\nb");
    expect((await call("read", { path: "empty" })).text).toBe("(empty file)");
    expect((await call("read", { path: "bom" })).text).toBe("x");
  });

  it("offset and limit, with a notice how to go on", async () => {
    const { call } = bench({ f: numbered(10) });
    expect((await call("read", { path: "f", offset: 3, limit: 2 })).text).toBe(
      "line 3\nline 4\n[Lines 3-4 of 10. Go on with offset=5.]",
    );
    expect((await call("read", { path: "f", offset: 9 })).text).toBe("line 9\nline 10\n[Lines 9-10 of 10.]");
    expect(await call("read", { path: "f", offset: 11 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("has only 10 lines"),
    });
    expect((await call("read", { path: "f", offset: 0 })).text).toContain("Invalid arguments. offset");
  });

  it("2,000 lines or 50 KB at a time", async () => {
    const { call } = bench({ long: numbered(5000), wide: `${"x".repeat(1000)}\n`.repeat(100) });
    const long = (await call("read", { path: "long" })).text.split("\n");
    expect(long).toHaveLength(2001);
    expect(long.at(-1)).toBe("[Lines 1-2000 of 5000. Go on with offset=2001.]");
    const wide = (await call("read", { path: "wide" })).text;
    expect(Buffer.byteLength(wide)).toBeLessThan(50 * 1024 + 100);
    expect(wide).toMatch(/\n\[Lines 1-51 of 100\. Go on with offset=52\.\]$/);
  });

  it("UTF-16 is text", async () => {
    const { call } = bench({
      le: encodeText("grüße\n漢字\n", "utf-16le"),
      be: encodeText("grüße\n漢字\n", "utf-16be"),
    });
    expect((await call("read", { path: "le" })).text).toBe("grüße\n漢字");
    expect((await call("read", { path: "be" })).text).toBe("grüße\n漢字");
  });

  it("bytes that are no text are marked", async () => {
    const { call } = bench({ f: Buffer.from("caf\xe9", "latin1") });
    expect((await call("read", { path: "f" })).text).toBe(
      "caf\ufffd\n[Bytes that are no valid text are shown as \ufffd.]",
    );
  });

  it("an image goes to the model, other binaries are named", async () => {
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);
    const { call } = bench({
      "a.png": png,
      elf: Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01\0"), Buffer.alloc(5000)]),
      zip: Buffer.from("PK\x03\x04\0\0\0"),
      blob: Buffer.from([1, 2, 0, 3]),
      "a.pdf": "%PDF-1.7 text only",
    });
    expect((await call("read", { path: "a.png" })).content).toEqual([
      { type: "image", mediaType: "image/png", data: png.toString("base64") },
    ]);
    expect((await call("read", { path: "elf" })).text).toBe('"elf" is an ELF binary of 5.0 KB; not shown.');
    expect((await call("read", { path: "zip" })).text).toContain("a ZIP archive");
    expect((await call("read", { path: "blob" })).text).toContain("binary of 4 bytes");
    expect((await call("read", { path: "a.pdf" })).text).toContain("a PDF document");
  });

  it("a folder is listed", async () => {
    const { call } = bench({ "d/b": "", "d/c/x": "" });
    expect((await call("read", { path: "d" })).text).toBe("c/\nb");
  });

  it("a name that is nearly right", async () => {
    const { call } = bench({ "src/config.ts": "" });
    expect(await call("read", { path: "src/confg.ts" })).toMatchObject({
      isError: true,
      text: '"src/confg.ts": it does not exist. Did you mean "config.ts"?',
    });
    expect((await call("read", { path: "no/where" })).text).toBe('"no/where": it does not exist.');
  });

  it.skipIf(process.platform === "win32")("a pipe does not block, and links that lead nowhere are told", async () => {
    const { call, path } = bench();
    spawnSync("mkfifo", [path("pipe")]);
    symlinkSync("nowhere", path("dangling"));
    expect((await call("read", { path: "pipe" })).text).toContain("not a regular file");
    expect((await call("read", { path: "dangling" })).isError).toBe(true);
  });
});

describe("F41 large files", () => {
  function grown(run: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage().rss;
    return run().then(() => process.memoryUsage().rss - before);
  }

  it("a sparse file of 1 GB is looked at only at its start", async () => {
    const { call, path } = bench();
    const fd = openSync(path("big.log"), "w");
    writeSync(fd, `${numbered(3000)}\n`);
    ftruncateSync(fd, 1024 * MB);
    closeSync(fd);
    let text = "";
    const more = await grown(async () => {
      text = (await call("read", { path: "big.log", limit: 5 })).text;
    });
    expect(text).toBe(`${numbered(5)}\n[Lines 1-5 of a file of 1.1 GB. Go on with offset=6.]`);
    expect(more).toBeLessThan(60 * MB);
  });

  it("a sparse file of zeros is binary", async () => {
    const { call, path } = bench();
    const fd = openSync(path("zeros"), "w");
    ftruncateSync(fd, 1024 * MB);
    closeSync(fd);
    expect((await call("read", { path: "zeros" })).text).toBe('"zeros" is binary of 1.1 GB; not shown.');
  });

  it("a line of 10 MB is cut with a mark", async () => {
    const { call } = bench({ f: `${"x".repeat(10 * MB)}\nend\n` });
    let text = "";
    const more = await grown(async () => {
      text = (await call("read", { path: "f" })).text;
    });
    expect(text).toBe(`${"x".repeat(2000)}… [${10 * MB - 2000} more characters in this line]\nend\n`.trimEnd());
    expect(more).toBeLessThan(60 * MB);
  });

  it("a cut line does not count as seen", async () => {
    const { call } = bench({ f: `${"x".repeat(5000)}\n` });
    await call("read", { path: "f" });
    expect((await call("write", { path: "f", content: "short" })).text).toContain("only a part");
  });
});
