/** Cases of the field about loops, budgets and what goes together in one answer. */
import { describe, expect, it } from "vitest";
import { rule } from "../support/rules.js";
import { shape } from "../support/scripted-model.js";
import { BAD_TEXT, createSession, GOOD_TEXT, watchedTools } from "../support/session.js";

const write = (path: string, content: string) => ({ call: "write", args: { path, content } });

describe("C35 two calls in one answer, and the second trips a rule", () => {
  it("neither is started, and after the budget each of them still gets a result", async () => {
    const runs: Record<string, unknown>[] = [];
    const both = { blocks: [write("a.js", "fine();\n"), write("b.js", "eval(x);\n")] };
    const { session, clock, model } = createSession({
      answers: [both, both, both, GOOD_TEXT],
      tools: watchedTools(runs),
    });
    const run = session.prompt("go");
    await clock.advance(120);
    await run;
    // Twice the whole answer was cut; the third time the call alone is refused.
    expect(runs.map(({ path }) => path)).toEqual(["a.js"]);
    const results = shape(model.requests[3]!).filter((line) => line.startsWith("toolResult"));
    expect(results).toHaveLength(2);
  });
});

describe("C59 the user asked for exactly this", () => {
  it("lets it through for one answer, and no longer", async () => {
    const { session, clock } = createSession({ answers: [BAD_TEXT, BAD_TEXT, GOOD_TEXT] });
    expect(await session.allowRuleOnce("no-eval")).toBe("next-match");
    expect((await session.prompt("use eval here")).ttsr.interrupts).toBe(0);
    const run = session.prompt("go on");
    await clock.advance(50);
    expect((await run).ttsr.interrupts).toBe(1);
  });
});

describe("C60 one noisy rule", () => {
  it("past its budget it is quiet, and the others still interrupt", async () => {
    const other = { blocks: [{ text: "and now debugger here" }] };
    const { session, clock, events } = createSession({
      answers: [BAD_TEXT, BAD_TEXT, { blocks: [{ text: "eval( and then debugger now" }] }, other, GOOD_TEXT],
      rules: [rule("no-eval"), rule("no-debugger", { ttsrTrigger: ["\\bdebugger\\b"] })],
    });
    const run = session.prompt("go");
    await clock.advance(300);
    expect((await run).ttsr).toMatchObject({ interrupts: 4, rules: { "no-eval": 2, "no-debugger": 2 } });
    expect(events.filter((event) => event.type === "notice" && event.code === "ttsr-budget")).toHaveLength(1);
  });
});

describe("C61, C62 a model that always answers with the match", () => {
  it.each([
    ["always", { repeatMode: "always" as const }],
    ["after-gap of 0", { repeatMode: "after-gap" as const, repeatGap: 0 }],
    ["once", { repeatMode: "once" as const }],
  ])("%s: is bounded; the answer is delivered and the user is told", async (_, settings) => {
    const { session, clock, model, events } = createSession({ answers: [BAD_TEXT], settings });
    const run = session.prompt("go");
    await clock.advance(1_000);
    const { status, text, ttsr } = await run;
    expect({ status, text }).toEqual({ status: "ok", text: "I will use eval( here and go on for a while" });
    expect(ttsr.interrupts).toBeLessThanOrEqual(2);
    expect(model.requests).toHaveLength(ttsr.interrupts + 1);
    expect(events.some((event) => event.type === "ttsr_suppressed" || event.type === "notice")).toBe(
      settings.repeatMode !== "once",
    );
  });
});

describe("C64 one event for each violation", () => {
  it("however often the call is looked at again, whole or in pieces", async () => {
    for (const chunk of [1, 7, 10_000]) {
      const bad = { blocks: [write("a.js", "x = eval(y);\nz = eval(y);\n")], chunk };
      const { session, clock, events } = createSession({ answers: [bad, GOOD_TEXT] });
      void session.prompt("go");
      await clock.advance(50);
      const told = events.filter((event) => event.type === "ttsr_triggered");
      expect(told).toHaveLength(1);
      expect(told[0]?.rules).toHaveLength(1);
    }
  });
});

describe("C65 one rule, two files in one answer", () => {
  it("stands once in the event, and the retry is asked for once", async () => {
    const bad = { blocks: [write("a.js", "eval(a);\n"), write("b.js", "eval(b);\n")], burst: true };
    const { session, clock, events, model } = createSession({ answers: [bad, GOOD_TEXT] });
    void session.prompt("go");
    await clock.advance(50);
    expect(events.flatMap((event) => (event.type === "ttsr_triggered" ? event.rules : []))).toHaveLength(1);
    expect(shape(model.requests[1]!).filter((line) => line.includes('rule="no-eval"'))).toHaveLength(1);
  });
});

describe("C70 a reminder waits on one call, and a sibling is interrupted", () => {
  it("it is not burnt: armed again, it comes with the call that runs", async () => {
    const soft = rule("soft", { ttsrTrigger: ["slow\\("], interruptMode: "never", repeatMode: "once" });
    const { session, clock, model } = createSession({
      answers: [
        { blocks: [write("a.js", "slow();\n"), write("b.js", "eval(b);\n")] },
        { blocks: [write("a.js", "slow();\n")] },
        GOOD_TEXT,
      ],
      rules: [rule("no-eval"), soft],
    });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    const reminders = shape(model.requests.at(-1)!).filter((line) => line.includes('rule="soft"'));
    expect(reminders).toHaveLength(1);
    expect(reminders[0]).toMatch(/^toolResult: .*rule_reminder/);
  });
});

describe("C78 a reminder that comes again", () => {
  it("does not carry the body a second time while the first stands in the context", async () => {
    const { session, model } = createSession({
      answers: [
        { blocks: [write("a.js", "eval(a);\n")] },
        { blocks: [write("b.js", "eval(b);\n")] },
        { blocks: [write("c.js", "eval(c);\n")] },
        GOOD_TEXT,
      ],
      rules: [rule("gentle", { interruptMode: "never" })],
    });
    await session.prompt("go");
    const sent = shape(model.requests.at(-1)!).filter((line) => line.includes("rule_reminder"));
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.filter((line) => line.includes("The body of gentle."))).toHaveLength(1);
  });
});
