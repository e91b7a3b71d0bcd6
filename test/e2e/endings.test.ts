/** How a headless run ends when it does not end by itself: what is said, the exit code, and that nothing is lost. */
import { exec } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, say } from "../server/index.js";
import { BIN, World } from "../support/program.js";
import { until } from "../support/wait.js";

let world: World;
afterEach(() => world.close());

const LONG = "slow and ".repeat(200);

/** The text of the one session log there is. */
function log(): string {
  const dir = join(world.state, "sessions");
  const files = readdirSync(dir, { recursive: true }).map(String);
  return files
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(dir, name), "utf8"))
    .join("");
}

/** A killed process that nobody has waited for is dead too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return existsSync("/proc/self") ? !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8")) : true;
  } catch {
    return false;
  }
}

describe("a provider that fails", () => {
  it("five 500s: four visible retries, then one sentence and exit 1; the prompt is kept for -c", async () => {
    world = await World.open((_, index) => (index < 5 ? { status: 500 } : say("There again.")));
    const run = await world.print(["--set", "retry.baseDelayMs=1", "Say it."]);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(world.server.requests).toHaveLength(5);
    const lines = run.stderr.trim().split("\n");
    expect(lines.filter((line) => /Trying again in .* \(\d of 4\)/.test(line))).toHaveLength(4);
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toMatch(/\(500\).*(try again|another model)/);

    expect(await world.print(["-c", "And now?"])).toMatchObject({ code: 0, stdout: "There again.\n" });
    const texts = world.server.requests[5]?.neutral().messages.map(({ text }) => text) ?? [];
    expect([texts[0], texts.at(-1)]).toEqual(["Say it.", "And now?"]);
  });

  it("the wait that the server asks for is kept", async () => {
    world = await World.open([{ status: 429, retryAfter: 1 }, say("Here.")]);
    const run = await world.print(["--set", "retry.baseDelayMs=1", "hi"]);
    expect(run).toMatchObject({ code: 0, stdout: "Here.\n" });
    const [first, second] = world.server.requests;
    expect(second!.arrivedAt - first!.closedAt!).toBeGreaterThan(900);
  });

  it("no key of the user is ever shown, even where the provider echoes it", async () => {
    world = await World.open([{ status: 401, body: { error: { message: "bad key test-key" } } }]);
    const yaml = readFileSync(join(world.config, "models.yml"), "utf8").replaceAll("test-key", "test-key-secret");
    writeFileSync(join(world.config, "models.yml"), yaml);
    const run = await world.print(["--output-format", "stream-json", "hi"]);
    expect(run.code).toBe(3);
    expect(`${run.stdout}${run.stderr}${log()}`).not.toContain("test-key-secret");
  });
});

describe("budgets", () => {
  it("--timeout: the connection is closed, the reason is said, exit 4, what came is kept", async () => {
    world = await World.open([say(LONG, { stallAfter: 9 }), say("Later.")]);
    // The time runs from the prompt on, not from the start of the program.
    const run = await world.print(["--timeout", "3", "hi"]);
    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(/^.*--timeout.*\n$/);
    await world.server.requests[0]!.done;
    expect(world.server.requests[0]!.closedEarly).toBe(true);
    expect(log()).toContain("slow and slow");
  });

  it("--max-cost: exit 4, with the figure; by the user's own prices, and without a price it says that it cannot hold", async () => {
    const price = "price: { input: 1000000, output: 1000000 }";
    world = await World.open([say("Cheap?"), callTool("ls", {}), say("Never asked for.")]);
    expect((await world.print(["--max-cost", "1", "hi"])).stderr).toMatch(
      /^--max-cost cannot hold: .*models\.yml\.\n$/,
    );
    const yaml = readFileSync(join(world.config, "models.yml"), "utf8").replaceAll(
      "maxOutput: 4000",
      `maxOutput: 4000, ${price}`,
    );
    writeFileSync(join(world.config, "models.yml"), yaml);
    const run = await world.print(["--max-cost", "1", "hi"]);
    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(/cost \$\d+\.\d\d, past --max-cost 1/);
    expect(world.server.requests).toHaveLength(2);
  });
});

describe("interruption", () => {
  it("TTSR-9.2: Ctrl+C in the gap of an interrupt: exit 130, no further request, the cut attempt is never sent", async () => {
    world = await World.open([say("Use eval( for this, and so on."), say("Fine.")]);
    const run = await world.run(
      [
        "-p",
        "--trust",
        "-m",
        "openai-chat/m",
        "--set",
        "ttsr.retryDelayMs=30000",
        "--output-format",
        "stream-json",
        "go",
      ],
      { kill: (kill, told) => told("ttsr_triggered", () => kill("SIGINT")) },
    );
    expect(run.code).toBe(130);
    expect(world.server.requests).toHaveLength(1);
    expect(run.events().at(-1)).toMatchObject({ type: "result", status: "aborted" });
    expect((await world.print(["-c", "Go on."])).stdout).toBe("Fine.\n");
    const texts = world.server.requests[1]!.neutral().messages.map(({ text }) => text);
    expect(texts.join("\n")).not.toMatch(/eval\(|system-interrupt/);
    expect([texts[0], texts.at(-1)]).toEqual(["go", "Go on."]);
  });

  it("Ctrl+C while a command runs: the command ends with it", async () => {
    world = await World.open([callTool("bash", { command: "echo $$ > pid; sleep 300; touch late" })]);
    const file = join(world.project, "pid");
    const commandPid = (): number => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
    const run = await world.run(
      ["-p", "--trust", "-m", "gemini/m", "--permission-mode", "yolo", "--output-format", "stream-json", "go"],
      { kill: (kill) => void until(() => commandPid() > 0).then(() => kill("SIGINT")) },
    );
    expect(run.code).toBe(130);
    const pid = commandPid();
    expect(isAlive(pid)).toBe(false);
    expect(world.server.requests).toHaveLength(1);
  });

  it("F46: a reader that goes away ends the run and the request, with exit 0 and a session that loads", async () => {
    world = await World.open([say(LONG, { gapMs: 2 }), say("Back.")]);
    const args = "-p --trust -m anthropic-messages/m --output-format stream-json hi";
    const line = `set -o pipefail; "${process.execPath}" "${BIN}" ${args} | head -9`;
    const run = await promisify(exec)(line, { cwd: world.project, env: world.env, shell: "/bin/bash" });
    expect(run.stderr).toBe("");
    await world.server.requests[0]!.done;
    expect(world.server.requests[0]!.closedEarly).toBe(true);
    expect((await world.print(["-c", "and?"])).stdout).toBe("Back.\n");
    expect(world.server.requests[1]!.neutral().messages[0]!.text).toBe("hi");
  });
});

describe("input", () => {
  it("piped standard input goes after the prompt, or is the prompt", async () => {
    world = await World.open([say("One."), say("Two.")]);
    const args = ["-p", "--trust", "-m", "openai-responses/m"];
    await world.run([...args, "Review", "this:"], { stdin: "+ a line\n" });
    await world.run(args, { stdin: "Only this.\n" });
    const texts = world.server.requests.map((request) => request.neutral().messages[0]!.text);
    expect(texts).toEqual(["Review this:\n\n+ a line", "Only this."]);
  });

  it("an empty pipe is no prompt: exit 2", async () => {
    world = await World.open([]);
    const run = await world.run(["-p", "-m", "openai-chat/m"], { stdin: "" });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/no prompt/);
  });

  it("--rules adds a folder, --no-rules takes all away, -C changes the folder", async () => {
    const text = "Say forbidden things and more.";
    world = await World.open([say(text), say("Better."), say(text), say(text)], {
      "more/no-forbidden.md": "---\nttsr_trigger: forbidden\n---\nNot that word.\n",
    });
    const outside = join(world.root, "outside");
    mkdirSync(outside);
    const model = ["-p", "-m", "openai-chat/m"];
    expect((await world.run([...model, "--rules", "more", "hi"])).stdout).toBe("Better.\n");
    expect((await world.run([...model, "--rules", "more", "--no-rules", "hi"])).stdout).toBe(`${text}\n`);
    const elsewhere = await world.run([...model, "-C", outside, "--output-format", "stream-json", "hi"]);
    expect(elsewhere.events()[0]).toMatchObject({ cwd: outside });
  });
});
