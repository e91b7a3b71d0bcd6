import { describe, expect, it } from "vitest";
import { rule } from "../support/rules.js";
import type { ScriptedAnswer } from "../support/scripted-model.js";
import { createSession, watchedTools } from "../support/session.js";
import { fakeTool } from "../support/tools.js";

const DONE: ScriptedAnswer = { blocks: [{ text: "done" }] };
const IN_SRC = rule("no-eval", { globs: ["/src/**"], scope: ["tool"] });

async function play(call: string, args: string, of = IN_SRC) {
  const runs: Record<string, unknown>[] = [];
  const edit = fakeTool("edit", { authored: [{ kind: "edits", argument: "edits" }], pathArgument: "path", runs });
  const tools = [...watchedTools(runs), edit, fakeTool("mcp_store", { runs })];
  const { session, clock, model, events } = createSession({
    answers: [{ blocks: [{ call, args }] }, DONE],
    rules: [of],
    tools,
  });
  const run = session.prompt("go");
  for (let step = 0; step < 20; step++) await clock.advance(50);
  await run;
  return { runs, requests: model.requests.length, cuts: events.filter(({ type }) => type === "ttsr_triggered").length };
}

describe("TTSR-2.6 what is checked is what would run", () => {
  it.each([
    ["the file is named twice", "write", '{"path":"README.md","content":"eval(x)","path":"src/a.ts"}'],
    ["the old text comes twice", "edit", '{"path":"src/a.ts","edits":[{"old":"eval(x)","new":"eval(x)","old":"a"}]}'],
    ["the new text comes twice", "edit", '{"path":"src/a.ts","edits":[{"old":"a","new":"b","new":"eval(x)"}]}'],
    ["all edits come twice", "edit", '{"path":"src/a.ts","edits":[],"edits":[{"old":"a","new":"eval(x)"}]}'],
    ["a key is written with escapes", "write", '{"path":"a","content":"eval(x)","p\\u0061th":"src/a.ts"}'],
  ])("%s", async (_, call, args) => {
    expect(await play(call, args)).toEqual({ runs: [], requests: 2, cuts: 1 });
  });

  it("a key twice in two objects is no repetition", async () => {
    const args = '{"path":"src/a.ts","edits":[{"old":"eval(x)","new":"eval(x)"},{"old":"eval(y)","new":"eval(y)"}]}';
    expect(await play("edit", args)).toMatchObject({ requests: 2, cuts: 0, runs: [expect.anything()] });
  });

  it("behind values as deep as a call may be", async () => {
    const deep = (levels: number): string => `{"a":${"[".repeat(levels)}${"]".repeat(levels)},"b":"eval(x)"}`;
    expect(await play("mcp_store", deep(499), rule("no-eval"))).toEqual({ runs: [], requests: 2, cuts: 1 });
    // Deeper than that it is no call any more, and so not run.
    expect(await play("mcp_store", deep(600), rule("no-eval"))).toEqual({ runs: [], requests: 2, cuts: 0 });
  });
});

describe("TTSR-1.6 rules that change while an answer comes in", () => {
  it.each([
    ["is added", [rule("other", { ttsrTrigger: ["zzz"] })], [rule("no-eval")]],
    ["gets another name", [rule("old-name")], [rule("new-name")]],
    ["is changed", [rule("no-eval", { ttsrTrigger: ["zzz"], hash: "1" })], [rule("no-eval", { hash: "2" })]],
    ["watches what none watched", [rule("no-eval", { scope: ["text"] })], [rule("no-eval", { hash: "2" })]],
  ])("hold for its calls when they are complete: one %s", async (_, before, after) => {
    const runs: Record<string, unknown>[] = [];
    const call = { call: "bash", args: { command: "node -e 'eval(x)'; sleep 1" } };
    const setup = createSession({ answers: [{ blocks: [call] }, DONE], rules: before, tools: watchedTools(runs) });
    const { session, clock, model, events, ttsr } = setup;
    let seen = 0;
    session.subscribe((event) => {
      if (event.type === "message_update" && ++seen === 2) ttsr.setRules(after);
    });
    const run = session.prompt("go");
    await clock.advance(1000);
    await run;
    expect(runs).toEqual([]);
    expect(model.requests).toHaveLength(2);
    expect(events.filter(({ type }) => type === "ttsr_triggered")).toHaveLength(1);
  });
});
