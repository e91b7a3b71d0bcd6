import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

/** What a terminal obeys, or that turns what stands on it round. */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe.skipIf(process.platform === "win32")("names and keys of rule files that are made for the terminal", () => {
  it("reach it neither from rules list nor from rules check, before the folder is trusted", async () => {
    world = await World.open(() => say("Done."), {
      ".rules/keys.md":
        '---\nttsr_trigger: "x\\u001b[31m"\nscope: "tool:\\u001b[31mbash"\nglobs: "\\u009b2J*"\nunless: "("\n---\nNo.\n',
      ".rules/b\u001b[31m.md": "x",
      ".rules/c\u202egpj.md": "x",
      ".rules/d\u009b31m.md": "x",
      ".rules/e\nbroken  forged.markdown": "x",
      ".rules/f\u001b]0;title\u0007/x.md": "---\nttsr_trigger: zzz\n---\nNo.\n",
    });
    symlinkSync("nowhere", join(world.project, ".rules", "g\u001b[2J.md"));
    for (const args of [["list"], ["list", "--trust"], ["check"], ["list", "--json"], ["check", "--json"]]) {
      const { stdout, stderr } = await world.run(["rules", ...args]);
      expect(stdout.length, args.join(" ")).toBeGreaterThan(100);
      expect(stdout, args.join(" ")).not.toMatch(OBEYED);
      expect(stderr, args.join(" ")).not.toMatch(OBEYED);
      expect(`${stdout}${stderr}`, args.join(" ")).not.toMatch(/^broken {2}forged/m);
    }
    const { stdout } = await world.run(["rules", "check", "--json"]);
    expect(stdout).toContain(String.raw`c\u202egpj`);
    expect(JSON.stringify(JSON.parse(stdout))).toContain("c\u202egpj");
  });
});
