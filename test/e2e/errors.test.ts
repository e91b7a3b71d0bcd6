import { exec } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, say } from "../server/index.js";
import { BIN, World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

/** One sentence on stderr, no stack, the right code. */
async function fails(args: string[], code: number, ...said: (string | RegExp)[]): Promise<void> {
  const run = await world.run(args);
  expect(run.code, `${run.stderr}\n${run.stdout}`).toBe(code);
  expect(run.stdout).toBe("");
  expect(run.stderr).not.toMatch(/^\s+at /m);
  expect(run.stderr.trim().split("\n"), run.stderr).toHaveLength(1);
  for (const words of said) expect(run.stderr).toMatch(words);
}

describe("bad input ends with one sentence and the right exit code", () => {
  const FLAGS: [string, string[], number, RegExp][] = [
    ["an unknown flag", ["--no-rulez"], 2, /Unknown option '--no-rulez'/],
    ["a bad format", ["-p", "--output-format", "xml", "hi"], 2, /--output-format/],
    ["a bad number", ["-p", "--max-turns", "many", "hi"], 2, /--max-turns/],
    ["a missing value", ["-p", "--model"], 2, /--model/],
    [
      "a bad setting",
      ["-p", "-m", "demo/showcase", "--set", "ttsr.contextMod=keep", "hi"],
      2,
      /contextMod.*did you mean.*contextMode/i,
    ],
    ["a bad value", ["-p", "-m", "demo/showcase", "--set", "ttsr.contextMode=forget", "hi"], 2, /ttsr\.contextMode/],
    ["a bad pattern", ["-p", "-m", "demo/showcase", "--allow", "((", "hi"], 2, /--allow "\(\("/],
    ["an unknown tool", ["-p", "-m", "demo/showcase", "--tools", "reed", "hi"], 2, /"reed".*did you mean read/],
    ["a denied tool that is none", ["-p", "-m", "demo/showcase", "--deny", "bsh", "hi"], 2, /--deny .*mean bash/],
    ["a folder that is none", ["-p", "-C", "/no/such/folder", "hi"], 2, /--cwd names \/no\/such\/folder/],
    [
      "a file that is none",
      ["-p", "-m", "demo/showcase", "--system-prompt", "@nope.md", "hi"],
      2,
      /--system-prompt.*nope\.md/,
    ],
    ["no prompt", ["-p"], 2, /no prompt/],
    ["an unknown session", ["-p", "-m", "demo/showcase", "-r", "abcdef", "hi"], 2, /no session "abcdef"/],
    ["an unknown provider", ["-p", "-m", "antropic/x", "hi"], 3, /antropic.*did you mean anthropic/],
    ["an unknown model of an own provider", ["-p", "-m", "openai-chat/mm", "hi"], 3, /openai-chat has no model "mm"/],
    ["a missing key", ["-p", "-m", "anthropic/claude-sonnet-5", "hi"], 3, /ANTHROPIC_API_KEY/],
    ["no model at all", ["-p", "hi"], 3, /no model.*ANTHROPIC_API_KEY/],
    ["an unknown subcommand option", ["sessions", "list", "--jsn"], 2, /--jsn/],
    ["an unknown word after a subcommand", ["rules", "lst"], 2, /no "ttsr-agent rules lst"; did you mean list/],
    ["an unknown setting to get", ["config", "get", "ttsr.contextMod"], 2, /did you mean "ttsr\.contextMode"/i],
    [
      "a folder of rules that is none",
      ["-p", "-m", "demo/showcase", "--rules", "/no/such", "hi"],
      2,
      /--rules \/no\/such/,
    ],
    ["a thinking level that is none", ["-p", "-m", "anthropic/claude-sonnet-5:hihg", "hi"], 2, /"hihg".*"high"/],
    ["words that name no model", ["-p", "-m", "/x", "hi"], 2, /"\/x" names no model/],
    ["a setting without a value", ["-p", "-m", "demo/showcase", "--set", "thinking", "hi"], 2, /--set takes key=value/],
  ];
  it.each(FLAGS)("%s", async (_, args, code, said) => {
    world = await World.open([]);
    if (args.join(" ") === "-p hi") world.withoutModels();
    await fails(args, code, said);
  });

  it("no model at all, with a server on a usual port that the user does not want to be looked for", async () => {
    world = await World.open([]);
    world.withoutModels();
    const server = createServer((_, response) => response.end('{"data":[{"id":"found-on-this-machine"}]}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = { OLLAMA_HOST: `127.0.0.1:${port}` };
    const models = async (): Promise<string> => (await world.run(["models"], { env })).stdout;
    try {
      expect((await world.run(["-p", "hi"], { env })).code).toBe(3);
      expect(await models()).not.toContain("found-on-this-machine");
      writeFileSync(join(world.config, "models.yml"), "");
      expect(await models()).toContain("found-on-this-machine");
    } finally {
      server.close();
    }
  });

  it("a settings file: file, line, and what was meant", async () => {
    world = await World.open([]);
    writeFileSync(join(world.config, "settings.yml"), "thinking: low\nttsr:\n  retryDelay: 5\n");
    await fails(["-p", "-m", "demo/showcase", "hi"], 2, /settings\.yml:3: .*retryDelay.*retryDelayMs/);
    writeFileSync(join(world.config, "settings.yml"), "thinking: [low\n");
    await fails(["-p", "-m", "demo/showcase", "hi"], 2, /settings\.yml:\d: .*YAML/);
  });

  it("a variable of the environment: its name", async () => {
    world = await World.open([]);
    const run = await world.run(["-p", "-m", "demo/showcase", "hi"], { env: { TTSR_AGENT_THINKING: "hihg" } });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/^ttsr-agent: TTSR_AGENT_THINKING: .*Did you mean "high"\?\n$/);
  });

  it("a models file: file and line", async () => {
    world = await World.open([]);
    writeFileSync(
      join(world.config, "models.yml"),
      "providers:\n  mine:\n    wire: openai-chats\n    baseUrl: http://127.0.0.1:1/v1\n",
    );
    await fails(["-p", "-m", "mine/x", "hi"], 2, /models\.yml:3: .*openai-chat/);
  });

  it("an unreachable server", async () => {
    world = await World.open([]);
    const yaml =
      "providers:\n  gone:\n    wire: openai-chat\n    baseUrl: http://127.0.0.1:48123/v1\n    models: [{ id: m }]\n";
    writeFileSync(join(world.config, "models.yml"), yaml);
    await fails(
      ["-p", "--no-rules", "--set", "retry.maxAttempts=0", "-m", "gone/m", "hi"],
      1,
      /Nothing answers at http:\/\/127\.0\.0\.1:48123\/v1/,
    );
  });
});

describe("what is asked of the program itself", () => {
  it("models: the table and --json show the same, with and without --all", async () => {
    world = await World.open([]);
    const specs = async (...more: string[]): Promise<[string[], string[]]> => {
      const table = (await world.run(["models", ...more])).stdout.split("\n\n")[0] ?? "";
      const { models } = JSON.parse((await world.run(["models", "--json", ...more])).stdout);
      return [
        table
          .trim()
          .split("\n")
          .map((row) => row.split(" ")[0] ?? ""),
        models.map(({ spec }: { spec: string }) => spec),
      ];
    };
    const [ready, readyJson] = await specs();
    expect(readyJson).toEqual(ready);
    expect(ready).toContain("openai-chat/m");
    expect(ready).not.toContain("anthropic/claude-sonnet-5");
    const [all, allJson] = await specs("--all");
    expect(allJson).toEqual(all);
    expect(all).toContain("anthropic/claude-sonnet-5");
  });

  it("--help, help and --version are answered on stdout with exit 0", async () => {
    world = await World.open([]);
    for (const args of [
      ["--help"],
      ["help"],
      ["help", "rules"],
      ["help", "rules", "check"],
      ...["rules", "sessions", "config", "models", "demo"].map((name) => [name, "--help"]),
    ]) {
      const run = await world.run(args);
      expect([args, run.code, run.stderr]).toEqual([args, 0, ""]);
      expect(run.stdout).toMatch(/^Usage: ttsr-agent/);
      expect(run.stdout).toMatch(/Example/);
    }
    for (const group of ["config", "sessions", "rules"]) {
      expect(await world.run([group])).toMatchObject({ code: 0, stderr: "" });
    }
    expect(await world.run(["modles"])).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean") });
    expect(await world.run(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe("faults of a provider", () => {
  it("401 is exit 3 and is not tried again", async () => {
    world = await World.open([{ status: 401 }]);
    const run = await world.print(["hi"]);
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/did not accept the credentials/);
    expect(world.server.requests).toHaveLength(1);
  });

  it("F1: 429 is waited out, visibly", async () => {
    world = await World.open([{ status: 429 }, say("Here.")]);
    const run = await world.print(["--set", "retry.baseDelayMs=1", "hi"]);
    expect(run).toMatchObject({ code: 0, stdout: "Here.\n" });
    expect(run.stderr).toMatch(/slow down \(429\): [^:]*[^.]\. Trying again in [\d.]+ s \(1 of 4\)\.\n/);
  });

  it("F5, F11: a cut answer runs no tool", async () => {
    world = await World.open([callTool("write", { path: "a.txt", content: "half of it" }, { cutAfter: 6 })]);
    const run = await world.print([
      "--set",
      "retry.maxAttempts=0",
      "--permission-mode",
      "yolo",
      "--output-format",
      "stream-json",
      "hi",
    ]);
    expect(run.code).toBe(1);
    expect(run.events().some((event) => event.type === "tool_execution_start")).toBe(false);
  });
});

describe("nothing is lost", () => {
  it("a broken rule is named with its line, the others work, the session starts", async () => {
    world = await World.open([say("Use eval( now and so on and on"), say("Fine.")], {
      ".rules/broken.md": "---\nttsr_trigger: '(unclosed'\n---\nBody\n",
      ".rules/js.md": "---js\nmodule.exports = {}\n---\nBody\n",
    });
    const run = await world.print(["hi"]);
    expect(run).toMatchObject({ code: 0, stdout: "Fine.\n" });
    expect(run.stderr).toMatch(/broken\.md:2: /);
    expect(run.stderr).toMatch(/js\.md:1: /);
    expect(run.stderr).toContain("rule ⟲ no-eval");
  });

  it("F46: a reader that goes away ends it quietly, headless and in subcommands", async () => {
    world = await World.open([say("line\n".repeat(20_000), { chunk: "whole" })]);
    for (const args of ["-p --trust -m anthropic-messages/m hi", "rules list", "config get", "--help"]) {
      const line = `"${process.execPath}" "${BIN}" ${args} | head -1`;
      const run = await promisify(exec)(line, { cwd: world.project, env: world.env });
      expect(run.stderr).not.toMatch(/EPIPE|^\s+at /m);
    }
  });

  it("F48: a state folder that cannot be written is one notice, not the end", async () => {
    world = await World.open([say("Still here.")]);
    writeFileSync(join(world.root, "state"), "a file where the folder should be");
    const run = await world.print(["hi"]);
    expect(run).toMatchObject({ code: 0, stdout: "Still here.\n" });
    expect(run.stderr.trim().split("\n")).toHaveLength(1);
  });

  it("Ctrl+C ends it with 130 and keeps what was said", async () => {
    world = await World.open([say("slow and slow and slow and slow", { stallAfter: 6 }), say("Back.")]);
    const run = await world.run(
      ["-p", "--trust", "-m", "anthropic-messages/m", "--output-format", "stream-json", "hi"],
      { kill: (kill, told) => told("slow", () => kill("SIGINT")) },
    );
    expect(run.code).toBe(130);
    const again = await world.print(["-c", "and?"]);
    expect(again.code).toBe(0);
    const sent = world.server.requests[1]?.neutral().messages ?? [];
    expect(sent[0]?.text).toBe("hi");
    expect(sent[1]?.text).toMatch(/^slow/);
  });
});
