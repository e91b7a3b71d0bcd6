import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { runInteractive } from "../../../src/modes/interactive/index.js";
import { systemClock } from "../../../src/platform/clock.js";
import { UserError } from "../../../src/platform/errors.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** @returns what the program did to its terminal, in order, in a session that cannot be opened */
async function log(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ttsr-raw-"));
  folders.push(folder);
  const did: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => void did.push(on ? "raw" : "cooked"),
    ref: () => undefined,
    unref: () => undefined,
  });
  const stdout = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        const text = chunk.toString();
        if (text.includes("\u001b[c")) did.push("asks");
        if (text.includes("\u001b[?1004l")) did.push("reports nothing");
        done();
      },
    }),
    { isTTY: true, columns: 80, rows: 24 },
  );
  const run = runInteractive({
    start: () => Promise.reject(new UserError("no-model", "None.", 3)),
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    env: {},
    stateDir: folder,
    configDir: folder,
    diagnose: () => Promise.resolve(""),
    prompt: "",
    look: { theme: "none", flushMs: 10, screenReader: false, reducedMotion: true },
    clock: systemClock,
  });
  await expect(run).rejects.toThrow("None.");
  return did;
}

describe("the keyboard", () => {
  it("is raw before the terminal is asked anything, and until it reports nothing more", async () => {
    expect(await log()).toEqual(["raw", "asks", "reports nothing", "cooked"]);
  });
});
