/** Questions, queued words, commands of the user's own and what a run left behind, in the shipped program in a real pty. */
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, callTool, holdAfter, say } from "../server/index.js";
import { World } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";
import { door } from "../support/wait.js";

let world: World;
let tui: PtyProgram | undefined;
afterEach(async () => {
  tui?.kill("SIGKILL");
  tui = undefined;
  await world.close();
});

async function open(script: readonly Answer[], args: readonly string[] = [], files = {}): Promise<PtyProgram> {
  world = await World.open(script, files);
  tui = new PtyProgram({
    args: ["-m", "anthropic-messages/m", "--no-builtin-rules", "--trust", ...args],
    cwd: world.project,
    env: { ...world.env, COLORTERM: "" },
  });
  await tui.until("Ask for something");
  await tui.until("anthropic-messages/m");
  return tui;
}

/** What the user said in each request, block by block. */
const said = (at: number): string[] =>
  (world.server.requests[at]?.neutral().messages ?? []).filter(({ role }) => role === "user").map(({ text }) => text);

const TOUCH = callTool("bash", { command: "touch made" });
/** Goes no further than its first words, until it is stopped or `more`. */
const slow = (more: Promise<void> = new Promise(() => undefined)): Answer =>
  say("Wait for it. ".repeat(40), holdAfter(12, more));
const idle = (screen: string): boolean => !/working|starting/.test(screen);

describe("a question that comes up while the user writes", () => {
  it("is not answered by what is typed, which is still there afterwards", async () => {
    const face = await open([TOUCH, say("Touched.")]);
    face.write("touch it\r");
    await face.until("Allow bash?");
    face.write("also 1 more");
    await face.until("draft  also 1 more");
    expect(face.screen()).toContain("Allow bash?");
    face.write("\t\u001b[A");
    face.write("\r");
    await face.until("Touched.");
    expect(face.screen()).toContain("› also 1 more");
  });

  it("Esc denies it and stops the run; Ctrl+C does too, and twice ends the program", async () => {
    const face = await open([TOUCH, TOUCH]);
    face.write("touch it\r");
    await face.until("Esc denies and stops");
    face.write("\u001b");
    await face.until("Stopped.");
    expect(world.server.requests).toHaveLength(1);
    face.write("again\r");
    await face.until("Allow bash?");
    face.write("\u0003");
    await face.until("Ctrl+C again quits.");
    face.write("\u0003");
    expect(await face.untilExit()).toBe(0);
    expect(world.server.requests).toHaveLength(2);
  });
});

describe("words while it works", () => {
  it("go out together as separate texts of one request; Up takes the newest back", async () => {
    const more = door();
    const face = await open([slow(more.opened), say("Both seen.")]);
    face.write("go\r");
    await face.until("Wait for it.");
    for (const text of ["one", "two", "three"]) {
      face.write(`${text}\r`);
      await face.until(`queued: ${text}`);
    }
    face.write("\u001b[A");
    await face.until("› three");
    expect(face.screen()).not.toContain("queued: three");
    more.open();
    await face.until("Both seen.");
    expect(world.server.requests).toHaveLength(2);
    expect(said(1).slice(-2)).toEqual(["one", "two"]);
  });

  it("/new asks first; then the old answer is stopped, kept, and can be resumed", async () => {
    const face = await open([say("First."), slow(), say("Fresh.")]);
    face.write("hello\r");
    await face.until((screen) => screen.includes("First.") && idle(screen));
    expect(face.screen()).toContain("context");
    face.write("go\r");
    await face.until("Wait for it.");
    face.write("/new\r");
    await face.until("It is still working.");
    expect(face.screen()).not.toContain("waiting for your answer");
    face.write("2");
    await face.until((screen) => /kept: \/resume [0-9a-z-]+/.test(screen));
    const id = /\/resume ([0-9a-z-]+)/.exec(face.all())?.[1] ?? "";
    expect(face.screen()).not.toContain("context");
    face.write(`/resume ${id}\r`);
    await face.until((screen) => /kept:[\s\S]*First\.[\s\S]*go[\s\S]*Ask for/.test(screen));
    expect(face.screen()).not.toContain("no session");
  });

  it("a slash command with too many words goes to nobody", async () => {
    const face = await open([say("Never.")]);
    for (const text of ["/new please", "/modle x", "/nope at all"]) {
      face.write(`${text}\r`);
      await face.until((screen) => /takes no argument|There is no command/.test(screen));
      face.write("\u0003");
      await face.until("Ask for something");
    }
    expect(world.server.requests).toHaveLength(0);
  });
});

describe("!command", () => {
  it("runs at once, is shown, and goes before the next words", async () => {
    const face = await open([say("I see a.txt.")], [], { "a.txt": "x" });
    face.write("!ls *.txt; echo no >&2; exit 3\r");
    await face.until(" · exit 3");
    expect(face.screen()).toMatch(/ {4}a\.txt\s+no/);
    expect(world.server.requests).toHaveLength(0);
    face.write("what is there?\r");
    await face.until("I see a.txt.");
    const words = said(0);
    expect(words.at(-2)).toMatch(/<user-command>[\s\S]*\$ ls \*\.txt[\s\S]*a\.txt[\s\S]*Exit code 3/);
    expect(words.at(-1)).toBe("what is there?");
    expect(face.all()).not.toContain("<user-command>");
  });

  it("Esc stops it", async () => {
    const face = await open([]);
    face.write("!echo begun; sleep 60\r");
    await face.until((screen) => /^ {4}begun$/m.test(screen) && screen.includes("working · Esc stops"));
    face.write("\u001b");
    await face.until("Interrupted by the user");
  });
});

describe("a rule that may not interrupt any more", () => {
  it("blocks the call with its own sentence; the text for the model is not shown", async () => {
    const rule =
      "---\ndescription: Never eval\nttsr_trigger: '\\beval\\s*\\('\nscope: tool:write\n---\nWrite a parser.\n";
    const bad = callTool("write", { path: "a.js", content: "eval(x)\n" });
    const face = await open([bad, bad, bad, say("I give up.")], [], { ".rules/no-eval.md": rule });
    face.write("go\r");
    await face.until("I give up.");
    expect(face.all()).toMatch(/blocked by a rule\s+no-eval: Never eval\./);
    expect(face.all()).not.toContain("system-interrupt");
  });
});

describe("what a run left behind", () => {
  it("is drawn with rule, file and line; one key sends it to the model", async () => {
    const rule =
      "---\ndescription: Never eval\nseverity: error\nttsr_trigger: '\\beval\\s*\\('\nscope: tool:write, tool:edit\n---\nWrite a parser.\n";
    const writes = callTool("bash", { command: "printf 'a\\neval(x)\\n' > gen.js" });
    world = await World.open([writes, say("Done."), say("Mended.")], { ".rules/no-eval.md": rule });
    execFileSync("git", ["init", "-q"], { cwd: world.project });
    const args = ["-m", "anthropic-messages/m", "--no-builtin-rules", "--trust", "--permission-mode", "yolo"];
    tui = new PtyProgram({ args, cwd: world.project, env: { ...world.env, COLORTERM: "" } });
    await tui.until("anthropic-messages/m");
    tui.write("go\r");
    await tui.until("Ctrl+X: have the model mend it");
    expect(tui.screen()).toMatch(/no-eval {2}gen\.js:2 {2}eval\(/);
    tui.write("\u0018");
    await tui.until("Mended.");
    expect(said(2).at(-1)).toMatch(/break rules of this project:\n- gen\.js:2: rule no-eval: eval\(/);
  });
});
