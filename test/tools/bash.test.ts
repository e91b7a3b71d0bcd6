import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OutputKeeper } from "../../src/tools/output-keeper.js";
import { until } from "../support/wait.js";
import { bench } from "./kit.js";

const HAS_BASH = process.platform !== "win32";

describe.skipIf(!HAS_BASH)("bash", () => {
  it("gives the output, both streams, and tells the exit code when it is not 0", async () => {
    const { call } = bench();
    expect(await call("bash", { command: "echo hi; echo err >&2" })).toMatchObject({
      isError: false,
      details: { exitCode: 0 },
    });
    expect(await call("bash", { command: "echo hi; exit 3" })).toMatchObject({
      isError: true,
      text: "hi\n[Exit code 3.]",
      details: { exitCode: 3 },
    });
    expect((await call("bash", { command: "true" })).text).toBe("(no output)");
    expect((await call("bash", { command: "kill -TERM $$" })).text).toBe("[Ended by SIGTERM.]");
  });

  it("runs in the working folder, each time afresh", async () => {
    const { call, root } = bench({ "sub/x": "" });
    expect((await call("bash", { command: "cd sub && A=1 && pwd" })).text).toBe(join(root, "sub"));
    expect((await call("bash", { command: "pwd; echo $A-" })).text).toBe(`${root}\n-`);
  });

  it("a command that begins with a dash is a command", async () => {
    const { call } = bench();
    expect((await call("bash", { command: "-c 'echo no'" })).text).toMatch(
      /-c: command not found\n\[Exit code 127\.\]$/,
    );
  });

  it("F31 a child in the background is noted, and does not hold the call", async () => {
    const { call } = bench();
    const answer = await call("bash", { command: "sleep 30 & echo hi" });
    expect(answer.isError).toBe(false);
    expect(answer.text).toMatch(/^hi\n\[Still running in the background: pid \d+\. /);
    process.kill(Number(/pid (\d+)/.exec(answer.text)?.[1]), "SIGKILL");
  });

  it("F34 nothing waits for input", async () => {
    const { call } = bench();
    expect((await call("bash", { command: "read x || echo closed" })).text).toBe("closed");
  });

  it("a timeout kills, and says how to get longer", async () => {
    const { call } = bench();
    const answer = await call("bash", { command: "echo begun; sleep 60", timeout: 1 });
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toMatch(/^begun\n\[Killed: it did not end within 1 s\. .*timeout/);
  });

  it("an abort keeps what was said", async () => {
    const { call, updates } = bench();
    const stop = new AbortController();
    const running = call("bash", { command: "echo begun; sleep 60" }, { signal: stop.signal });
    await until(() => updates.length > 0);
    stop.abort();
    expect(await running).toMatchObject({
      isError: true,
      text: "begun\n[Interrupted by the user; the command was killed.]",
    });
    expect(updates).toEqual(["begun"]);
  });

  it("S37 keys of providers are not handed on", async () => {
    const { call } = bench({}, { env: { ...process.env, ANTHROPIC_API_KEY: "sk-secret", MY_FLAG: "seen" } });
    const { text } = await call("bash", { command: "env" });
    expect(text).toContain("MY_FLAG=seen");
    expect(text).not.toContain("sk-secret");
  });

  it("S27 colours and progress bars are cleaned", async () => {
    const { call } = bench();
    const command = `printf '\\033[31mred\\033[0m 10%%\\r50%%\\r100%%\\n\\033]52;c;eA==\\007ok\\n'`;
    expect((await call("bash", { command })).text).toBe("100%\nok");
  });

  it("F40 a long output keeps head and tail, and a file has all of it byte by byte", async () => {
    const { call, spill } = bench();
    // 50 MB: numbered lines, so that a missing piece shows.
    const command = "seq -f 'line %09.0f of a long log........' 1 1350000";
    const answer = await call("bash", { command });
    expect(Buffer.byteLength(answer.text)).toBeLessThan(32_000);
    const lines = answer.text.split("\n");
    expect(lines[0]).toBe("line 000000001 of a long log........");
    expect(lines.find((line) => line.includes("bytes left out"))).toMatch(/^\[… \d+ bytes left out …\]$/);
    expect(answer.text).toContain("line 001350000 of a long log........\n[All ");
    const [name] = readdirSync(spill);
    const file = join(spill, name ?? "");
    expect(answer.text).toContain(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(spill).mode & 0o777).toBe(0o700);
    const whole = readFileSync(file, "latin1");
    expect(whole.length).toBe(1_350_000 * 37);
    for (const n of [1, 1000, 700_001, 1_350_000]) {
      expect(whole.slice((n - 1) * 37, n * 37)).toBe(`line ${String(n).padStart(9, "0")} of a long log........\n`);
    }
  });

  it("a folder that is gone is told", async () => {
    const { call, path } = bench();
    expect((await call("bash", { command: "true" }, { cwd: path("gone") })).text).toMatch(
      /working folder ".*gone" does not exist/,
    );
  });

  it("S16 the question shows the command, with nothing hidden, and not the model's words", async () => {
    const { tool, root } = bench();
    const args = { command: `ls${" ".repeat(2000)}; touch x\nrm y`, description: "List files" };
    const subject = await tool("bash").describe(args, { cwd: root, signal: new AbortController().signal });
    expect(subject).toEqual({
      kind: "command",
      title: "Run ls[2000 spaces]; touch x … (2 lines)",
      paths: [],
      command: args.command,
    });
  });
});

describe("the keeper of output", () => {
  const limits = { head: 10, tail: 20, spill: 100, line: 50 };

  it("gives all where it fits, and makes no file", () => {
    const { spill } = bench();
    const keeper = new OutputKeeper(spill, "o", limits);
    keeper.push(Buffer.from("0123456789"));
    keeper.push(Buffer.from("a".repeat(20)));
    expect(keeper.finish()).toEqual({ text: `0123456789${"a".repeat(20)}`, total: 30 });
    expect(existsSync(spill)).toBe(false);
  });

  it.each([1, 3, 7, 64])("in pieces of %d bytes the file is exact, and nothing is shown twice", (size) => {
    const { spill } = bench();
    const keeper = new OutputKeeper(spill, "o", limits);
    const all = Buffer.from(Array.from({ length: 12 }, (_, i) => `line ${i}`).join("\n"));
    for (let at = 0; at < all.length; at += size) keeper.push(all.subarray(at, at + size));
    const kept = keeper.finish();
    expect(readFileSync(kept.file ?? "").equals(all)).toBe(true);
    const [head, gap, ...tail] = kept.text.split("\n");
    expect(head).toBe("line 0");
    const left = Number(/^\[… (\d+) bytes left out …\]$/.exec(gap ?? "")?.[1]);
    expect(`line 0\n${"?".repeat(left)}${tail.join("\n")}`.length).toBe(all.length);
    expect(all.toString().endsWith(tail.join("\n"))).toBe(true);
  });

  it("the file ends at its limit, and that is told", () => {
    const { spill } = bench();
    const keeper = new OutputKeeper(spill, "o", limits);
    for (let i = 0; i < 30; i++) keeper.push(Buffer.from("0123456789"));
    const kept = keeper.finish();
    expect(statSync(kept.file ?? "").size).toBe(100);
    expect(kept.note).toBe("The file ends after 100 bytes; the rest was dropped.");
    expect(kept.total).toBe(300);
  });

  it("where no file can be made, head and tail are there all the same", () => {
    const { put } = bench();
    const keeper = new OutputKeeper(join(put("file", ""), "dir"), "o", limits);
    for (let i = 0; i < 30; i++) keeper.push(Buffer.from("0123456789"));
    const kept = keeper.finish();
    expect(kept.file).toBeUndefined();
    expect(kept.note).toMatch(/^Keeping the whole output failed \(ENOTDIR/);
    expect(kept.text).toContain("bytes left out");
  });

  it("characters are never torn, and long lines are marked", () => {
    const { spill } = bench();
    const keeper = new OutputKeeper(spill, "o", limits);
    for (const byte of Buffer.from("ü".repeat(100))) keeper.push(Buffer.of(byte));
    expect(keeper.finish().text).not.toContain("\ufffd");
    const long = new OutputKeeper(spill, "p", { ...limits, head: 100 });
    long.push(Buffer.from("x".repeat(80)));
    expect(long.finish().text).toBe(`${"x".repeat(50)}… [30 more characters in this line]`);
  });
});
