/** What the first words on the command line come to: a session, the demo, or a sentence that says why not. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, say } from "../server/index.js";
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

const RUN = ["-p", "--no-rules"];

/** A headless run that succeeds. @returns the id of its session */
async function talk(args: readonly string[]): Promise<string> {
  const run = await world.run([...RUN, "--output-format", "json", ...args]);
  expect(run.code, run.stderr).toBe(0);
  return JSON.parse(run.stdout).sessionId;
}

/** Everything in one line: a terminal wraps where it must. */
const joined = (text: string): string => text.replaceAll(/\s+/g, " ");

describe("without a model", () => {
  it("a bare start is the demo, and says first that no model is connected", async () => {
    world = await World.open([]);
    world.withoutModels();
    const tui = open([]);
    await tui.until("scripted model, no network");
    expect(tui.all()).toMatch(/no model is connected yet.*scripted model/s);
  });

  it.each([
    ["a prompt", ["fix the test"]],
    ["-c", ["-c"]],
    ["-r", ["-r"]],
  ])("%s ends with exit 3, as -p does: nobody's words go to the scripted model", async (_, args) => {
    world = await World.open([]);
    world.withoutModels();
    const tui = open(args);
    expect(await tui.untilExit()).toBe(3);
    expect(joined(tui.all())).toMatch(/no model to talk to.*set a key/);
    expect(tui.all()).not.toContain("scripted");
  });
});

describe("going on with a session", () => {
  const ANY = Array.from({ length: 8 }, (_, at) => say(`Answer ${at + 1}.`));
  const served = (): string[] => world.server.requests.map(({ wire }) => wire);

  it("keeps its model; a model that is named or --set wins", async () => {
    world = await World.open(ANY);
    writeFileSync(join(world.config, "settings.yml"), "model: openai-chat/m\n");
    const id = await talk(["-m", "gemini/m", "first"]);
    await talk(["-c", "second"]);
    await talk(["-r", id, "third"]);
    await talk(["-c", "-m", "anthropic-messages/m", "fourth"]);
    await talk(["-c", "fifth"]);
    await talk(["-c", "--set", "model=openai-responses/m", "sixth"]);
    await talk(["seventh"]);
    expect(served()).toEqual([
      ...["gemini", "gemini", "gemini", "anthropic-messages", "anthropic-messages"],
      ...["openai-responses", "openai-chat"],
    ]);
  });

  it("says which model it had and which goes on, where it cannot be had any more", async () => {
    world = await World.open(ANY);
    writeFileSync(join(world.config, "settings.yml"), "model: openai-chat/m\n");
    await talk(["-m", "gemini/m", "first"]);
    const models = join(world.config, "models.yml");
    writeFileSync(models, readFileSync(models, "utf8").replace("  gemini:", "  mine:"));
    const run = await world.run([...RUN, "-c", "second"]);
    expect(run).toMatchObject({ code: 0, stdout: "Answer 2.\n" });
    expect(run.stderr).toMatch(/had gemini\/m, which cannot be had now: .* It goes on with openai-chat\/m\.$/m);
    world.withoutModels();
    writeFileSync(join(world.config, "settings.yml"), "");
    expect(await world.run([...RUN, "-c", "third"])).toMatchObject({ code: 3, stdout: "" });
  });

  it("-r without an id lets one choose in a terminal, by number", async () => {
    world = await World.open(ANY);
    await talk(["-m", "openai-chat/m", "the older one"]);
    await talk(["-m", "openai-chat/m", "the newer one"]);
    const tui = open(["-r", "--no-rules"]);
    await tui.until("Which one?");
    expect(tui.screen()).toMatch(/ 1 .* the newer one \(2\)\n *2 .* the older one \(2\)/);
    tui.write("7\r");
    await tui.until("from 1 to 2");
    tui.write("2\r");
    await tui.until("Ask for something");
    tui.write("go on\r");
    await tui.until("Answer 3.");
    const sent = world.server.requests[2]?.neutral().messages.map(({ text }) => text);
    expect(sent).toEqual(["the older one", "Answer 1.", "go on"]);
  });

  it("a call that was denied headless is shown as denied, not as failed", async () => {
    world = await World.open([callTool("bash", { command: "touch x" }), say("I may not.")]);
    await talk(["-m", "openai-chat/m", "touch it"]);
    const tui = open(["-c", "--no-rules"]);
    await tui.until("I may not.");
    expect(tui.all()).toMatch(/touch x.*not allowed/);
    expect(tui.all()).not.toContain("failed");
  });

  it("-r without an id, headless: exit 2 with the list hint; without any session it is as -c", async () => {
    world = await World.open(ANY);
    const none = await world.run([...RUN, "-m", "openai-chat/m", "-r", "--no-session", "first"]);
    expect(none).toMatchObject({ code: 0, stdout: "Answer 1.\n" });
    expect(none.stderr).toContain("no earlier session");
    await talk(["-m", "openai-chat/m", "second"]);
    const run = await world.run([...RUN, "-m", "openai-chat/m", "third", "-r"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/sessions list.*--continue/);
  });

  it("-r of another folder's session is refused, with the folder; of a folder that is gone it goes on here", async () => {
    world = await World.open(ANY);
    const elsewhere = join(world.root, "elsewhere");
    mkdirSync(elsewhere);
    const id = await talk(["-m", "openai-chat/m", "-C", elsewhere, "first"]);
    const run = await world.run([...RUN, "-r", id, "second"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(`belongs to ${elsewhere}; start it there, or use -C ${elsewhere}.`);
    expect((await world.run(["sessions", "list", "--all"])).stdout).toContain(`${elsewhere}  first`);
    await talk(["-C", elsewhere, "-r", id, "second"]);
    await talk(["-C", join(elsewhere, "..", "elsewhere"), "-r", id.slice(0, 6), "third"]);
    rmSync(elsewhere, { recursive: true });
    const moved = await world.run([...RUN, "-r", id, "fourth"]);
    expect(moved).toMatchObject({ code: 0, stdout: "Answer 4.\n" });
    expect(moved.stderr).toContain(`belonged to ${elsewhere}, which cannot be found`);
  });
});

describe("a model that the settings name", () => {
  it.each([
    ["user", "settings.yml:2", {}],
    ["environment", "environment TTSR_AGENT_MODEL", { TTSR_AGENT_MODEL: "antropic/x" }],
  ])("a wrong one is told with its place: %s", async (from, place, env) => {
    world = await World.open([]);
    if (from === "user") writeFileSync(join(world.config, "settings.yml"), "thinking: low\nmodel: antropic/x\n");
    const run = await world.run([...RUN, "hi"], { env });
    expect(run).toMatchObject({ code: 3, stdout: "" });
    expect(run.stderr).toMatch(
      /no provider "antropic"; did you mean anthropic\/x\? "model: antropic\/x" is written in /,
    );
    expect(run.stderr).toContain(place);
  });

  it("a project's too, and --set's", async () => {
    world = await World.open([], { ".ttsr-agent/settings.yml": "model: openai\n" });
    const run = await world.run([...RUN, "--trust", "hi"]);
    expect(run).toMatchObject({ code: 3, stdout: "" });
    expect(run.stderr).toMatch(
      /OPENAI_API_KEY.*"model: openai" is written in .*project\/\.ttsr-agent\/settings\.yml:1\./,
    );
    expect((await world.run([...RUN, "--set", "model=x/y", "hi"])).stderr).toContain("is written in --set.");
  });
});
