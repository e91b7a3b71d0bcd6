import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadRecheck, slowInRegExp } from "../../../src/ttsr/proving/slow-in-regexp.js";
import { rule } from "../../support/rules.js";

it("slow-in-regexp: triggers that plain RegExp is slow on are told with their line, where `recheck` is installed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ttsr-recheck-"));
  try {
    expect(loadRecheck(folder)).toBeUndefined();
    const module = join(folder, "node_modules", "recheck");
    mkdirSync(module, { recursive: true });
    writeFileSync(
      join(module, "index.js"),
      `exports.check = async (source, flags) => source === "(a+)+$" && flags === "i"
        ? { status: "vulnerable", complexity: { type: "exponential" } } : { status: "safe" };`,
    );
    const recheck = loadRecheck(folder);
    if (!recheck) throw new Error("It was not found.");
    const slow = rule("slow", { ttsrTrigger: ["\\beval\\(", "(?i)(a+)+$", "broken("], triggerLines: [2, 3, 4] });
    expect(await slowInRegExp(slow, recheck)).toEqual([
      {
        severity: "info",
        code: "slow-in-regexp",
        message:
          'The trigger "(?i)(a+)+$" is linear here, and exponential in plain RegExp: do not copy it into other programs.',
        path: slow.path,
        line: 3,
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
