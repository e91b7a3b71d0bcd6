import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesBelow } from "../../src/tools/files-below.js";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-files-below-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The list where ripgrep says this and ends so. (Root may enter every folder, so a real one would prove nothing.) */
const list = (complaint: string): ReturnType<typeof filesBelow> => {
  const program = join(root, "rg");
  writeFileSync(program, `#!/bin/sh\nprintf '/x/a.ts\\0'\necho '${complaint}' >&2\nexit 2\n`);
  chmodSync(program, 0o755);
  return filesBelow(root, { ripgrep: async () => program }, new AbortController().signal);
};

describe("the files of a folder", () => {
  it("are not called all of them where one below may not be entered", async () => {
    const note = "Not all folders could be read: /x/closed: Permission denied.";
    expect(await list("rg: /x/closed: Permission denied (os error 13)")).toEqual({ files: ["/x/a.ts"], note });
  });

  it("are all of them whatever else ripgrep complains of", async () => {
    expect(await list("rg: /x/.gitignore: line 1: error parsing glob")).toEqual({ files: ["/x/a.ts"] });
  });
});
