/** Files and places that are not what they should be: nothing hangs, nothing is shown raw, and what is wrong is said in one sentence. */
import { execFileSync, execSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, say } from "../server/index.js";
import { BIN, World } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";

let world: World;
afterEach(() => world.close());

const open = async (): Promise<World> => {
  world = await World.open(() => say("Done."));
  mkdirSync(world.state, { recursive: true });
  return world;
};

describe("a pipe in the place of a file never holds up the program", () => {
  it.each<[string, (at: World) => string, { code: number; stderr?: RegExp }]>([
    [
      "the user's settings",
      (at) => join(at.config, "settings.yml"),
      { code: 2, stderr: /settings\.yml" is not a regular file/ },
    ],
    ["models.yml", (at) => join(at.config, "models.yml"), { code: 2, stderr: /models\.yml" is not a regular file/ }],
    ["trust.json", (at) => join(at.state, "trust.json"), { code: 1, stderr: /trust\.json cannot be read/ }],
    [
      "a repository's settings",
      (at) => join(at.project, ".ttsr-agent/settings.yml"),
      { code: 0, stderr: /project settings ignored/ },
    ],
    ["AGENTS.md", (at) => join(at.project, "AGENTS.md"), { code: 0 }],
  ])("%s", async (what, path, expected) => {
    const place = path(await open());
    mkdirSync(join(world.project, ".ttsr-agent"), { recursive: true });
    rmSync(place, { force: true });
    execFileSync("mkfifo", [place]);
    const args = ["-p", "-m", "anthropic-messages/m", "--no-builtin-rules", "hi"];
    const run = await world.run(what === "trust.json" ? args : [...args, "--trust"]);
    expect(run.code).toBe(expected.code);
    if (expected.stderr) expect(run.stderr).toMatch(expected.stderr);
  });

  it("an ignore file, and a pipe that is searched itself", async () => {
    world = await World.open([
      {
        blocks: [
          { type: "call", name: "ls", args: {} },
          { type: "call", name: "grep", args: { pattern: "x", path: "pipe" } },
        ],
      },
      say("Done."),
    ]);
    for (const name of [".gitignore", "pipe"]) execFileSync("mkfifo", [join(world.project, name)]);
    expect(await world.print(["hi"])).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(world.server.requests[1]?.raw).toContain(String.raw`pipe\" is not a regular file`);
  });
});

describe("what is wrong around the program", () => {
  it("a working folder that is gone is one sentence", async () => {
    await open();
    const gone = join(world.root, "gone");
    const said = execSync(
      `mkdir ${gone} && cd ${gone} && rmdir ${gone} && "${process.execPath}" "${BIN}" -p hi 2>&1; echo $?`,
      {
        env: world.env,
      },
    ).toString();
    expect(said).toBe("ttsr-agent: The working folder does not exist any more; go to another one.\n1\n");
  });

  it.runIf(process.platform === "linux")("standard output on a full disk: one sentence and exit 1", async () => {
    await open();
    const { exec } = await import("node:child_process");
    const said = await new Promise<string>((resolve) => {
      exec(
        `"${process.execPath}" "${BIN}" -p -m anthropic-messages/m --trust hi 2>&1 >/dev/full; echo $?`,
        { cwd: world.project, env: world.env },
        (_error, stdout) => resolve(stdout),
      );
    });
    expect(said).toBe(
      "ttsr-agent: Standard output cannot be written (ENOSPC); the answer is kept in the session.\n1\n",
    );
  });

  it.each(process.platform === "linux" ? ["project/file/below", "/proc/none"] : ["project/file/below"])(
    "a session that cannot be saved in %s is told, though that shows only after the start",
    async (place) => {
      await open();
      world.write("file", "");
      const run = await world.run(["-p", "-m", "anthropic-messages/m", "--trust", "hi"], {
        env: { TTSR_AGENT_STATE: resolve(world.root, place) },
      });
      expect(run).toMatchObject({ code: 0, stdout: "Done.\n" });
      expect(run.stderr).toMatch(/^This session is not saved: .*TTSR_AGENT_STATE/m);
    },
  );

  it("a damaged trust.json is told", async () => {
    await open();
    writeFileSync(join(world.state, "trust.json"), "{{{");
    const run = await world.run(["-p", "-m", "anthropic-messages/m", "hi"]);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^.*trust\.json is damaged: no folder is trusted until you trust it again/m);
  });

  it("a timeout of more than 24 days is none that has passed", async () => {
    await open();
    expect(await world.print(["--timeout", "1e12", "hi"])).toMatchObject({ code: 0, stdout: "Done.\n", stderr: "" });
  });
});

describe("a hostile repository", () => {
  it("names in an error message cannot reach the terminal as they are", async () => {
    await open();
    world.write(".ttsr-agent/settings.yml", '"\\e]0;owned\\a": 1\n');
    const run = await world.print(["hi"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('unknown setting ""');
    expect(run.stderr).not.toContain("\u001b");
  });

  it("AGENTS.md that is a link out of the repository is not sent to the model", async () => {
    await open();
    writeFileSync(join(world.root, "private.txt"), "TOP-SECRET");
    symlinkSync(join(world.root, "private.txt"), join(world.project, "AGENTS.md"));
    expect((await world.print(["hi"])).code).toBe(0);
    expect(world.server.requests[0]?.raw).not.toContain("TOP-SECRET");
  });

  it("hundreds of rule files too many are one line, and as many faults are ten", async () => {
    await open();
    for (let n = 0; n < 700; n++)
      world.write(`.rules/r${n}.md`, `---\nttsr_trigger: never-written\n---\nDo not ${n}.\n`);
    expect((await world.print(["hi"])).stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/there are more than 500 rules; neither it nor/),
    ]);
    for (let n = 0; n < 400; n++) world.write(`.rules/r${n}.md`, "---\nttsr_trigger: never(\n---\nDo not.\n");
    const lines = (await world.print(["hi"])).stderr.trim().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatch(/more than 500 rules/);
    expect(lines[9]).toMatch(/^\d{3} more faults of rules; "ttsr-agent rules check" tells them all\.$/);
  });

  it("searches leave out what the user denied to be read", async () => {
    world = await World.open([callTool("grep", { pattern: "value" }), say("Done.")], {
      "secret.env": "value=1\n",
      "open.env": "value=2\n",
    });
    await world.print(["--deny", "read(secret.env)", "hi"]);
    const sent = world.server.requests[1]?.raw;
    expect(sent).toContain("open.env:1:value=2");
    expect(sent).not.toContain("secret.env");
  });
});

describe("a real terminal with CI in the environment", () => {
  it("is drawn like any other", async () => {
    await open();
    const program = new PtyProgram({
      args: ["-m", "anthropic-messages/m", "--trust"],
      cwd: world.project,
      env: world.env,
      keep: { CI: "true", CONTINUOUS_INTEGRATION: "1" },
    });
    await program.until("Ask for something");
    program.write("hi\r");
    await program.until("Done.");
    program.kill("SIGTERM");
    await program.untilExit();
  });
});
