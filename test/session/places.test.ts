/** C65: one rule, several places of one step: told once, with every place. */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/agent/events.js";
import type { Tool } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { noticeOf } from "../../src/modes/print/notices.js";
import { rule } from "../support/rules.js";
import { type ScriptedAnswer, shape } from "../support/scripted-model.js";
import { createSession, GOOD_TEXT } from "../support/session.js";
import { fakeTool } from "../support/tools.js";

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
-const a = 1;
+const a = eval(x);
*** Update File: src/b.ts
@@
+const b = eval(y);
*** Update File: src/b.ts
@@
+const b = eval(y);
*** End Patch
`;
const patchTool = fakeTool("apply_patch", { authored: [{ kind: "patch", argument: "input" }] });
const onCalls = { ttsrTrigger: [], callCondition: [{ required: ["path", "force"] }] };
const force = (path: string) => ({ call: "put", args: { path, force: true } });

/** Two files of one patch that comes whole; two calls of one answer of which only the whole says anything. */
const WAYS: [string, ScriptedAnswer, Partial<Rule>, Tool][] = [
  [
    "two files of one patch",
    { blocks: [{ call: "apply_patch", args: { input: PATCH } }], chunk: 10_000 },
    {},
    patchTool,
  ],
  ["two calls of one answer", { blocks: [force("src/a.ts"), force("src/b.ts")] }, onCalls, fakeTool("put")],
];
const triggered = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "ttsr_triggered" ? [event] : []));
const lines = (text: string, wanted: RegExp): string[] => text.split("\n").filter((line) => wanted.test(line));

describe.each(WAYS)("C65 %s", (_, bad, more, tool) => {
  const setup = (answers: ScriptedAnswer[], rules: Partial<Rule> = {}) =>
    createSession({ answers, rules: [rule("no-eval", { ...more, ...rules })], tools: [tool] });
  const PATHS = ["src/a.ts", "src/b.ts"];

  it("the rule stands once in event, summary and interrupt, with both paths", async () => {
    const { session, clock, model, events } = setup([bad, GOOD_TEXT]);
    const run = session.prompt("go");
    await clock.advance(50);
    expect((await run).ttsr).toMatchObject({ interrupts: 1, rules: { "no-eval": 1 } });
    const [event, ...others] = triggered(events);
    expect(others).toEqual([]);
    expect(event?.rules.map(({ name }) => name)).toEqual(["no-eval"]);
    expect([...new Set(event?.matches.map(({ filePath }) => filePath))]).toEqual(PATHS);
    const text = shape(model.requests[1]!).at(-1)!;
    expect(lines(text, /<system-interrupt/)).toHaveLength(1);
    expect(lines(text, /^(?:Cut: |and )/)).toEqual([
      expect.stringMatching(/^Cut: .* of src\/a\.ts/),
      expect.stringMatching(/^and .* of src\/b\.ts/),
    ]);
    expect(lines(text, /The body of no-eval/)).toHaveLength(1);
  });

  it("one line on stderr, with both paths", async () => {
    const { session, clock, events } = setup([bad, GOOD_TEXT]);
    void session.prompt("go");
    await clock.advance(50);
    const told = triggered(events).map((event) => noticeOf(event, false));
    expect(told).toEqual([expect.stringMatching(/^rule ⟲ no-eval {2}src\/a\.ts: …[^\n]*; src\/b\.ts: …[^\n]*$/)]);
    expect(told[0]?.match(/src\/b\.ts/g)).toHaveLength(1 + (told[0]?.includes('"src/b.ts"') ? 1 : 0));
  });

  it("one rule in the entry, with both paths; after a crash in the gap the same words are said", async () => {
    const crashed = setup([bad, GOOD_TEXT]);
    void crashed.session.prompt("go");
    await crashed.clock.advance(0);
    expect(crashed.session.isTtsrAbortPending).toBe(true);
    const [entry] = crashed.log.interrupts();
    expect(entry?.rules).toMatchObject([{ name: "no-eval", filePath: "src/a.ts", others: [{ filePath: "src/b.ts" }] }]);
    await crashed.clock.advance(50);
    const said = shape(crashed.model.requests[1]!).at(-1);

    const again = setup([bad, GOOD_TEXT]);
    void again.session.prompt("go");
    await again.clock.advance(0);
    const resumed = createSession({
      answers: [GOOD_TEXT],
      rules: [rule("no-eval", more)],
      tools: [tool],
      log: again.log,
    });
    await resumed.session.prompt("and now");
    expect(shape(resumed.model.requests[0]!).at(-2)).toBe(said);
  });

  it("`never`: one reminder, with both paths", async () => {
    const { session, model, events } = setup([bad, GOOD_TEXT], { interruptMode: "never" });
    await session.prompt("go");
    const sent = shape(model.requests[1]!).filter((line) => line.includes("rule_reminder"));
    expect(sent).toHaveLength(1);
    for (const path of PATHS) expect(sent[0]).toContain(path);
    expect(events.filter(({ type }) => type === "ttsr_suppressed")).toHaveLength(1);
  });

  it("past the budget a call is answered with the rule once", async () => {
    const { session, clock, model } = setup([bad, bad, bad, GOOD_TEXT]);
    const run = session.prompt("go");
    await clock.advance(200);
    await run;
    const results = shape(model.requests[3]!).filter((line) => line.startsWith("toolResult"));
    for (const result of results) expect(result.match(/<system-interrupt/g)).toHaveLength(1);
    for (const path of PATHS) expect(results.join("\n")).toContain(path);
  });
});
