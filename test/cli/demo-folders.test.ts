import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDemoFolder } from "../../src/cli/demo-folders.js";

const NOW = Date.UTC(2026, 0, 10);
const HOUR = 3_600_000;
let tmp: string;
beforeEach(() => {
  tmp = mkdtempSync(join(tmpdir(), "ttsr-demo-folders-"));
});
afterEach(() => rmSync(tmp, { recursive: true, force: true }));

function folder(name: string, hoursOld: number): void {
  const path = join(tmp, name);
  mkdirSync(path);
  writeFileSync(join(path, "file"), "x");
  const at = (NOW - hoursOld * HOUR) / 1000;
  utimesSync(path, at, at);
}

it("a demo's folder is kept for a day, the last three for longer, and nothing else is touched", () => {
  for (const [name, hours] of [
    ["aaaaa1", 1],
    ["aaaaa2", 2],
    ["aaaaa3", 3],
    ["aaaaa4", 23],
    ["aaaaa5", 25],
    ["aaaaa6", 900],
  ] as const) {
    folder(`ttsr-agent-demo-${name}`, hours);
  }
  folder("ttsr-agent-demo-of-somebody-else", 900);
  folder("other", 900);
  symlinkSync(join(tmp, "other"), join(tmp, "ttsr-agent-demo-zzzzzz"));
  const made = makeDemoFolder(tmp, NOW);
  expect(existsSync(made)).toBe(true);
  expect(
    readdirSync(tmp)
      .filter((name) => join(tmp, name) !== made)
      .sort(),
  ).toEqual([
    "other",
    ...["aaaaa1", "aaaaa2", "aaaaa3", "aaaaa4", "of-somebody-else", "zzzzzz"].map((name) => `ttsr-agent-demo-${name}`),
  ]);
  expect(existsSync(join(tmp, "other", "file"))).toBe(true);
});

it("the last three stay whatever their age", () => {
  for (const [at, name] of ["aaaaa1", "aaaaa2", "aaaaa3", "aaaaa4"].entries())
    folder(`ttsr-agent-demo-${name}`, 100 + at);
  makeDemoFolder(tmp, NOW);
  expect(readdirSync(tmp)).toHaveLength(4);
  expect(existsSync(join(tmp, "ttsr-agent-demo-aaaaa4"))).toBe(false);
});
