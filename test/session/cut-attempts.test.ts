/** Cases of the field about what is left of an attempt that was cut: for the wire, for the result, for the rules that waited. */
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../src/agent/ports.js";
import { rule } from "../support/rules.js";
import { type ScriptedAnswer, shape } from "../support/scripted-model.js";
import { BAD_TEXT, createSession, GOOD_TEXT, watchedTools } from "../support/session.js";

const write = (path: string, content: string) => ({ call: "write", args: { path, content } });
const MODES = ["discard", "keep", "rewind"] as const;

/** Calls of a request that have no result, and results that have no call. */
function unpaired(request: ModelRequest): string[] {
  const calls = request.messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []))
      : [],
  );
  const results = request.messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

describe("C86 every call of a cut attempt is removed or paired", () => {
  it.each(
    MODES.flatMap((contextMode) => [
      [contextMode, "after a complete call", [write("a.js", "fine();\n"), write("b.js", "eval(x);\n")]] as const,
      [contextMode, "in the first call", [write("b.js", "eval(x);\n"), write("a.js", "fine();\n")]] as const,
      [contextMode, "in text behind a call", [write("a.js", "fine();\n"), { text: "then eval(x)" }]] as const,
      [contextMode, "in text in front of a call", [{ text: "first eval(x)" }, write("a.js", "fine();\n")]] as const,
    ]),
  )("%s, %s", async (contextMode, _, blocks) => {
    for (const burst of [false, true]) {
      const runs: Record<string, unknown>[] = [];
      const ok: ScriptedAnswer = { blocks: [{ ...write("c.js", "good();\n"), id: "later" }] };
      const { session, clock, model } = createSession({
        answers: [{ blocks: [...blocks], burst }, ok, GOOD_TEXT],
        tools: watchedTools(runs),
        settings: { contextMode },
      });
      const run = session.prompt("go");
      await clock.advance(100);
      expect((await run).status).toBe("ok");
      expect(runs.map(({ path }) => path)).toEqual(["c.js"]);
      for (const request of model.requests) expect(unpaired(request)).toEqual([]);
      const cut = shape(model.requests[1]!).join("\n");
      expect(cut.includes("call write")).toBe(false);
    }
  });
});

describe("C94 a cut attempt never becomes the result", () => {
  it.each(MODES)("%s: the user stops the run in the gap, and there is no text", async (contextMode) => {
    const { session, clock } = createSession({ answers: [BAD_TEXT, GOOD_TEXT], settings: { contextMode } });
    const run = session.prompt("go");
    await clock.advance(20);
    session.abort();
    await clock.advance(3_000);
    const { status, text } = await run;
    expect([status, text]).toEqual(["aborted", ""]);
  });

  it("the retry fails, and the text is not the cut one", async () => {
    const failing: ScriptedAnswer = { error: { kind: "server", message: "busy", retryable: false } as never };
    const { session, clock } = createSession({ answers: [BAD_TEXT, failing] });
    const run = session.prompt("go");
    await clock.advance(3_000);
    const { status, text } = await run;
    expect([status, text]).toEqual(["error", ""]);
  });

  it("a turn before it keeps its own", async () => {
    const first: ScriptedAnswer = { blocks: [{ text: "I look." }, { call: "read", args: { path: "a" } }] };
    const { session, clock } = createSession({ answers: [first, BAD_TEXT, GOOD_TEXT] });
    const run = session.prompt("go");
    await clock.advance(20);
    session.abort();
    await clock.advance(3_000);
    expect((await run).text).toBe("I look.");
  });
});

describe("C69 C70 C71 what waited on a cut attempt", () => {
  const soft = rule("soft", { ttsrTrigger: ["slow\\("], interruptMode: "never", repeatMode: "once" });

  it.each(["keep", "discard"] as const)(
    "%s: a reminder on prose is armed again, and comes once",
    async (contextMode) => {
      const { session, clock, model } = createSession({
        answers: [
          { blocks: [{ text: "slow( and then eval(x)" }] },
          { blocks: [{ text: "slow( only" }, { call: "read", args: { path: "a" } }] },
          GOOD_TEXT,
        ],
        rules: [rule("no-eval"), soft],
        settings: { contextMode },
      });
      const run = session.prompt("go");
      await clock.advance(100);
      await run;
      const told = shape(model.requests.at(-1)!).filter((line) => line.includes('rule="soft"'));
      expect(told).toHaveLength(1);
      expect(told[0]).toContain("rule_reminder");
    },
  );

  it("both hold in one delta: the interrupt tells of its own rule alone", async () => {
    const { session, clock, model } = createSession({
      answers: [{ blocks: [{ text: "slow(eval(x))" }], burst: true, chunk: 100 }, GOOD_TEXT],
      rules: [rule("no-eval"), soft],
    });
    const run = session.prompt("go");
    await clock.advance(100);
    await run;
    const interrupt = shape(model.requests[1]!).at(-1) ?? "";
    expect(interrupt).toContain('rule="no-eval"');
    expect(interrupt).not.toContain('rule="soft"');
  });
});
