import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RuleStatus } from "../../../src/modes/interactive/session-port.js";
import { settle } from "../../support/fake-clock.js";
import { FaceHarness } from "./face-harness.js";
import { CUT_RUN } from "./fake-session.js";

const RULE: RuleStatus = {
  name: "no-eval",
  path: "/home/ada/project/.rules/no-eval.md",
  provider: "project",
  state: "armed",
  triggers: ["eval"],
  scope: ["tool:edit"],
  globs: ["src/**"],
  description: "Never build code from strings",
  hits: 0,
  interrupts: 0,
  discardedTokens: 0,
  falseAlarms: 0,
  muted: false,
};

let face: FaceHarness;
beforeEach(() => {
  face = new FaceHarness(80, 30);
  face.session.statuses = [
    { ...RULE, hits: 2, discardedTokens: 1234, falseAlarms: 1 },
    { ...RULE, name: "quiet-one", pause: { kind: "quiet", sinceTurn: 3 } },
    { ...RULE, name: "waiting-one", pause: { kind: "warming-up", seen: 1, of: 3 } },
    { ...RULE, name: "spent-one", pause: { kind: "spent" } },
    { ...RULE, name: "watcher", state: "observe" },
    { ...RULE, name: "dead", state: "broken", reason: "its trigger cannot be read" },
    { ...RULE, name: "double", state: "shadowed", reason: "by /x/no.md", provider: "user" },
    { ...RULE, name: "foreign", state: "untrusted", reason: "the folder is not trusted" },
    { ...RULE, name: "shipped", provider: "bundled" },
  ];
});
afterEach(() => face.dispose());

describe("TTSR-10.3 /rules", () => {
  beforeEach(() => face.type("/rules\r"));

  it("shows every rule with its state, hits and tokens cut, and the chosen one's source", () => {
    const row = (name: string): string => face.frame.split("\n").find((each) => each.includes(name)) ?? "";
    expect(row("no-eval")).toMatch(/› no-eval +armed +2 hits, 1.2k tokens cut/);
    expect(row("quiet-one")).toContain("quiet since turn 3");
    expect(row("waiting-one")).toContain("warming up 1/3");
    expect(row("spent-one")).toContain("budget spent");
    expect(row("watcher")).toContain("observe");
    expect(row("dead")).toContain("broken: its trigger cannot be read");
    expect(row("double")).toContain("shadowed by /x/no.md");
    expect(row("foreign")).toContain("untrusted");
    expect(face.frame).toContain("project · /home/ada/project/.rules/no-eval.md");
    expect(face.frame).toContain("watches tool:edit in src/**");
  });

  it("filters with /, and keeps the filter while one works on what is left", () => {
    face.type("/spent");
    expect(face.frame).not.toContain("watcher");
    expect(face.frame).toContain("› spent-one");
    face.type("\rm");
    expect(face.frame).toMatch(/› spent-one +muted/);
    expect(face.frame).toContain("/ spent");
    face.type("/\u001b");
    expect(face.frame).toContain("watcher");
    face.type("\u001b");
    expect(face.frame).toContain("Ask for something");
  });

  it("m mutes and wakes, l lets one through, e opens the file; a bundled rule is left alone", async () => {
    face.type("m");
    expect(face.session.statuses[0]?.muted).toBe(true);
    face.type("ml");
    await settle();
    expect(face.session.statuses[0]?.muted).toBe(false);
    expect(face.session.allowed).toEqual(["no-eval"]);
    const edited: string[] = [];
    face.editFile = async (path) => void edited.push(path);
    face.type("e");
    await settle();
    expect(edited).toEqual([RULE.path]);
    face.type("\u001b[F");
    expect(face.frame).toContain("› shipped");
    face.type("e");
    await settle();
    expect(edited).toHaveLength(1);
    expect(face.frame).toContain("comes with the program");
  });

  it.each([10, 12, 16, 24])("keeps within a screen of %i rows", (rows) => {
    face.size = { columns: 40, rows };
    face.face.resize();
    face.type("\u001b[B");
    expect(face.frame.split("\n").length).toBeLessThanOrEqual(rows - 2);
    expect(face.frame).toContain("› quiet-one");
  });
});

describe("TTSR-10.3 keys on an interrupt", () => {
  it("before the first one there is nothing to choose", () => {
    face.type("\u0014");
    expect(face.frame).toContain("No rule has interrupted yet");
  });

  describe("after one", () => {
    beforeEach(() => {
      face.session.running = true;
      face.session.emit(...CUT_RUN.before, ...CUT_RUN.interrupt);
    });

    it("the notice names the key", () => {
      expect(face.frame).toContain("Ctrl+T");
    });

    it("Ctrl+T shows the excerpt and the choices, also while the retry streams", () => {
      face.session.emit(...CUT_RUN.retry);
      face.type("\u0014");
      expect(face.frame).toContain("⟲ no-eval");
      expect(face.frame).toContain("return »eval(«");
      for (const label of ["1  Let it through once", "2  Mute", "3  False alarm", "4  Edit the rule"]) {
        expect(face.frame).toContain(label);
      }
      face.type("\u001b");
      expect(face.frame).toContain("Ask for something");
      expect(face.session.aborted).toBe(0);
    });

    it("Ctrl+T says so where the rule is off by then", () => {
      face.session.statuses = face.session.statuses.map((status) => ({ ...status, state: "broken" as const }));
      face.type("\u0014");
      expect(face.frame).toContain("no-eval is not armed any more; /rules shows why.");
    });

    it("1 lets it through once, 2 mutes, 4 opens the rule's file", async () => {
      face.type("\u00141");
      await settle();
      expect(face.session.allowed).toEqual(["no-eval"]);
      face.type("\u0014\u001b[B\r");
      expect(face.session.statuses[0]?.muted).toBe(true);
      expect(face.all).toContain("no-eval is muted for this session");
      const edited: string[] = [];
      face.editFile = async (path) => void edited.push(path);
      face.type("\u00144");
      await settle();
      expect(edited).toEqual([RULE.path]);
    });

    it("3 asks first, with no as the first answer, and then hands the excerpt over", async () => {
      face.type("\u00143");
      expect(face.frame).toContain("must stay silent?");
      expect(face.frame).toContain(RULE.path);
      face.type("\r");
      expect(face.session.alarms).toEqual([]);
      face.type("32");
      await settle();
      expect(face.session.alarms).toEqual([
        { name: "no-eval", example: { text: "return eval(", path: "src/calc.js", tool: "edit" } },
      ]);
    });

    it("a rule of another program can be let through and muted, not changed", () => {
      face.session.statuses = [{ ...RULE, provider: "bundled" }];
      face.type("\u0014");
      expect(face.frame).toContain("2  Mute");
      expect(face.frame).not.toContain("False alarm");
      expect(face.frame).not.toContain("Edit the rule");
    });

    it("Ctrl+O shows the whole description", () => {
      expect(face.frame).toContain("(Ctrl+O)");
      face.type("\u000f");
      expect(face.frame).toMatch(/src\/parse\.js that does it\s+already/);
    });

    it("several rules of one interrupt: one after the other", () => {
      face.session.statuses = [RULE, { ...RULE, name: "no-var", description: "No var" }];
      const [triggered] = CUT_RUN.interrupt;
      if (triggered?.type !== "ttsr_triggered") throw new Error("not the event");
      const more = { name: "no-var", path: RULE.path, description: "No var" };
      face.session.emit({ ...triggered, rules: [...triggered.rules, more] });
      face.type("\u0014");
      expect(face.frame).toContain("no-eval (1 of 2)");
      face.type("5");
      expect(face.frame).toContain("no-var (2 of 2)");
      face.type("2");
      expect(face.session.statuses.map(({ muted }) => muted)).toEqual([false, true]);
    });
  });
});

describe("a permission question", () => {
  it("5 takes a pattern that the user may change, and says why it cannot", async () => {
    const answer = face.face.ui.askPermission(
      {
        toolCallId: "c1",
        toolName: "bash",
        subject: { kind: "command", title: "Run a command", paths: [], command: "npm test" },
        sessionScope: "exactly this command",
        pattern: {
          suggested: "bash(npm test*)",
          fault: (text) => (text.startsWith("bash(npm") ? undefined : "That does not cover this call."),
        },
      },
      new AbortController().signal,
    );
    face.type("5");
    expect(face.frame).toContain("› bash(npm test*)");
    face.type("\u0015yarn\r");
    expect(face.frame).toContain("That does not cover this call.");
    face.type("\u0015bash(npm *)\r");
    expect(await answer).toEqual({ allow: true, remember: "pattern", pattern: "bash(npm *)" });
  });
});
