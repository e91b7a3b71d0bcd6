/** The first ten minutes of a new user, typed; each screen is kept in test/fixtures/first-minutes. `npm run screens` writes them anew: look at each. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callTool, type ModelServer, say, startModelServer } from "../server/index.js";
import { expectKeptScreen } from "../support/kept-screen.js";
import { NO_EVAL } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";

const SCREENS = fileURLToPath(new URL("../fixtures/first-minutes", import.meta.url));
const BAD = callTool(
  "write",
  { path: "a.mjs", content: "export const a = (s) => eval(s);\n// and on\n" },
  { gapMs: 4 },
);
const GOOD = callTool("write", { path: "a.mjs", content: "export const a = (s) => parse(s);\n" });

let root: string;
let project: string;
let server: ModelServer;
let tui: PtyProgram;

function write(name: string, text: string): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-screens-")));
  project = join(root, "project");
  write("project/.rules/no-eval.md", NO_EVAL);
  write("project/src/parser.ts", "export const parse = (s: string) => s;\n");
  server = await startModelServer({
    script: [GOOD, say("It parses now."), BAD, GOOD, say("Done without eval."), BAD, say("Written as you said.")],
  });
  connect(false);
});

/** Servers of this machine are looked for on ports where nobody answers; the test's own model is there or not. */
function connect(model: boolean): void {
  const locals = ["ollama", "lmstudio", "llamacpp", "vllm"].map(
    (id, i) => `  ${id}: { baseUrl: "http://127.0.0.1:${i + 1}/v1" }\n`,
  );
  const url = server.url("anthropic-messages");
  const own = `  test:\n    wire: anthropic-messages\n    baseUrl: ${url}\n    apiKey: x\n    models: [{ id: m, contextWindow: 100000 }]\n`;
  write("config/models.yml", `providers:\n${locals.join("")}${model ? own : ""}`);
}

afterEach(async () => {
  tui?.kill("SIGKILL");
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

function start(size: { columns: number; rows: number }, args: string[]): PtyProgram {
  tui = new PtyProgram({
    args,
    cwd: project,
    env: { HOME: root, TTSR_AGENT_HOME: join(root, "config"), TTSR_AGENT_STATE: join(root, "state"), COLORTERM: "" },
    ...size,
  });
  return tui;
}

/** Without what differs from run to run: folders, ids, dates, what the demo has typed so far. */
function scrubbed(screen: string): string {
  return `${screen
    .replaceAll(root, "/home/ada")
    .replaceAll(/…\S*agent-demo-\S+/g, "…demo")
    .replaceAll(/\/\S*ttsr-agent-demo-\S+/g, "/tmp/ttsr-agent-demo")
    .replaceAll(/› (?:Make|Ask) .*(?=\n.*showcase)/g, "› …")
    // How many there are in the bundled pack is not its matter.
    .replaceAll(/(?<=demo\/showcase · )\d+ rules/g, "9 rules")
    .replaceAll(/\b[0-9a-f]{12}\b/g, "0123456789ab")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-01-02 03:04")
    .replaceAll(/ +$/gm, "")}\n`;
}

describe.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])("the first ten minutes on $columns x $rows", (size) => {
  let shots = 0;
  beforeEach(() => {
    shots = 0;
  });

  async function shot(name: string): Promise<void> {
    shots++;
    const file = `${String(shots).padStart(2, "0")}-${name}.txt`;
    await expectKeptScreen(tui, join(SCREENS, `${size.columns}x${size.rows}`, file), () => scrubbed(tui.screen()));
  }

  /** At rest: nothing runs, no passing word stands in the status line. */
  async function settled(wanted: string | RegExp): Promise<void> {
    await tui.until((screen) => {
      const has = typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen);
      return has && !/working|rewinding|starting/.test(screen);
    });
  }

  async function type(keys: string, wanted: string | RegExp): Promise<void> {
    tui.write(keys);
    await settled(wanted);
  }

  it("start, prompt, permission, interrupt, mute, resume", { timeout: 300_000 }, async () => {
    start(size, []);
    await tui.until((screen) => screen.includes("Then start again") && screen.includes("demo/showcase"));
    await shot("no-model");
    tui.kill("SIGKILL");

    connect(true);
    start(size, ["-m", "test/m", "--no-builtin-rules"]);
    await settled("Trust this folder?");
    await shot("trust");
    await type("2", "1 rule");
    await shot("prompt");
    await type("/", "keys and commands");
    await shot("commands");
    await type("\u0015look at @par", "› src/parser.ts");
    await shot("files");
    await type("\tand write a.mjs", "write a.mjs");
    await type("\r", "Allow write?");
    await shot("permission");
    await type("5", "Allow what fits");
    await shot("permission-pattern");
    await type("\u001b", "1  Allow once");
    await type("2", "It parses now.");
    await shot("answer");

    await type("now with eval\r", "Done without eval.");
    await settled("1 hit");
    await shot("interrupt");
    await type("\u0014", "Let it through once");
    await shot("interrupt-choices");
    await type("3", "must stay silent?");
    await shot("false-alarm");
    await type("\u001b", "Let it through once");
    await type("2", "is muted for this session");
    await shot("muted");
    await type("I mean it\r", "Written as you said.");
    await shot("muted-answer");
    await type("/rules\r", "m mutes");
    await shot("rules");
    await type("\u001b", "Ask for something");
    await type("\u0012eval", "search:");
    await shot("history");
    await type("\u001b", "Ask for something");
    await type("/help\r", "PgUp PgDn");
    await shot("help");
    await type("\u001b", "Ask for something");
    await type("/usage\r", "Tokens of this session");
    await shot("usage");
    tui.write("\u0004");
    expect(await tui.untilExit()).toBe(0);
    await shot("quit");

    start(size, ["-m", "test/m", "--no-builtin-rules", "--continue"]);
    await settled("Written as you said.");
    await shot("continue");
    await type("/new\r", "A new conversation");
    await type("/resume\r", "Go on with");
    await shot("resume-picker");
    await type("1", /Written as you said\.\s+› Ask/);
    await shot("resumed");
  });
});
