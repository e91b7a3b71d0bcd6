import { afterEach, describe, expect, it } from "vitest";
import { frameHeight } from "../../../src/modes/interactive/store/frame.js";
import { FaceHarness } from "./face-harness.js";
import { argDeltas, CUT_RUN, textDeltas } from "./fake-session.js";

const PROSE = "A sentence that goes on for some time so that it must be wrapped. ".repeat(60);
const FENCE = `\`\`\`ts\n${Array.from({ length: 120 }, (_, i) => `const value${i} = compute(${i});`).join("\n")}`;
const DIFF = `@@ -1,60 +1,60 @@\n${Array.from({ length: 60 }, (_, i) => `-old line ${i}\n+new line ${i} ${"x".repeat(120)}`).join("\n")}\n`;

const scenes: Record<string, (face: FaceHarness) => void> = {
  idle: () => undefined,
  "a long paragraph": ({ session }) => session.emit(...CUT_RUN.before.slice(0, 3), ...textDeltas(PROSE)),
  "a long fence": ({ session }) => session.emit(...CUT_RUN.before.slice(0, 3), ...textDeltas(FENCE)),
  "five calls at once": ({ session }) => {
    session.emit(...CUT_RUN.before.slice(0, 3));
    for (let i = 0; i < 5; i++)
      session.emit(...argDeltas(`c${i}`, "write", `{"path":"f${i}","content":"a\\nb\\nc\\nd\\ne\\nf\\ng`, 9, i));
  },
  "an open notice above a retry": (face) => {
    face.session.emit(...CUT_RUN.before, ...CUT_RUN.interrupt, ...CUT_RUN.retry, ...textDeltas(PROSE, 50, 3));
    face.type("\u000f");
  },
  "a full editor and a queue": (face) => {
    face.session.queue = ["one", "two", "three", "four", "five"];
    face.session.emit(...CUT_RUN.before.slice(0, 3), ...textDeltas(PROSE));
    face.paste("a\nb\nc\nd\ne\nf\ng\nh");
    face.type("\njj\njj\njj");
  },
  "a completion": (face) => {
    face.session.emit(...CUT_RUN.before.slice(0, 3), ...textDeltas(PROSE));
    face.type("/");
  },
  "a permission question with a long diff": (face) => {
    face.session.emit(...CUT_RUN.before);
    void face.face.ui.askPermission(
      {
        toolCallId: "c1",
        toolName: "edit",
        subject: { kind: "edit", title: "Edit src/a.ts", paths: ["/p/src/a.ts"], diff: DIFF },
        because: "The file is protected, because it decides what the agent may do in this folder.",
        sessionScope: "edits in this folder",
      },
      new AbortController().signal,
    );
  },
  "a word to the model": (face) => {
    scenes["a permission question with a long diff"]?.(face);
    face.type("4and here is why");
  },
  "a trust question": (face) => {
    const rules = Array.from({ length: 40 }, (_, i) => ({
      name: `rule-${i}`,
      path: `/p/.rules/${i}.md`,
      description: PROSE,
    }));
    void face.face.ui.askTrust({
      folder: `/very/long/${"folder/".repeat(30)}`,
      rules,
      others: [],
      kind: "changed",
      changes: [{ path: "a.md", diff: DIFF }],
    });
  },
  "the rules panel": (face) => {
    face.session.statuses = Array.from({ length: 40 }, (_, i) => ({
      name: `some/rule-${i}`,
      path: `/p/.rules/${i}.md`,
      provider: "project",
      state: "armed" as const,
      triggers: ["x"],
      scope: [],
      globs: [],
      description: PROSE,
      hits: i,
      interrupts: i,
      discardedTokens: i * 700,
      falseAlarms: 0,
      muted: false,
    }));
    face.type("/rules\r");
  },
};

describe("the frame is never as tall as the terminal", () => {
  let face: FaceHarness | undefined;
  afterEach(() => face?.dispose());

  describe.each(Object.keys(scenes))("%s", (name) => {
    it.each([20, 80, 120])("at %i columns and 10 to 60 rows", (columns) => {
      face = new FaceHarness(columns, 60);
      scenes[name]?.(face);
      for (let rows = 60; rows >= 10; rows--) {
        face.size = { columns, rows };
        face.face.resize();
        const { frame } = face.face.store;
        expect(frameHeight(frame), `${columns}x${rows}`).toBeLessThan(rows);
        expect(frame.status).toHaveLength(1);
        if (frame.cursor) expect(frame.cursor.y, `${columns}x${rows}`).toBeLessThan(frameHeight(frame));
        // No row is as wide as the terminal: a narrower window then breaks none of them.
        for (const row of face.frame.split("\n")) expect([...row].length, row).toBeLessThan(columns);
      }
    });
  });

  it("stays so when the terminal is made smaller", () => {
    face = new FaceHarness(120, 60);
    scenes["a permission question with a long diff"]?.(face);
    face.size = { columns: 40, rows: 10 };
    face.face.resize();
    expect(frameHeight(face.face.store.frame)).toBeLessThan(10);
    expect(face.frame).toContain("3  Deny");
  });
});
