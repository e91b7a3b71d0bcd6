import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PermissionAnswer, PermissionQuestion } from "../../../src/modes/interactive/session-port.js";
import { settle } from "../../support/fake-clock.js";
import { FaceHarness } from "./face-harness.js";

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

describe("a permission question", () => {
  it("is answered by number, by arrows with Enter; Esc and Ctrl+C deny and stop the run", async () => {
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
    const stop = { allow: false, stop: true };
    expect(answers).toEqual([once, session, no, once, session, no, stop, stop]);
    expect(face.session.aborted).toBe(2);
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
    expect(face.frame).toContain("; rm -rf /\\x1b[2K\\x0d\\u202eabc");
    expect(face.frame).toMatch(/^ *ls$/m);
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
    expect(await answer).toMatchObject({ allow: false });
    expect(await ask({}, stop.signal)).toMatchObject({ allow: false });
    // It was stopped, or cut by a rule, already.
    expect(face.session.aborted).toBe(0);
    expect(face.frame).not.toContain("Allow");
  });

  describe("while the user writes", () => {
    let answers: PermissionAnswer[] = [];
    beforeEach(() => {
      answers = [];
    });
    const question = async (): Promise<void> => {
      answers = [];
      void ask().then((answer) => answers.push(answer));
      await settle();
    };
    const press = async (keys: string): Promise<PermissionAnswer[]> => {
      face.type(keys);
      await settle();
      return answers;
    };

    it("is not answered by the rest of the sentence, whose end is queued", async () => {
      face.session.running = true;
      face.type("and then al");
      await question();
      expect(await press("so 1\r")).toEqual([]);
      expect(sent()).toEqual(["queue: and then also 1"]);
      await face.clock.advance(1_000);
      expect(await press("1")).toEqual([{ allow: true }]);
    });

    it("nor after a pause for thought: the first letter gives all keys back to the draft", async () => {
      face.type("take ");
      await question();
      await face.clock.advance(4_000);
      expect(await press("a")).toEqual([]);
      expect(await press("ll 3")).toEqual([]);
      expect(face.frame).toContain("draft  take all 3");
      expect(face.frame).toContain("That went into your draft.");
      await face.clock.advance(900);
      expect(await press("1")).toEqual([]);
      expect(await press("\u007f")).toEqual([]);
      // An arrow is an answer's key, and the next is one too.
      expect(await press("\u001b[B")).toEqual([]);
      expect(await press("\r")).toEqual([{ allow: true, remember: "session" }]);
      expect(face.frame).toContain("› take all 3");
    });

    it("a digit right after it came up is no answer where a draft was just being written", async () => {
      face.type("room ");
      await face.clock.advance(3_000);
      await question();
      expect(await press("101")).toEqual([]);
      await face.clock.advance(1_000);
      expect(await press("3")).toEqual([{ allow: false }]);
      expect(face.frame).toContain("› room 101");
    });

    it("what is written with an empty editor is a draft as well, and so is a paste", async () => {
      await question();
      expect(await press("yes")).toEqual([]);
      face.paste(" and more\n");
      expect(await press("\u001b")).toEqual([{ allow: false, stop: true }]);
      expect(face.frame).toContain("› yes and more");
    });

    it("a draft left alone is none that is being written", async () => {
      face.type("later");
      await face.clock.advance(6_000);
      await question();
      expect(await press("1")).toEqual([{ allow: true }]);
    });

    it("the trust question is kept from it likewise", async () => {
      let trusted: boolean | undefined;
      void face.face.ui
        .askTrust({ folder: "/p", rules: [], others: [], kind: "written" })
        .then((answer) => (trusted = answer));
      expect(await press("x2")).toEqual([]);
      expect(trusted).toBeUndefined();
      expect(await press("\t\r")).toEqual([]);
      expect(trusted).toBe(true);
    });

    it("a panel that comes up late neither, but takes its letters otherwise", async () => {
      face.type("/doctor\rquick");
      await settle();
      expect(face.frame).toContain("node  20.19.0");
      face.type("ly");
      expect(face.frame).toContain("draft  quickly");
      face.type("\u001b");
      expect(face.frame).toContain("› quickly");
    });
  });

  it("Ctrl+C denies and stops; a second one quits, whatever stands in the editor", async () => {
    face.session.running = true;
    face.type("a draft");
    const answer = ask();
    face.type("\u0003");
    expect(await answer).toEqual({ allow: false, stop: true });
    expect(face.session.aborted).toBe(1);
    expect(face.frame).toContain("Ctrl+C again quits.");
    expect(face.quits).toBe(0);
    face.type("\u0003");
    expect(face.quits).toBe(1);
  });

  it("Ctrl+O prints the whole of what it asks for; the question stays", async () => {
    const command = Array.from({ length: 60 }, (_, i) => `echo ${i}`).join("\n");
    void ask({ subject: { kind: "command", title: "Run", paths: [], command } });
    expect(face.all).not.toContain("echo 59");
    face.type("\u000f");
    expect(face.printed).toContain("bash · the whole command that it asks for");
    expect(face.printed).toContain("echo 59");
    expect(face.frame).toContain("Allow bash?");
  });

  it("Ctrl+O in front of a question that is whole expands what was shortened above it", () => {
    const asked = Array.from({ length: 30 }, (_, i) => `wish ${i}`).join("\n");
    face.session.emit({ type: "agent_start" }, { type: "turn_start", turn: 1, prompts: [asked] });
    const call = { toolCallId: "c1", toolName: "bash" };
    face.session.emit({ type: "tool_execution_start", ...call, arguments: { command: "npm test" } });
    void ask();
    expect(face.all).not.toContain("wish 29");
    face.type("\u000f");
    expect(face.printed).toContain("wish 29");
    expect(face.frame).toContain("Allow bash?");
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
