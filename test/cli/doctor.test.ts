import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkLines, runChecks } from "../../src/cli/doctor/index.js";
import { firstScreen } from "../../src/cli/first-screen.js";
import { systemClock } from "../../src/platform/clock.js";

let root: string;
/** Path → the ids of the models that a server on that port has. */
let servers: Record<string, string[]>;

const fetchFake: typeof globalThis.fetch = async (input) => {
  const { port } = new URL(String(input));
  const models = servers[port];
  if (!models) throw new TypeError("fetch failed");
  return new Response(JSON.stringify({ data: models.map((id) => ({ id })) }));
};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-doctor-")));
  mkdirSync(join(root, "project"));
  servers = {};
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, text: string): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const PATH = process.env["PATH"] ?? "";
const GOOD_ENV = { PATH, TERM: "xterm-256color", LANG: "C.UTF-8", ANTHROPIC_API_KEY: "sk-secret" };

async function checks(env: NodeJS.ProcessEnv = GOOD_ENV, more: { nodeVersion?: string; terminal?: undefined } = {}) {
  return runChecks({
    cwd: join(root, "project"),
    env,
    dirs: { config: join(root, "config"), state: join(root, "state") },
    terminal: { columns: 80, rows: 24 },
    fetch: fetchFake,
    clock: systemClock,
    nodeVersion: "20.20.2",
    ...more,
  });
}

async function find(name: string, ...from: Parameters<typeof checks>) {
  return (await checks(...from)).filter((check) => check.name === name);
}

describe("doctor", () => {
  it("looks at everything, each once, and fails nothing where all is well", async () => {
    const all = await checks();
    const names = all.map(({ name }) => name);
    for (const name of "node terminal keybindings state settings keys servers model rules git search sandbox".split(
      " ",
    )) {
      expect(names).toContain(name);
    }
    expect(all.filter(({ status }) => status === "fail")).toEqual([]);
    // Whatever is not well says what to do.
    for (const { status, advice } of all) expect(advice !== undefined).toBe(status !== "ok");
    expect(JSON.stringify(all)).not.toContain("sk-secret");
  });

  it("keys and model: none, one, and a models.yml that cannot be read", async () => {
    const bare = { PATH, TERM: "xterm", LANG: "C.UTF-8" };
    expect(await find("keys", bare)).toMatchObject([{ status: "warn", message: "none is set" }]);
    expect(await find("model", bare)).toMatchObject([
      { status: "fail", advice: expect.stringContaining("ANTHROPIC_API_KEY") },
    ]);
    expect(await find("keys")).toMatchObject([{ status: "ok", message: "found for anthropic" }]);
    expect((await find("model"))[0]?.message).toMatch(/^anthropic\//);
    write("config/models.yml", "providers: [\n");
    expect(await find("model")).toMatchObject([{ status: "fail", message: expect.stringContaining("models.yml") }]);
  });

  it("servers: nobody, one with models, one without", async () => {
    expect((await find("servers"))[0]?.message).toContain("Ollama at 127.0.0.1:11434");
    servers = { "11434": ["qwen3-coder"], "1234": [] };
    expect(await find("servers")).toMatchObject([
      { status: "ok", message: "Ollama: qwen3-coder; LM Studio: no model" },
    ]);
    servers = { "11434": [] };
    expect(await find("servers")).toMatchObject([{ status: "warn", advice: expect.stringContaining("ollama pull") }]);
  });

  it("terminal: a pipe, a dumb one, a small one, a locale that is not UTF-8", async () => {
    expect((await find("terminal", GOOD_ENV, { terminal: undefined }))[0]).toMatchObject({ status: "ok" });
    expect((await find("terminal", { ...GOOD_ENV, TERM: "dumb" }))[0]).toMatchObject({ status: "warn" });
    expect((await find("terminal", { ...GOOD_ENV, COLORTERM: "truecolor", TMUX: "x" }))[0]?.message).toBe(
      "xterm-256color, 80x24, 16 million colours, in tmux",
    );
    expect(await find("characters", { ...GOOD_ENV, LANG: "C" })).toMatchObject([{ status: "warn" }]);
  });

  it("rules: broken ones with their reason, untrusted ones", async () => {
    write("config/rules/dead.md", "---\nttsr_trigger: '(('\n---\nBody\n");
    write("project/.rules/new.md", "---\nttsr_trigger: eval\n---\nBody\n");
    write("config/rules/wrong.md", "---\nttsr_trigger: eval\nexamples: { silent: [eval] }\n---\nBody\n");
    expect((await find("rule")).map(({ status, message }) => [status, message.replace(/^.*\//, "")])).toEqual([
      ["fail", "dead.md: A group is opened with ( and never closed."],
      ["fail", 'wrong.md: It should be silent on "eval", and fires in the model\'s text at "eval".'],
    ]);
    const rules = await find("rules");
    expect(rules[0]?.message).toMatch(/^\d+ armed of \d+ found$/);
    expect(rules[1]).toMatchObject({ status: "warn", advice: expect.stringContaining("rules trust") });
  });

  it("an old node, a bad setting, a bad key binding, a folder without git", async () => {
    expect(await find("node", GOOD_ENV, { nodeVersion: "20.9.0" })).toMatchObject([{ status: "fail" }]);
    write("config/settings.yml", "ttsr:\n  contextMod: keep\n");
    write("config/keybindings.yml", "undo: nothing\n");
    expect(await find("settings")).toMatchObject([
      { status: "fail", message: expect.stringContaining("settings.yml:2") },
    ]);
    expect(await find("keybindings")).toMatchObject([
      { status: "fail", message: expect.stringContaining("keybindings.yml:1") },
    ]);
    expect(await find("git")).toMatchObject([{ status: "warn", message: expect.stringContaining("no repository") }]);
  });

  it("for people: the advice below what was found, nothing of a file's name can steer the terminal", () => {
    const lines = checkLines([
      { name: "git", status: "ok", message: "2.0" },
      { name: "sandbox", status: "warn", message: "none\u001b[2J", advice: "Take care." },
    ]);
    expect(lines).toEqual(["ok    git      2.0", "warn  sandbox  none", "               Take care."]);
  });
});

describe("a start without a model", () => {
  const deps = () => ({
    env: {},
    dirs: { config: join(root, "config") },
    fetch: fetchFake,
    clock: systemClock,
  });

  it("shows key, server and demo on one screen of 80 columns", async () => {
    const lines = await firstScreen("/tmp/demo", deps());
    expect(lines.join("\n")).toContain("server  none on 11434 Ollama, 1234 LM Studio, 8080 llama.cpp, 8000 vLLM");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(77);
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  it("tells of a server that is there without a model", async () => {
    servers = { "11434": [] };
    expect((await firstScreen("/tmp/demo", deps())).join("\n")).toContain(
      "Ollama answers at 127.0.0.1:11434, but it has no model",
    );
  });
});
