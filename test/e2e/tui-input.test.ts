import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callTool, holdAfter, say } from "../server/index.js";
import { World } from "../support/program.js";
import { BIN, PtyProgram } from "../support/pty.js";
import { door } from "../support/wait.js";

const BAD = callTool(
  "write",
  { path: "a.mjs", content: "export const a = (s) => eval(s);\n// and on\n" },
  { gapMs: 4 },
);
const GOOD = callTool("write", { path: "a.mjs", content: "export const a = (s) => parse(s);\n" });
const ARGS = ["-m", "anthropic-messages/m", "--no-builtin-rules", "--trust"];

let world: World;
let tui: PtyProgram | undefined;

async function open(script: Parameters<typeof World.open>[0], args: string[] = [], env: Record<string, string> = {}) {
  world = await World.open(script);
  return start(args, env);
}

async function start(args: string[] = [], env: Record<string, string> = {}): Promise<PtyProgram> {
  tui = new PtyProgram({ args: [...ARGS, ...args], cwd: world.project, env: { ...world.env, ...env } });
  await tui.until("anthropic-messages/m");
  return tui;
}

/** A program that stands for the user's editor. */
function fakeEditor(body: string): string {
  const path = join(world.root, "editor.sh");
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

function prompts(): string[] {
  return world.server.requests.map((request) => request.neutral().messages.at(-1)?.text ?? "");
}

afterEach(async () => {
  tui?.kill("SIGKILL");
  tui = undefined;
  await world.close();
});

describe.skipIf(process.platform === "win32" || !existsSync("/bin/bash"))("Ctrl+Z", () => {
  it("gives the terminal back to the shell, and fg draws the face again with what was written", async () => {
    world = await World.open([say("still here")]);
    const shell = new PtyProgram({
      shell: { file: "/bin/bash", args: ["--norc", "--noprofile", "-i"] },
      cwd: world.project,
      env: { ...world.env, PS1: "shell> ", BASH_SILENCE_DEPRECATION_WARNING: "1" },
    });
    tui = shell;
    await shell.until("shell>");
    shell.write(`'${process.execPath}' '${BIN}' ${ARGS.join(" ")}\r`);
    await shell.until("Ask for something");
    shell.write("half a thou");
    await shell.until("half a thou");
    const before = shell.raw.length;
    shell.write("\u001a");
    await shell.until((screen) => screen.includes("Stopped"));
    // Pastes are plain again, the cursor is seen.
    const leaving = shell.raw.slice(before);
    expect(leaving).toContain("\u001b[?2004l");
    expect(leaving).toContain("\u001b[?25h");
    expect(shell.screen()).not.toContain("half a thou");
    // The shell echoes: the terminal is not raw any more.
    shell.write("echo in the $((40+2)) shell\r");
    await shell.until("in the 42 shell");
    shell.write("fg\r");
    await shell.until((screen) => screen.includes("half a thou") && screen.includes("anthropic-messages/m"));
    // Nothing of the shell's was wiped.
    expect(shell.screen()).toContain("in the 42 shell");
    shell.write("ght\r");
    await shell.until("still here");
    expect(prompts()).toEqual(["half a thought"]);
    shell.write("\u0004");
    await shell.until((screen) => screen.trimEnd().endsWith("shell>"));
  });

  it("without a shell that could wake it: goes on", async () => {
    const program = await open([say("here")]);
    program.write("\u001a");
    await program.until((screen) => !screen.includes("Ask for something"));
    await program.until("Ask for something");
    program.write("hello\r");
    await program.until("here");
  });
});

describe("an editor of one's own", () => {
  it("Ctrl+G: the editor has the terminal, its text comes back, answers that streamed meanwhile are seen then", async () => {
    const rest = door();
    world = await World.open([
      say("one two three four five six seven", holdAfter(6, rest.opened)),
      say("second answer"),
    ]);
    const wait = "i=0; while [ ! -e leave ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done";
    const body = `cat "$1" > seen.txt; echo IN THE EDITOR; ${wait}; printf "written\\\\nthere" > "$1"`;
    // A value with an argument is for the shell to read.
    const other = await start([], { VISUAL: `${fakeEditor(body.replaceAll('"$1"', '"$2"'))} --wait` });
    other.write("count\r");
    await other.until("one two");
    other.write("a draft");
    await other.until("a draft");
    other.write("\u0007");
    await other.until("IN THE EDITOR");
    rest.open();
    await world.server.requests[0]?.done;
    expect(other.screen()).not.toContain("five six seven");
    world.write("leave", "");
    await other.until((screen) => screen.includes("› written") && screen.includes("five six seven"));
    expect(other.all()).toContain("IN THE EDITOR");
    expect(readFileSync(join(world.project, "seen.txt"), "utf8")).toBe("a draft");
    other.write("\r");
    await other.until("second answer");
    expect(prompts().at(-1)).toBe("written\nthere");
    expect(other.raw).not.toContain("\u001b[3J");
  });

  it("one that cannot be started is said, and nothing is lost", async () => {
    const program = await open([say("ok")], [], { VISUAL: "/no/such/editor" });
    program.write("kept\u0007");
    await program.until("set $EDITOR");
    expect(program.screen()).toContain("› kept");
  });
});

describe("a closed terminal loses nothing", () => {
  it("F44: what was streaming is in the log, what was queued and written is the draft of the next start", async () => {
    const program = await open([say("one two three four five six", { stallAfter: 6 }), say("done")]);
    program.write("count\r");
    await program.until("one two");
    program.write("queued words\r");
    await program.until("queued: queued words");
    program.write("half a thought");
    await program.until("half a thought");
    program.kill("SIGHUP");
    await program.untilExit();
    const again = await start(["--continue"]);
    await again.until((screen) => screen.includes("one two") && screen.includes("half a thought"));
    expect(again.screen()).toContain("› queued words");
    again.write("\r");
    await again.until("done");
    expect(prompts().at(-1)).toBe("queued words\nhalf a thought");
  });
});

describe("TTSR-10.3 end to end", () => {
  it("let it through once: the call that was cut runs, and the next one is cut again", async () => {
    const ELSEWHERE = callTool("write", { path: "b.mjs", content: "eval(1);\n" });
    const slow = say("I think about another way for a long time, and then some more", { stallAfter: 8 });
    const program = await open(
      [BAD, slow, BAD, say("As you said."), ELSEWHERE, say("Not again.")],
      ["--permission-mode", "auto-edit"],
    );
    program.write("write it\r");
    await program.until("I think");
    program.write("\u00141");
    await program.until("As you said.");
    expect(readFileSync(join(world.project, "a.mjs"), "utf8")).toContain("eval(");
    program.write("again\r");
    await program.until((screen) => screen.includes("Not again.") && screen.includes("1 rule, 2 hits"));
    expect(existsSync(join(world.project, "b.mjs"))).toBe(false);
  });

  it("false alarm: the example stands in the rule's file, and the folder stays trusted", async () => {
    world = await World.open([BAD, GOOD, say("Fine.")]);
    tui = new PtyProgram({ args: ARGS.filter((arg) => arg !== "--trust"), cwd: world.project, env: world.env });
    await tui.until("Trust this folder?");
    tui.write("2");
    await tui.until("1 rule");
    tui.write("go\r");
    await tui.until("Allow write?");
    tui.write("1");
    await tui.until((screen) => screen.includes("Fine.") && screen.includes("1 hit"));
    tui.write("\u001432");
    await tui.until("Added to no-eval");
    const text = readFileSync(join(world.project, ".rules", "no-eval.md"), "utf8");
    expect(text).toContain(
      "  silent:\n    - text: export const a = (s) => eval(\n      path: a.mjs\n      tool: write\n",
    );
    tui.write("\u0004");
    await tui.untilExit();
    const again = new PtyProgram({ args: ARGS.filter((arg) => arg !== "--trust"), cwd: world.project, env: world.env });
    tui = again;
    // The trigger still fires on it, so the rule does not do what it says: off until it is mended.
    await again.until("The rule is off.");
    expect(again.all()).not.toContain("changed since you trusted");
  });

  it("edit: the user's editor opens the rule's file", async () => {
    world = await World.open([BAD, GOOD, say("Fine.")]);
    const program = await start(["--permission-mode", "auto-edit"], {
      VISUAL: fakeEditor('echo "$1" > "$(dirname "$0")/edited"'),
    });
    program.write("go\r");
    await program.until((screen) => screen.includes("Fine.") && screen.includes("1 hit"));
    program.write("\u00144");
    await program.until("What changed in no-eval holds at once");
    expect(readFileSync(join(world.root, "edited"), "utf8").trim()).toMatch(/\.rules\/no-eval\.md$/);
  });
});

describe("commands end to end", () => {
  beforeEach(async () => {
    await open([say("First answer."), say("Second answer.")]);
  });

  it("/new and /resume go from one conversation to another; /name names it", async () => {
    const program = tui as PtyProgram;
    program.write("hello\r");
    await program.until("First answer.");
    program.write("/name my title\r");
    await program.until('"my title" from now on');
    program.write("/new\r");
    await program.until("A new conversation");
    program.write("/resume\r");
    await program.until("Go on with");
    program.write("1");
    await program.until((screen) => /First answer\.\s+› Ask/.test(screen));
    program.write("more\r");
    await program.until("Second answer.");
    expect(
      world.server.requests
        .at(-1)
        ?.neutral()
        .messages.map(({ text }) => text),
    ).toEqual(["hello", "First answer.", "more"]);
    expect(readdirSync(join(world.state, "sessions")).length).toBeGreaterThan(0);
  });

  it("/model takes another wire from the next request on; /copy reaches the terminal's clipboard", async () => {
    const program = tui as PtyProgram;
    program.write("hello\r");
    await program.until("First answer.");
    program.write("/model openai-chat/m\r");
    await program.until("openai-chat/m answers from now on");
    program.write("more\r");
    await program.until("Second answer.");
    expect(world.server.requests.map(({ wire }) => wire)).toEqual(["anthropic-messages", "openai-chat"]);
    program.write("/copy\r");
    await program.until("Copied 14 characters");
    expect(program.raw).toContain(`\u001b]52;c;${Buffer.from("Second answer.").toString("base64")}\u0007`);
  });

  it("/doctor shows the checks; Esc closes it", async () => {
    const program = tui as PtyProgram;
    program.write("/doctor\r");
    await program.until((screen) => screen.includes("Doctor") && screen.includes("node"));
    program.write("\u001b");
    await program.until("Ask for something");
  });
});

describe("keys of the terminal", () => {
  it("a broken keybindings.yml ends the start with its place and exit code 2; a good one holds", async () => {
    world = await World.open([say("ok")]);
    writeFileSync(join(world.config, "keybindings.yml"), "undo: f2\nnewlin: f3\n");
    tui = new PtyProgram({ args: ARGS, cwd: world.project, env: world.env });
    expect(await tui.untilExit()).toBe(2);
    expect(tui.all().replaceAll("\n", "")).toContain(
      'keybindings.yml:2: there is no action "newlin"; did you mean "newline"?',
    );
    writeFileSync(join(world.config, "keybindings.yml"), "newline: f3\n");
    const program = await start();
    program.write("one\u001bORtwo\r");
    await program.until("ok");
    expect(prompts()).toEqual(["one\ntwo"]);
  });

  it("a terminal that loses and gets attention types nothing; slow pieces of a key are one key", async () => {
    const program = await open([say("ok")]);
    program.write("ab\u001b[O\u001b[I");
    await program.until("› ab");
    program.write("\u001b");
    program.write("[D");
    program.write("x\r");
    await program.until("ok");
    expect(prompts()).toEqual(["axb"]);
  });
});
