import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { diskBaseline } from "../../src/ttsr/baseline.js";

const folder = mkdtempSync(join(tmpdir(), "baseline-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("TTSR-2.4 the file on disk", () => {
  it("is read up to 2 MB; what is no readable file is none", () => {
    writeFileSync(join(folder, "a.ts"), "é\n");
    writeFileSync(join(folder, "edge.ts"), "x".repeat(2 * 1024 * 1024));
    writeFileSync(join(folder, "big.ts"), "x".repeat(2 * 1024 * 1024 + 1));
    mkdirSync(join(folder, "dir"));
    const read = diskBaseline(folder);
    expect(read("a.ts")).toBe("é\n");
    expect(read("edge.ts")).toHaveLength(2 * 1024 * 1024);
    expect([read("big.ts"), read("dir"), read("none.ts")]).toEqual([undefined, undefined, undefined]);
  });
});
