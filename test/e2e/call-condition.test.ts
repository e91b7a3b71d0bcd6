/** C29 in the shipped program: the validator comes when a rule asks for it, and a call is judged before its tool runs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, say } from "../server/index.js";
import { World } from "../support/program.js";

const RULE = `---
callCondition:
  required: [edits]
  properties:
    edits: { contains: { required: [all], properties: { all: { const: true } } } }
scope: tool:edit
---
Leave all out.
`;
/** Writes down which files of ours are required. */
const HOOK = `
const { Module } = require("node:module");
const { appendFileSync } = require("node:fs");
const load = Module._load;
Module._load = function (name, ...rest) {
  if (/json-schema|ajv/.test(name)) appendFileSync(process.env.REQUIRED, name + "\\n");
  return load.call(this, name, ...rest);
};
`;

let world: World;
afterEach(() => world.close());

describe("C29 the validator", () => {
  it("is not read where no rule has a condition on calls, and once where one has", async () => {
    world = await World.open([]);
    world.write("hook.cjs", HOOK);
    const list = join(world.root, "required");
    const env = { REQUIRED: list, NODE_OPTIONS: `--require ${join(world.project, "hook.cjs")}` };
    await world.run(["rules", "list", "--trust"], { env });
    expect(existsSync(list)).toBe(false);
    world.write(".rules/one.md", RULE);
    world.write(".rules/two.md", RULE);
    const { stdout } = await world.run(["rules", "list", "--trust"], { env });
    expect(stdout).toMatch(/^armed +one +project/m);
    expect(readFileSync(list, "utf8")).toBe("../json-schema.cjs\n");
  });
});

describe("C29 a call of the shipped program", () => {
  it("is cut before it runs, with its part in the notice", async () => {
    const edit = (all: boolean) =>
      callTool("edit", { path: "a.txt", edits: [{ old: "x", new: "y", ...(all ? { all } : {}) }] });
    world = await World.open([edit(true), edit(false), say("Done.")], { ".rules/one.md": RULE, "a.txt": "x\nz\n" });
    const { code, stderr } = await world.print(["--permission-mode", "auto-edit", "--output-format", "json", "Go."]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'rule ⟲ one  a.txt: …{"old":"x","new":"y","all":true}\n',
    });
    expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("y\nz\n");
    expect(JSON.stringify(world.server.requests[1]?.body)).toContain("edit call of a.txt (edits.0)");
  });
});
