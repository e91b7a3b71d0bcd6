import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS, commandOf } from "../../../src/modes/interactive/commands/index.js";
import { settle } from "../../support/fake-clock.js";
import { FaceHarness } from "./face-harness.js";
import { message } from "./fake-session.js";

let face: FaceHarness;
let folder: string;
beforeEach(() => {
  face = new FaceHarness(90, 40);
  folder = mkdtempSync(join(tmpdir(), "ttsr-commands-"));
  face.session.cwd = folder;
});
afterEach(() => {
  face.dispose();
  rmSync(folder, { recursive: true });
});

async function enter(text: string): Promise<void> {
  face.type(`${text}\r`);
  await settle();
}

describe("slash commands", () => {
  it("/retry asks again only where an answer is missing or broken", async () => {
    const answer = message([{ type: "text", text: "Done." }]);
    const before = { role: "user" as const, content: [{ type: "text" as const, text: "go" }] };
    const retried = async (...messages: typeof face.session.messages): Promise<number> => {
      face.session.messages = messages;
      await enter("/retry");
      return face.session.retried;
    };
    expect(await retried()).toBe(0);
    expect(await retried(before, answer)).toBe(0);
    expect(face.all).toContain("The last answer came to its end");
    expect(await retried(before, { ...answer, stopReason: "aborted" })).toBe(1);
    expect(await retried(before, { ...answer, stopReason: "error" })).toBe(2);
    expect(await retried(before)).toBe(3);
  });

  it("are told from prompts that begin with a slash", () => {
    expect(commandOf("/model openai/gpt-5")).toMatchObject({ command: { name: "/model" }, argument: "openai/gpt-5" });
    expect(commandOf(" /new ")).toMatchObject({ command: { name: "/new" }, argument: "" });
    expect(commandOf("/new ideas are welcome")).toEqual({ refusal: expect.stringContaining("/new takes no argument") });
    expect(commandOf("/nwe")).toEqual({ refusal: expect.stringContaining("did you mean /new?") });
    expect(commandOf("/modle openai/gpt-5")).toEqual({ refusal: expect.stringContaining("did you mean /model?") });
    expect(commandOf("/zebra crossing")).toEqual({ refusal: expect.stringContaining("/help lists them") });
    for (const prompt of [
      "/etc/hosts is wrong",
      "/usr/bin/x is missing",
      "/a.ts",
      "// why?",
      "/",
      "/* x */",
      "say /new",
    ])
      expect(commandOf(prompt)).toBeUndefined();
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
  });

  it("what is refused goes back into the editor and to nobody; a space before it sends it as it is", async () => {
    await enter("/new please");
    expect(face.frame).toContain("/new takes no argument");
    expect(face.frame).toContain("› /new please");
    face.type("\u0001 \r");
    await settle();
    expect(face.session.prompts.map(({ text }) => text)).toEqual(["/new please"]);
    expect(face.session.fresh).toBe(0);
  });

  it("a command typed before the session is there is one all the same", async () => {
    const early = new FaceHarness(80, 24, { attach: false });
    early.type("/name the parser\r");
    early.face.attach(early.session);
    await settle();
    expect(early.session.renamed).toEqual(["the parser"]);
    expect(early.session.prompts).toEqual([]);
    early.dispose();
  });

  it("/new and /resume ask while an answer is being written; what was queued comes back", async () => {
    face.session.running = true;
    face.session.queue = ["then this"];
    await enter("/new");
    expect(face.frame).toContain("It is still working.");
    face.type("\u001b");
    await settle();
    expect(face.session.fresh).toBe(0);
    await enter("/resume ab12");
    face.type("1");
    await settle();
    expect(face.session.resumed).toEqual([]);
    await enter("/new");
    face.type("2");
    await settle();
    expect(face.session.fresh).toBe(1);
    expect(face.frame).toContain("› then this");
  });

  it("/rules with words shows the rules that fit", async () => {
    const rule = {
      path: "/p",
      provider: "project",
      triggers: [],
      scope: [],
      globs: [],
      interrupts: 0,
      falseAlarms: 0,
      muted: false,
    };
    const counts = { hits: 0, discardedTokens: 0, description: "", state: "armed" as const };
    face.session.statuses = [
      { ...rule, ...counts, name: "no-eval" },
      { ...rule, ...counts, name: "todo" },
    ];
    await enter("/rules no-ev");
    expect(face.frame).toContain("no-eval");
    expect(face.frame).not.toContain("todo");
  });

  it("!command is run, not sent", async () => {
    await enter("! ls -l");
    expect(face.session.commands).toEqual(["ls -l"]);
    await enter("!");
    expect(face.session.prompts.map(({ text }) => text)).toEqual(["!"]);
  });

  it("/help names every command and its keys, and scrolls on a low screen", async () => {
    face.size = { columns: 80, rows: 20 };
    face.face.resize();
    await enter("/help");
    expect(face.frame).toContain("/model [provider/model]");
    expect(face.frame).toContain("more · PgDn");
    face.type("\u001b[6~".repeat(8));
    expect(face.frame).toContain("keybindings.yml");
    face.type("\u001b");
    expect(face.frame).toContain("Ask for something");
  });

  it("/model: a list to search, what can be asked first; a name at once; a wrong name is said", async () => {
    const models = Array.from({ length: 12 }, (_, i) => ({
      spec: `test/m${i}`,
      name: `Model ${i}`,
      ready: i > 9,
      missing: "TEST_KEY",
    }));
    face.session.surroundings = { ...face.session.surroundings, models: () => Promise.resolve(models) };
    await enter("/model");
    const rows = face.frame.split("\n");
    expect(rows.findIndex((row) => row.includes("test/m10"))).toBeLessThan(
      rows.findIndex((row) => row.includes("test/m0 ")),
    );
    expect(face.frame).toContain("needs TEST_KEY");
    face.type("m11\r");
    await settle();
    expect(face.session.chosen).toEqual(["test/m11"]);
    await enter("/model other/x:high");
    expect(face.session.chosen).toEqual(["test/m11", "other/x:high"]);
    await enter("/model nonsense");
    expect(face.all).toContain('There is no provider "nonsense"');
  });

  it("/thinking by number and by name", async () => {
    await enter("/thinking");
    face.type("5");
    expect(face.session.thinking).toBe("high");
    await enter("/thinking low");
    expect(face.session.thinking).toBe("low");
    await enter("/thinking hard");
    expect(face.all).toContain("off, minimal, low");
  });

  it("/permissions chooses the mode; Esc leaves it", async () => {
    await enter("/permissions plan");
    expect(face.session.mode).toBe("plan");
    await enter("/permissions all");
    expect(face.all).toContain('There is no mode "all"; there are plan, ask, auto-edit, yolo.');
    face.session.mode = "ask";
    await enter("/permissions");
    expect(face.frame).toContain("edits and commands ask (now)");
    face.type("\u001b");
    expect(face.session.mode).toBe("ask");
    await enter("/permissions");
    face.type("\u001b[B\u001b[B\r");
    expect(face.session.mode).toBe("auto-edit");
  });

  it("/resume lists the other conversations of the folder, and shows the chosen one", async () => {
    await enter("/resume");
    expect(face.all).toContain("no earlier conversation");
    const sessions = [
      { id: face.session.id, title: "this one", updatedAt: "2026-01-02T03:04:05Z", messages: 2 },
      { id: "ab12", title: "the parser", updatedAt: "2026-01-01T03:04:05Z", messages: 6 },
    ];
    face.session.surroundings = { ...face.session.surroundings, sessions: () => sessions };
    await enter("/resume");
    expect(face.frame).toContain("the parser  2026-01-01 03:04, 6 messages");
    expect(face.frame).not.toContain("this one");
    face.session.messages = [message([{ type: "text", text: "Where we were." }])];
    face.type("1");
    await settle();
    expect(face.session.resumed).toEqual(["ab12"]);
    expect(face.all).toContain("Where we were.");
  });

  it("/name, /new, /usage, /context say what they do", async () => {
    await enter("/name the  parser");
    expect(face.session.renamed).toEqual(["the parser"]);
    await enter("/new");
    expect(face.session.fresh).toBe(1);
    await enter("/usage");
    expect(face.all).toContain("Tokens of this session:");
    face.session.messages = [message([{ type: "text", text: "x".repeat(4000) }])];
    await enter("/context");
    expect(face.all).toContain("The last request filled 13k tokens of 128k (10%).");
    expect(face.all).toMatch(/answers +about 1.0k/);
  });

  it("/export writes the conversation down, never over a file, with fences that hold", async () => {
    face.session.messages = [
      message([{ type: "toolCall", id: "c", name: "write", arguments: { content: "````\nx" } }]),
    ];
    await enter("/export out.md");
    await expect.poll(() => face.all).toContain("Written to");
    const text = readFileSync(join(folder, "out.md"), "utf8");
    expect(text).toContain("`````\nwrite {");
    await enter("/export out.md");
    await expect.poll(() => face.all).toContain("was not written: it is there already");
    expect(readFileSync(join(folder, "out.md"), "utf8")).toBe(text);
  });

  it("/copy takes the answer, or one piece of code in it", async () => {
    await enter("/copy");
    expect(face.all).toContain("no answer to copy");
    face.session.messages = [message([{ type: "text", text: "Plain answer." }])];
    await enter("/copy");
    face.session.messages = [message([{ type: "text", text: "Look:\n```ts\nconst a = 1;\n```\nDone." }])];
    await enter("/copy");
    face.type("2");
    expect(face.copied).toEqual(["Plain answer.", "const a = 1;"]);
    face.session.messages = [message([{ type: "text", text: "x".repeat(2000) }])];
    await enter("/copy");
    expect(face.all).toContain("too long for the clipboard");
  });

  it("/diff outside of a repository, /doctor, /settings", async () => {
    face.face.handle([{ type: "paste", text: "/diff" }]);
    face.type("\r");
    await expect.poll(() => face.all).toContain("git has nothing to compare");
    await enter("/doctor");
    expect(face.frame).toContain("ok    node  20.19.0");
    face.type("q");
    const setting = { key: "ttsr.contextMode", value: "keep", origin: "user ~/settings.yml:2" };
    face.session.surroundings = { ...face.session.surroundings, settings: () => [setting] };
    const edited: string[] = [];
    face.editFile = async (path) => void edited.push(path);
    await enter("/settings");
    expect(face.frame).toContain("ttsr.contextMode  keep  (user ~/settings.yml:2)");
    face.type("\r");
    await settle();
    expect(edited).toEqual([face.session.surroundings.settingsFile]);
  });

  it("commands that are not there are not offered", () => {
    face.type("/rew");
    expect(face.frame).not.toContain("/rewind");
  });
});
