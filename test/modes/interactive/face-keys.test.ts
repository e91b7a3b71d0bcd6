import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PermissionAnswer, PermissionQuestion } from "../../../src/modes/interactive/session-port.js";
import { settle } from "../../support/fake-clock.js";
import { FaceHarness } from "./face-harness.js";
import { CUT_RUN, message } from "./fake-session.js";

let face: FaceHarness;
beforeEach(() => {
  face = new FaceHarness();
});
afterEach(() => face.dispose());

const sent = (): string[] => face.session.prompts.map(({ text, when }) => `${when}: ${text}`);

function ask(more: Partial<PermissionQuestion> = {}, signal = new AbortController().signal): Promise<PermissionAnswer> {
  return face.face.ui.askPermission(
    {
      toolCallId: "c1",
      toolName: "bash",
      subject: { kind: "command", title: "Run a command", paths: [], command: "npm test" },
      sessionScope: "npm test",
      ...more,
    },
    signal,
  );
}

describe("the editor", () => {
  it("sends with Enter; Ctrl+J, Alt, Shift and a backslash before Enter make new lines or steer", () => {
    face.type("one\r");
    face.type("two\nthree\\\rfour\u001b[13;2ufive\r");
    face.session.running = true;
    face.type("later\r");
    face.type("now\u001b\r");
    face.type("now too\u001b[13;5u");
    expect(sent()).toEqual([
      "queue: one",
      "queue: two\nthree\nfour\nfive",
      "queue: later",
      "steer: now",
      "steer: now too",
    ]);
  });

  it("shows a long paste as a placeholder, sends it whole, and takes it away with one backspace", () => {
    const long = Array.from({ length: 40 }, (_, i) => `$& line ${i}`).join("\n");
    face.paste(long);
    expect(face.frame).toContain("[Paste #1, 40 lines]");
    expect(face.session.prompts).toEqual([]);
    face.type("\u007f");
    expect(face.frame).not.toContain("Paste");
    face.type("look: ");
    face.paste(long);
    face.type("\r");
    expect(sent()).toEqual([`queue: look: ${long}`]);
  });

  it("keeps the history over sessions, and the draft while one looks through it", () => {
    face.type("first\r");
    face.type("second\nwith two lines\r");
    // Another program wrote half a line.
    appendFileSync(join(face.stateDir, "history.jsonl"), '{"text":"ha');
    const again = new FaceHarness(80, 24, { stateDir: face.stateDir });
    again.type("draft");
    again.type("\u001b[A");
    expect(again.frame).toContain("with two lines");
    again.type("\u001b[A\u001b[A");
    expect(again.frame).toContain("› first");
    again.type("\u001b[B\u001b[B\u001b[B");
    expect(again.frame).toContain("› draft");
    again.dispose();
  });

  it("saves what is being written, per folder, and brings it back after a crash", async () => {
    face.type("half a thou");
    await face.clock.advance(500);
    const again = new FaceHarness(80, 24, { stateDir: face.stateDir });
    expect(again.frame).toContain("› half a thou");
    again.type("ght\r");
    again.dispose();
    const third = new FaceHarness(80, 24, { stateDir: face.stateDir });
    expect(third.frame).toContain("Ask for something");
    third.dispose();
  });

  it("takes what is typed before the session is there, and sends it then", () => {
    const early = new FaceHarness(80, 24, { attach: false });
    early.type("early bird\r");
    expect(early.frame).toContain("starting");
    early.face.attach(early.session);
    expect(early.session.prompts.map(({ text }) => text)).toEqual(["early bird"]);
    early.dispose();
  });

  it("completes commands by their beginning, with arrows, Tab and Enter", () => {
    face.type("/");
    for (const name of ["/help", "/model", "/rules"]) expect(face.frame).toContain(name);
    face.type("rtr");
    expect(face.frame).not.toContain("/help");
    // Not what was begun: the first Enter only puts it in.
    face.type("\r");
    expect(face.frame).toContain("› /retry");
    expect(face.session.retried).toBe(0);
    face.type("\u001b");
    expect(face.session.aborted).toBe(0);
    face.type("\u0015/quit\r");
    expect(face.quits).toBe(1);
    face.type("/nope\r");
    expect(face.frame).toContain("There is no command /nope");
    face.type("\u0015/rulez\r");
    expect(face.frame).toContain("did you mean /rules?");
    expect(face.session.prompts).toEqual([]);
  });
});

describe("keys that mean the same everywhere", () => {
  it("Esc stops a run, and nothing else", () => {
    face.type("text\u001b");
    expect(face.session.aborted).toBe(0);
    expect(face.frame).toContain("› text");
    face.session.running = true;
    face.type("\u001b");
    expect(face.session.aborted).toBe(1);
  });

  it("Ctrl+C stops, then clears into the history, then quits on the second press within 2 s", async () => {
    face.session.running = true;
    face.type("a draft\u0003");
    expect(face.session.aborted).toBe(1);
    expect(face.frame).toContain("› a draft");
    face.session.running = false;
    face.type("\u0003");
    expect(face.frame).toContain("Ask for something");
    face.type("\u001b[A");
    expect(face.frame).toContain("› a draft");
    face.type("\u0003\u0003");
    await face.clock.advance(2100);
    face.type("\u0003");
    expect(face.quits).toBe(0);
    face.type("\u0003");
    expect(face.quits).toBe(1);
  });

  it("Ctrl+D quits on an empty line only; Ctrl+Z suspends; Shift+Tab goes through the modes", async () => {
    face.type("x\u0004");
    expect(face.quits).toBe(0);
    face.type("\u007f\u0004");
    expect(face.quits).toBe(1);
    face.type("\u001a");
    expect(face.suspends).toBe(1);
    await settle();
    const modes = ["auto-edit", "yolo", "plan", "ask"].map(() => {
      face.type("\u001b[Z");
      return face.session.mode;
    });
    expect(modes).toEqual(["auto-edit", "yolo", "plan", "ask"]);
    expect(face.frame).toContain("ask · demo/showcase");
  });

  it("Ctrl+O prints in full what was shortened, once", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `output ${i}`).join("\n");
    face.session.emit(
      ...CUT_RUN.before.slice(0, 3),
      {
        type: "message_end",
        message: message([{ type: "toolCall", id: "b", name: "bash", arguments: { command: "make" } }]),
      },
      { type: "tool_execution_start", toolCallId: "b", toolName: "bash", arguments: { command: "make" } },
      {
        type: "tool_execution_end",
        toolCallId: "b",
        toolName: "bash",
        result: { content: [{ type: "text", text: lines }], isError: false },
        details: { exitCode: 0 },
      },
    );
    expect(face.printed).not.toContain("output 15");
    face.type("\u000f");
    expect(face.printed).toContain("output 15");
    face.type("\u000f");
    expect(face.frame).toContain("Nothing more to show.");
  });

  it("a queue that a stopped run leaves behind comes back into the editor", async () => {
    face.session.queue = ["then this"];
    face.session.prompt = () => Promise.resolve({ status: "aborted" as never, text: "" });
    face.type("go\r");
    await face.clock.advance(0);
    expect(face.frame).toContain("› then this");
  });
});

describe("a permission question", () => {
  it("is answered by number, by arrows with Enter, and by Esc as no", async () => {
    const answers: PermissionAnswer[] = [];
    for (const keys of ["1", "2", "3", "\r", "\u001b[B\r", "\u001b[B\u001b[B\r", "\u001b", "\u0003"]) {
      const answer = ask();
      expect(face.frame).toContain("? Allow bash?");
      expect(face.frame).toContain("npm test");
      face.type(keys);
      answers.push(await answer);
      expect(face.frame).not.toContain("Allow bash?");
    }
    const once = { allow: true };
    const session = { allow: true, remember: "session" };
    const no = { allow: false };
    expect(answers).toEqual([once, session, no, once, session, no, no, no]);
    expect(face.session.aborted).toBe(0);
  });

  it("denies with a word to the model", async () => {
    const answer = ask();
    face.type("4");
    face.type("use pnpm");
    face.paste(" here\nplease");
    face.type("\r");
    expect(await answer).toEqual({ allow: false, message: "use pnpm here please" });
  });

  it("lets nothing hide: controls and bidi are written out, runs of spaces counted, and the end can be reached", () => {
    const command = `ls${" ".repeat(300)}; rm -rf /\u001b[2K\r\u202eabc\n${Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n")}\nTHE END`;
    void ask({ subject: { kind: "command", title: "Run", paths: [], command } });
    expect(face.frame).toContain("ls[300 spaces]; rm -rf /\\x1b[2K\\x0d\\u202eabc");
    expect(face.frame).toMatch(/\d+ more · PgDn/);
    for (let i = 0; i < 12; i++) face.type("\u001b[6~");
    expect(face.frame).toContain("THE END");
  });

  it("does not offer the session where there is no scope for it, and keeps the other numbers", async () => {
    const { sessionScope: _none, ...rest } = {
      sessionScope: "",
      toolCallId: "c1",
      toolName: "edit",
      subject: { kind: "edit" as const, title: "Edit", paths: ["/p/a"] },
    };
    const answer = face.face.ui.askPermission(rest, new AbortController().signal);
    expect(face.frame).not.toContain("2  ");
    face.type("2");
    expect(face.frame).toContain("Allow edit?");
    face.type("3");
    expect(await answer).toEqual({ allow: false });
  });

  it("goes away when the run is stopped, also before it was asked", async () => {
    const stop = new AbortController();
    const answer = ask({}, stop.signal);
    stop.abort();
    expect(await answer).toEqual({ allow: false });
    expect(await ask({}, stop.signal)).toEqual({ allow: false });
    expect(face.frame).not.toContain("Allow");
  });

  it("is not answered by somebody in the middle of a sentence", async () => {
    face.session.running = true;
    face.type("and then al");
    let answered = false;
    void ask().then(() => {
      answered = true;
    });
    face.type("so 1\r");
    await face.clock.advance(0);
    expect(answered).toBe(false);
    expect(sent()).toEqual(["queue: and then also 1"]);
    await face.clock.advance(700);
    face.type("1");
    await face.clock.advance(0);
    expect(answered).toBe(true);
  });

  it("waits for the one before", async () => {
    const first = ask();
    const second = ask({ subject: { kind: "command", title: "Run", paths: [], command: "second command" } });
    expect(face.frame).not.toContain("second command");
    face.type("1");
    expect(await first).toEqual({ allow: true });
    expect(face.frame).toContain("second command");
    face.type("3");
    expect(await second).toEqual({ allow: false });
  });
});

describe("TTSR-1.7 the trust question", () => {
  it("lists the files and takes no as the answer to Enter and Esc", async () => {
    const question = {
      folder: "/p",
      rules: [{ name: "no-eval", path: "/p/.rules/no-eval.md", description: "no eval" }],
      others: [],
      kind: "new" as const,
    };
    for (const [keys, trusted] of [
      ["\r", false],
      ["\u001b", false],
      ["1", false],
      ["2", true],
      ["\u001b[B\r", true],
    ] as const) {
      const answer = face.face.ui.askTrust(question);
      expect(face.frame).toContain("no-eval");
      face.type(keys);
      expect(await answer).toBe(trusted);
    }
  });
});

describe("TTSR-10.3 /rules", () => {
  it("shows state, hits and tokens cut, and mutes for the session", () => {
    const rule = {
      path: "/p/.rules/a.md",
      provider: "project",
      triggers: [],
      scope: [],
      globs: [],
      interrupts: 0,
      falseAlarms: 0,
      muted: false,
    };
    face.session.statuses = [
      { ...rule, name: "no-eval", state: "armed", description: "Never eval", hits: 2, discardedTokens: 1400 },
      {
        ...rule,
        name: "torn",
        state: "broken",
        reason: "line 3: no closing bracket",
        description: "",
        hits: 0,
        discardedTokens: 0,
      },
    ];
    face.type("/rules\r");
    expect(face.frame).toMatch(/› no-eval +armed +2 hits, 1\.4k tokens cut/);
    face.type("\u001b[B");
    expect(face.frame).toContain("line 3: no closing bracket");
    face.type("\u001b[Am");
    expect(face.session.statuses[0]?.muted).toBe(true);
    expect(face.frame).toMatch(/no-eval +muted/);
    face.type("\u001b");
    expect(face.frame).toContain("Ask for something");
  });
});

describe("files of the face", () => {
  it("are for the user alone", () => {
    face.type("secret\r");
    expect(readFileSync(join(face.stateDir, "history.jsonl"), "utf8")).toBe('{"text":"secret"}\n');
  });
});
