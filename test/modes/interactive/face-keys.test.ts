import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditHit } from "../../../src/agent/events.js";
import { auditRows } from "../../../src/modes/interactive/rows/audit.js";
import type { PermissionAnswer, PermissionQuestion } from "../../../src/modes/interactive/session-port.js";
import { type Action, Bindings } from "../../../src/modes/interactive/term/bindings.js";
import { createTheme } from "../../../src/modes/interactive/theme.js";
import { settle } from "../../support/fake-clock.js";
import { FaceHarness } from "./face-harness.js";
import { CUT_RUN, message } from "./fake-session.js";
import { KEYS } from "./usual-keys.js";

let face: FaceHarness;
beforeEach(() => {
  face = new FaceHarness();
});
afterEach(() => face.dispose());

const sent = (): string[] => face.session.prompts.map(({ text, when }) => `${when}: ${text}`);

function _ask(
  more: Partial<PermissionQuestion> = {},
  signal = new AbortController().signal,
): Promise<PermissionAnswer> {
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

  it("draws once what came in one piece, however many keys it is", () => {
    let drawn = 0;
    face.face.store.subscribe(() => drawn++);
    const keys = [..."ab c".repeat(1_250)].map((text) => ({
      type: "key" as const,
      name: text,
      text,
      ctrl: false,
      alt: false,
      shift: false,
    }));
    face.face.handle(keys);
    expect(drawn).toBe(1);
    face.type("\r");
    expect(sent()).toEqual([`queue: ${"ab c".repeat(1_250)}`]);
  });

  it("shows a long paste as a placeholder, sends it whole, and takes it away with one backspace", () => {
    const long = Array.from({ length: 40 }, (_, i) => `$& line ${i}`).join("\n");
    face.paste(long);
    expect(face.frame).toContain("[Paste #1, 40 lines]");
    // The line end of the last line begins no line.
    face.type("\u007f");
    face.paste(`${long}\n`);
    expect(face.frame).toContain("[Paste #2, 40 lines]");
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
    const modes = Array.from({ length: 3 }, () => {
      face.type("\u001b[Z");
      return face.session.mode;
    });
    // Nobody slips into yolo; whoever is there gets out.
    expect(modes).toEqual(["auto-edit", "plan", "ask"]);
    face.session.mode = "yolo";
    face.type("\u001b[Z");
    expect(face.session.mode).toBe("ask");
    expect(face.frame).toContain("ask · demo/showcase");
  });

  it("Ctrl+O prints in full what was shortened, the newest first, under a heading that says what it is", () => {
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
    expect(face.printed).toContain("bash make · the whole output");
    expect(face.printed).toContain("output 15");
    const asked = Array.from({ length: 30 }, (_, i) => `wish ${i}`).join("\n");
    face.session.emit({ type: "turn_start", turn: 2, prompts: [asked] });
    expect(face.printed).toContain("… 18 more lines · Ctrl+O");
    face.type("\u000f");
    expect(face.printed).toContain("your prompt · all of it");
    expect(face.printed).toContain("wish 29");
    face.type("\u000f");
    expect(face.frame).toContain("Nothing further back was shortened.");
  });

  it("what is sent while the model is silent is shown when it waits, without an event", () => {
    face.type("meanwhile\r");
    expect(face.frame).not.toContain("meanwhile");
    face.session.queue = ["meanwhile"];
    face.session.onQueued?.();
    expect(face.frame).toContain("queued: meanwhile");
  });

  it("Up on an empty editor takes back the newest prompt that waits, then goes into the history", () => {
    face.session.queue = ["first", "second"];
    face.type("\u001b[A");
    expect(face.frame).toContain("› second");
    expect(face.frame).toContain("queued: first");
    expect(face.session.queue).toEqual(["first"]);
    face.type("\u0015\u001b[A");
    expect(face.frame).toContain("› first");
    expect(face.session.queue).toEqual([]);
  });

  it("rows name the keys that the user has bound", () => {
    const other = new FaceHarness(100, 30, {
      bindings: new Bindings(
        new Map<Action, string[]>([
          ["rule-choices", ["f2"]],
          ["expand", ["f3"]],
          ["mend", ["f4"]],
        ]),
      ),
    });
    other.session.emit(...CUT_RUN.before, ...CUT_RUN.interrupt, ...CUT_RUN.retry);
    expect(other.all).toContain("F2: choices");
    expect(other.all).toContain("… (F3)");
    other.session.emit({ type: "ttsr_audit", hits: HITS });
    expect(other.all).toContain("F4: have the model mend them");
    expect(other.all).not.toMatch(/Ctrl\+[OTX]/);
    other.dispose();
  });

  it("a queue that a stopped run leaves behind comes back into the editor", async () => {
    face.session.queue = ["then this"];
    face.session.prompt = () => Promise.resolve({ status: "aborted" as never, text: "" });
    face.type("go\r");
    await face.clock.advance(0);
    expect(face.frame).toContain("› then this");
  });
});

const HITS: AuditHit[] = Array.from({ length: 7 }, (_, i) => ({
  rule: i === 0 ? "no-secrets" : "no-eval",
  path: `src/gen${i}.js`,
  line: i + 1,
  excerpt: `  eval(input${i})`,
  severity: (["error", "warning", "info"] as const)[i % 3] ?? "info",
}));

describe("what a run left behind (the exit audit)", () => {
  it("is drawn by rule, place and line, at most five, the rest counted; Ctrl+O shows all", () => {
    face.session.emit({ type: "ttsr_audit", hits: HITS });
    expect(face.all).toContain("⟲ 7 lines left behind break rules · Ctrl+X: have the model mend them");
    expect(face.all).toMatch(/no-secrets {2}src\/gen0\.js:1 {2}eval\(input0\)/);
    expect(face.all).toContain("src/gen4.js:5");
    expect(face.all).not.toContain("src/gen5.js");
    expect(face.all).toContain("… 2 more");
    face.type("\u000f");
    expect(face.all).toContain("no-eval  src/gen6.js:7  eval(input6)");
  });

  it("goes to the model with one key, once", () => {
    face.session.auditPrompt = "Mend gen.js:2";
    face.type("\u0018");
    expect(sent()).toEqual(["queue: Mend gen.js:2"]);
    face.session.auditPrompt = undefined;
    face.type("\u0018");
    expect(sent()).toHaveLength(1);
    expect(face.frame).toContain("left nothing behind");
  });

  it("is told in words to a screen reader", () => {
    const context = { columns: 80, theme: createTheme({}, { screenReader: true }), keys: KEYS };
    expect(auditRows(HITS.slice(0, 1), context).map(stripVTControlCharacters)).toEqual([
      "Rule: 1 line left behind breaks a rule",
      "    error: no-secrets, src/gen0.js line 1: eval(input0)",
      "  Ctrl+X: have the model mend it",
    ]);
  });

  it("fits every width", () => {
    for (let columns = 20; columns < 100; columns += 7) {
      const rows = auditRows(HITS, { columns, theme: createTheme({ NO_COLOR: "1" }), keys: KEYS });
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
    }
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
