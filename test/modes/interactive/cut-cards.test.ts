/** C83: the cards of calls that a rule cut are folded into the attempt's rewind mark; none of them stays open, and none is drawn twice. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.js";
import { FaceHarness } from "./face-harness.js";
import { argDeltas, CUT_RUN, message, textDeltas } from "./fake-session.js";

let face: FaceHarness;
beforeEach(() => {
  face = new FaceHarness();
  face.session.running = true;
});
afterEach(() => face.dispose());

const ARGS = { path: "src/calc.js", content: "const a = 1;\nconst b = 2;\nexport const c = a + b;\n" };
const card = (id: string, to = Number.POSITIVE_INFINITY, index = 1): AgentEvent[] =>
  argDeltas(id, "write", JSON.stringify(ARGS).slice(0, to), 9, index);
const begin: AgentEvent[] = CUT_RUN.before.slice(0, 3);

function cut(): void {
  face.session.isTtsrAbortPending = true;
  face.session.emit(...CUT_RUN.interrupt);
}

function retry(attempt: number): void {
  face.session.isTtsrAbortPending = false;
  face.session.emit(
    { type: "ttsr_retry", rules: ["no-eval"], attempt, contextMode: "discard" },
    { type: "message_start", role: "assistant", attempt },
  );
}

/** The answer comes to its end whole, and its call runs. */
function run(id: string): void {
  const call = { type: "toolCall" as const, id, name: "write", arguments: ARGS };
  face.session.emit(
    { type: "message_end", message: message([call], { stopReason: "toolUse" }) },
    { type: "tool_execution_start", toolCallId: id, toolName: "write", arguments: ARGS },
    {
      type: "tool_execution_end",
      toolCallId: id,
      toolName: "write",
      result: { content: [{ type: "text", text: "Wrote src/calc.js" }], isError: false },
      details: { path: "src/calc.js", diff: "--- a/src/calc.js\n+++ b/src/calc.js\n@@ -0,0 +1 @@\n+const a = 1;\n" },
    },
    { type: "turn_end", turn: 1, message: message([]) },
    ...textDeltas("Done."),
    { type: "agent_end", status: "ok", usage: message([]).usage },
  );
}

/** Cards and marks in the order in which they stand, from top to bottom. */
function story(): string[] {
  return face.all.split("\n").flatMap((row) => {
    const [, kind] = /^\s*(• write|⟲ rewound|⟲ no-eval)/.exec(row) ?? [];
    return kind === undefined ? [] : [row.includes("+1 −0") ? `${kind} done` : kind];
  });
}

describe("C83 tool cards of a cut attempt", () => {
  it.each([
    ["an id of its own", "c2"],
    ["the same id", "c1"],
  ])("write card, interrupt, the same card again with %s: one before the mark, one behind it", async (_, id) => {
    face.session.emit(...begin, ...card("c1", 60));
    await face.clock.advance(100);
    expect(story()).toEqual(["• write"]);
    cut();
    await face.clock.advance(100);
    expect(story()).toEqual(["• write", "⟲ rewound", "⟲ no-eval"]);
    // Nothing of it is drawn as if it went on.
    expect(face.frame).not.toContain("• write");
    retry(2);
    face.session.emit(...card(id));
    run(id);
    await face.clock.advance(100);
    expect(story()).toEqual(["• write", "⟲ rewound", "⟲ no-eval", "• write done"]);
  });

  it("two cards of one answer, whole and half: both above the mark, and the retry draws only its own", async () => {
    face.session.emit(...begin, ...card("a"), ...card("b", 60, 2));
    cut();
    await face.clock.advance(100);
    expect(story()).toEqual(["• write", "• write", "⟲ rewound", "⟲ no-eval"]);
    retry(2);
    face.session.emit(...card("a"));
    run("a");
    await face.clock.advance(100);
    expect(story()).toEqual(["• write", "• write", "⟲ rewound", "⟲ no-eval", "• write done"]);
  });

  it("cut twice: a card and a mark for each attempt, and the call that runs once", async () => {
    face.session.emit(...begin, ...card("c1", 60));
    cut();
    retry(2);
    face.session.emit(...card("c1", 60));
    cut();
    retry(3);
    face.session.emit(...card("c1"));
    run("c1");
    await face.clock.advance(100);
    expect(story()).toEqual(["• write", "⟲ rewound", "⟲ no-eval", "• write", "⟲ rewound", "⟲ no-eval", "• write done"]);
    expect(face.frame).not.toContain("• write");
  });
});
