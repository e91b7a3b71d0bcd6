/** What the first words on the command line come to: a session, the demo, or a sentence that says why not. */
import { afterEach, describe, expect, it } from "vitest";
import { World } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";

let world: World;
let program: PtyProgram | undefined;
afterEach(async () => {
  program?.kill("SIGKILL");
  program = undefined;
  await world.close();
});

/** In a terminal. */
function open(args: readonly string[]): PtyProgram {
  program = new PtyProgram({ args, cwd: world.project, env: { ...world.env, TMPDIR: world.root } });
  return program;
}

describe("without a model", () => {
  it("a bare start is the demo, and says first that no model was found", async () => {
    world = await World.open([]);
    world.withoutModels();
    const tui = open([]);
    await tui.until("scripted model, no network");
    expect(tui.all()).toMatch(/No model was found.*scripted model/s);
  });

  it.each([
    ["a prompt", ["fix the test"]],
    ["-c", ["-c"]],
    ["-r", ["-r", "abc"]],
  ])("%s ends with exit 3, as -p does: nobody's words go to the scripted model", async (_, args) => {
    world = await World.open([]);
    world.withoutModels();
    const tui = open(args);
    expect(await tui.untilExit()).toBe(3);
    expect(tui.all().replaceAll(/\s+/g, " ")).toMatch(/no model to talk to.*set a key/);
    expect(tui.all()).not.toContain("scripted");
  });
});
