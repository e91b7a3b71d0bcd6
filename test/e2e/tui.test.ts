import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callTool, holdAfter, type ModelServer, say, startModelServer } from "../server/index.js";
import { PtyProgram } from "../support/pty.js";
import { door } from "../support/wait.js";

const RULE = `---
description: Never build code from strings
ttsr_trigger: '\\beval\\s*\\('
instead: Write a parser.
---
eval runs whatever text reaches it.
`;

let root: string;
let project: string;
let server: ModelServer;
let program: PtyProgram | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-tui-"));
  project = join(root, "project");
  mkdirSync(join(project, ".rules"), { recursive: true });
  mkdirSync(join(root, "config"));
  writeFileSync(join(project, ".rules", "no-eval.md"), RULE);
});

afterEach(async () => {
  program?.kill("SIGKILL");
  program = undefined;
  await server?.close();
  rmSync(root, { recursive: true, force: true });
});

async function start(
  script: Parameters<typeof startModelServer>[0]["script"],
  args: string[] = ["--trust"],
  size: { columns?: number; rows?: number } = {},
  first = "anthropic/test-model",
) {
  await server?.close();
  server = await startModelServer({ script });
  program = new PtyProgram({
    args: ["-m", "anthropic/test-model", "--no-builtin-rules", ...args],
    cwd: project,
    env: {
      TTSR_AGENT_HOME: join(root, "config"),
      TTSR_AGENT_STATE: join(root, "state"),
      HOME: root,
      ANTHROPIC_API_KEY: "test",
      ANTHROPIC_BASE_URL: server.url("anthropic-messages"),
    },
    ...size,
  });
  await program.until(first);
  return program;
}

const BAD = callTool(
  "write",
  { path: "a.mjs", content: "export const a = (s) => eval(s);\n// and on\n// and on\n" },
  { gapMs: 8 },
);
const GOOD = callTool("write", { path: "a.mjs", content: "export const a = (s) => parse(s);\n" });

describe.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])("TTSR-10.1 an interrupt on a screen of $columns x $rows", (size) => {
  it("shows the notice, the retry, no failure, and the prompt again; TTSR-10.2: nothing of the match", async () => {
    const tui = await start([BAD, GOOD, say("All done.")], ["--trust", "--permission-mode", "auto-edit"], size);
    tui.write("write it\r");
    await tui.until("All done.");
    await tui.until((screen) => screen.includes("Ask for something") && screen.includes("1 hit"));
    const seen = tui.all();
    expect(seen).toContain("rewound by rule no-eval");
    expect(seen).toMatch(/⟲ no-eval · write a\.mjs · \d+ tokens cut/);
    expect(seen).toContain("Never build code from strings");
    expect(seen).not.toMatch(/aborted|error|failed/i);
    expect(readFileSync(join(project, "a.mjs"), "utf8")).toBe("export const a = (s) => parse(s);\n");
    // Only the excerpt of the notice holds it; the call that was cut ends before.
    expect(seen.split("eval(").length - 1).toBe(1);
    expect(tui.raw).not.toContain("\u001b[3J");
    expect(server.requests).toHaveLength(3);
  });
});

describe("questions", () => {
  it("asks before an edit with its diff, and takes 3 for no and 1 for yes", async () => {
    const tui = await start([GOOD, GOOD, say("All done.")]);
    tui.write("write it\r");
    await tui.until("Allow write?");
    expect(tui.screen()).toContain("export const a");
    tui.write("3");
    await tui.until((screen) => screen.includes("Allow write?") && tui.all().includes("denied"));
    expect(existsSync(join(project, "a.mjs"))).toBe(false);
    tui.write("1");
    await tui.until("All done.");
    expect(existsSync(join(project, "a.mjs"))).toBe(true);
  });

  it("S1, TTSR-1.7: asks for trust once, with no as the first choice, and obeys nothing before", async () => {
    const tui = await start([BAD, say("Written.")], ["--permission-mode", "yolo"], {}, "Trust this folder?");
    expect(tui.screen()).toContain("no-eval");
    tui.write("\r");
    await tui.until("0 rules");
    tui.write("write it\r");
    await tui.until("Written.");
    expect(readFileSync(join(project, "a.mjs"), "utf8")).toContain("eval(");
  });
});

describe("keys", () => {
  it("Esc stops at once and the text so far stays; the session goes on", async () => {
    const tui = await start([
      say("one two three four five six seven eight nine ten", { stallAfter: 8 }),
      say("Here again."),
    ]);
    tui.write("count\r");
    await tui.until("one two");
    tui.write("\u001b");
    await tui.until("Stopped.");
    expect(tui.all()).not.toContain("nine ten");
    tui.write("again\r");
    await tui.until("Here again.");
  });

  it("pastes without sending, takes a new line with Ctrl+J, and keeps the cursor where the user writes", async () => {
    const tui = await start([say("ok")]);
    tui.write("\u001b[200~two\nlines\u001b[201~");
    await tui.until("lines");
    expect(server.requests).toHaveLength(0);
    tui.write("\nthird");
    await tui.until("third");
    expect(tui.cursor.x).toBe(2 + "third".length);
    tui.write("\r");
    await tui.until("ok");
    expect(server.requests[0]?.neutral().messages[0]?.text).toBe("two\nlines\nthird");
  });

  it("queues what is typed meanwhile", async () => {
    const rest = door();
    const slow = say("a long answer that takes its time to come", holdAfter(8, rest.opened));
    const tui = await start([slow, say("second answer")]);
    tui.write("first\r");
    await tui.until("a long");
    tui.write("second\r");
    await tui.until("queued: second");
    rest.open();
    await tui.until("second answer");
    expect(server.requests).toHaveLength(2);
  });

  it("/rules shows the rule with its hits, Esc closes it, Ctrl+C twice quits and says how to go on", async () => {
    const tui = await start([BAD, say("Fine.")]);
    tui.write("go\r");
    await tui.until("Fine.");
    tui.write("/rules\r");
    await tui.until((screen) => screen.includes("Rules") && screen.includes("1 hit"));
    tui.write("\u001b");
    await tui.until("Ask for something");
    tui.write("\u0003");
    await tui.until("Ctrl+C again quits");
    tui.write("\u0003");
    expect(await tui.untilExit()).toBe(0);
    expect(tui.all()).toContain("ttsr-agent --resume");
    expect(tui.raw).toContain("\u001b[?2004l");
  });
});

describe("the terminal", () => {
  it("F44: a closed terminal ends the program within seconds, and the session is saved", async () => {
    const tui = await start([say("saved words")]);
    tui.write("hello\r");
    await tui.until("saved words");
    tui.kill("SIGHUP");
    await tui.untilExit();
    const again = await start([say("Here.")], ["--trust", "--continue"]);
    await again.until("saved words");
  });

  it("follows a new size without ghosts", async () => {
    const tui = await start([say("ok")]);
    tui.resize(50, 15);
    await tui.until((screen) => screen.split("Ask for something").length === 2);
    tui.resize(20, 10);
    tui.write("x");
    await tui.until("› x");
  });
});
