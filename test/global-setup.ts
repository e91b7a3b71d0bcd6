import { spawnSync } from "node:child_process";

/** End-to-end tests run the shipped bundle, so it is built once from the present source before any of them (`TTSR_NO_BUILD=1` skips it). */
export function setup(): void {
  if (process.env["TTSR_NO_BUILD"]) return;
  const built = spawnSync(process.execPath, ["build/build.mjs"], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(`The build failed before the tests:\n${built.stderr}`);
}
