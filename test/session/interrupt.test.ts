import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../src/agent/messages.js";
import type { Rule } from "../../src/capability/rule.js";
import { settle } from "../support/fake-clock.js";
import { rule } from "../support/rules.js";
import { type ScriptedAnswer, shape } from "../support/scripted-model.js";
import { BAD_TEXT, createSession, eventTypes, GOOD_TEXT, rulesOf, STATUS, watchedTools } from "../support/session.js";

const BAD_CALL = {
  blocks: [{ call: "write", args: { path: "src/a.js", content: "x = eval(y);\nmore and more and more\n" } }],
};

describe("TTSR-7.3 order of an interrupted run", () => {
  it("tells the whole story, once each, with no turn_end or agent_end between cut and retry", async () => {
    const { session, clock, events } = createSession({ answers: [BAD_TEXT, GOOD_TEXT] });
    const run = session.prompt("go");
    await clock.advance(50);
    const summary = await run;
    expect(eventTypes(events)).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_update",
      "ttsr_triggered",
      "message_end",
      "ttsr_retry",
      "message_start",
      "message_update",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    const cut = events.find((event) => event.type === "message_end");
    expect(cut).toMatchObject({ message: { stopReason: "aborted", abortReason: "ttsr", cutBy: ["no-eval"] } });
    expect(summary).toMatchObject({
      status: "ok",
      text: "I will write a parser.",
      ttsr: { interrupts: 1, rules: { "no-eval": 1 } },
    });
  });

  it("with tools after the retry: executions before turn_end", async () => {
    const runs: Record<string, unknown>[] = [];
    const good = { blocks: [{ call: "write", args: { path: "src/a.js", content: "x = parse(y);\n" } }] };
    const { session, clock, events } = createSession({
      answers: [BAD_CALL, good, GOOD_TEXT],
      tools: watchedTools(runs),
    });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    const order = eventTypes(events).slice(4, 14);
    expect(order).toEqual([
      "ttsr_triggered",
      "message_end",
      "ttsr_retry",
      "message_start",
      "message_update",
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "turn_end",
      "turn_start",
    ]);
    expect(runs).toEqual([{ path: "src/a.js", content: "x = parse(y);\n" }]);
  });
});

describe("TTSR-6.2 what the retry sends", () => {
  it("discard: exactly [history, interrupt]", async () => {
    const { session, clock, model } = createSession({ answers: [BAD_TEXT, GOOD_TEXT] });
    void session.prompt("go");
    await clock.advance(50);
    expect(model.requests[1]?.messages).toHaveLength(2);
    expect(shape(model.requests[1]!)[0]).toBe("user: go");
    expect(shape(model.requests[1]!)[1]).toContain('rule="no-eval"');
    expect(shape(model.requests[1]!)[1]).toContain("The body of no-eval.");
  });

  it("keep: exactly [history, partial, interrupt], the partial without its calls (TTSR-6.4)", async () => {
    const bad = { blocks: [{ text: "Writing now." }, ...BAD_CALL.blocks] };
    const { session, clock, model } = createSession({ answers: [bad, GOOD_TEXT], settings: { contextMode: "keep" } });
    void session.prompt("go");
    await clock.advance(50);
    expect(shape(model.requests[1]!).map((line) => line.slice(0, 30))).toEqual([
      "user: go",
      "assistant: Writing now.",
      'user: <system-interrupt reason="rule_vi'.slice(0, 30),
    ]);
  });

  it("keep of a call alone: a text stands for it", async () => {
    const { session, clock, model } = createSession({
      answers: [BAD_CALL, GOOD_TEXT],
      settings: { contextMode: "keep" },
    });
    void session.prompt("go");
    await clock.advance(50);
    expect(shape(model.requests[1]!)[1]).toBe("assistant: [call to write cut off by rule no-eval; not run]");
  });
});

describe("TTSR-6.4 rewind", () => {
  const retry = async (blocks: ScriptedAnswer["blocks"], rules = [rule("no-eval", { contextMode: "rewind" })]) => {
    const setup = createSession({ answers: [{ blocks: blocks ?? [] }, GOOD_TEXT], rules });
    const run = setup.session.prompt("go");
    await setup.clock.advance(50);
    await run;
    return { ...setup, sent: shape(setup.model.requests[1]!) };
  };

  it("sends [history, the lines before the match, interrupt], and the log has the whole attempt", async () => {
    const { sent, session, log } = await retry([{ text: "First a parser.\nThen eval( and more" }]);
    expect(sent.slice(0, 2)).toEqual(["user: go", "assistant: First a parser.\n"]);
    expect(sent[2]).toContain('rule="no-eval"');
    expect(sent).toHaveLength(3);
    expect(JSON.stringify(log.entries)).toContain("Then eval(");
    expect(log.buildContext().messages).toEqual([...session.messages]);
  });

  it("of calls nothing stays, of the text before them all; signed thinking stays whole", async () => {
    const { sent } = await retry([
      { thinking: "hm", signature: "s" },
      { text: "One.\nTwo." },
      { call: "bash", args: { command: "ls" } },
      ...BAD_CALL.blocks,
    ]);
    expect(sent[1]).toBe("assistant: thinking | One.\nTwo.");
  });

  it("a match in thinking takes the thinking back, signed or not", async () => {
    const thinks = rule("no-eval", { contextMode: "rewind", scope: ["thinking"] });
    const { sent } = await retry([{ text: "One." }, { thinking: "a\neval( b", signature: "s" }], [thinks]);
    expect(sent[1]).toBe("assistant: One.");
  });

  it("of two rules of the batch the earlier line counts", async () => {
    const late = rule("late", { contextMode: "rewind", ttsrTrigger: ["two\\nthree eval\\("] });
    const { sent } = await retry(
      [{ text: "one\ntwo\nthree eval( four" }],
      [rule("no-eval", { contextMode: "rewind" }), late],
    );
    expect(sent[1]).toBe("assistant: one\n");
  });
});

describe("TTSR-5.4 what a rule says itself", () => {
  const contextModeOf = async (rules: Rule[], settings = {}) => {
    const { session, clock, events } = createSession({ answers: [BAD_TEXT, GOOD_TEXT], rules, settings });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    return events.flatMap((event) => (event.type === "ttsr_retry" ? [event.contextMode] : []));
  };

  it.each([
    [["keep", "rewind", "discard"], "discard"],
    [["keep", "rewind"], "rewind"],
    [["keep", "keep"], "keep"],
  ] as const)("in a batch of %j: %s", async (modes, which) => {
    expect(await contextModeOf(modes.map((contextMode, i) => rule(`r${i}`, { contextMode })))).toEqual([which]);
  });

  it("a rule that may not interrupt has no say in how the others do", async () => {
    const soft = rule("soft", { interruptMode: "never", contextMode: "discard" });
    expect(await contextModeOf([soft, rule("hard", { contextMode: "keep" })])).toEqual(["keep"]);
  });

  it("beats the settings, in either direction", async () => {
    expect(await contextModeOf([rule("a", { contextMode: "keep" })], { contextMode: "discard" })).toEqual(["keep"]);
    expect(await contextModeOf([rule("a", { interruptMode: "always" })], { interruptMode: "never" })).toEqual([
      "discard",
    ]);
    expect(await contextModeOf([rule("a", { interruptMode: "tool-only" })])).toEqual([]);
  });
});

describe("TTSR-2.6 bursts", () => {
  it("nothing after the match is handled when the whole reply is already there", async () => {
    const bad = { blocks: [{ text: "Use eval( and then much more text" }, ...BAD_CALL.blocks], burst: true };
    const runs: Record<string, unknown>[] = [];
    const { session, clock, events } = createSession({ answers: [bad, GOOD_TEXT], tools: watchedTools(runs) });
    void session.prompt("go");
    await clock.advance(50);
    const shown = events.flatMap((event) => (event.type === "message_update" ? [event.delta.text] : []));
    expect(shown.slice(0, 2).join("")).toBe("Use eval");
    expect(shown[2]).toBe("I wi");
    expect(runs).toEqual([]);
  });
});

describe("TTSR-6.7 siblings", () => {
  it("a call that was complete before the match does not run either", async () => {
    const runs: Record<string, unknown>[] = [];
    const bad = {
      blocks: [
        { call: "bash", args: { command: "ls" }, id: "a" },
        { ...BAD_CALL.blocks[0]!, id: "b" },
      ],
    };
    const { session, clock } = createSession({ answers: [bad, GOOD_TEXT], tools: watchedTools(runs) });
    void session.prompt("go");
    await clock.advance(50);
    expect(runs).toEqual([]);
  });
});

describe("TTSR-9.4 a match at the very end", () => {
  it("is handled the same, before any tool starts", async () => {
    const runs: Record<string, unknown>[] = [];
    const { session, clock, events } = createSession({
      answers: [{ blocks: [{ call: "bash", args: { command: "run any" } }] }, GOOD_TEXT],
      rules: [rule("at-end", { ttsrTrigger: ["any$"], scope: ["tool:bash"] })],
      tools: watchedTools(runs),
    });
    void session.prompt("go");
    await clock.advance(50);
    expect(runs).toEqual([]);
    expect(eventTypes(events)).toContain("ttsr_retry");
  });
});

describe("TTSR-5.5 budgets", () => {
  it("past the rule's budget a call is answered with the rule instead of being run, and the run goes on", async () => {
    const runs: Record<string, unknown>[] = [];
    const { session, clock, model, events } = createSession({
      answers: [BAD_CALL, BAD_CALL, BAD_CALL, GOOD_TEXT],
      tools: watchedTools(runs),
    });
    const run = session.prompt("go");
    await clock.advance(200);
    const summary = await run;
    expect(summary).toMatchObject({ status: "ok", ttsr: { interrupts: 2 } });
    expect(model.requests).toHaveLength(4);
    expect(runs).toEqual([]);
    const blocked = events.find((event) => event.type === "tool_execution_end");
    expect(blocked).toMatchObject({ result: { isError: true }, denied: { by: "rule" } });
    expect(events.filter((event) => event.type === "notice" && event.code === "ttsr-budget")).toHaveLength(1);
    expect(events.find((event) => event.type === "ttsr_suppressed")).toMatchObject({
      reason: "budget",
      action: "blocked",
    });
  });

  it("TTSR-5.3: the second interrupt says what was cut and does not repeat the body", async () => {
    const { session, clock, model } = createSession({ answers: [BAD_TEXT, BAD_TEXT, GOOD_TEXT] });
    void session.prompt("go");
    await clock.advance(200);
    const last = shape(model.requests[2]!);
    expect(last).toHaveLength(3);
    expect(last[1]).toContain("The body of no-eval.");
    expect(last[2]).not.toContain("The body of no-eval.");
  });

  it("prose past the budget is delivered, and the reminder goes with the next prompt, never as a request of its own (TTSR-6.6)", async () => {
    const { session, clock, model } = createSession({ answers: [BAD_TEXT, BAD_TEXT, BAD_TEXT, GOOD_TEXT] });
    const run = session.prompt("go");
    await clock.advance(200);
    expect(await run).toMatchObject({ status: "ok", text: "I will use eval( here and go on for a while" });
    expect(model.requests).toHaveLength(3);
    await session.prompt("next");
    const sent = shape(model.requests[3]!);
    expect(sent.at(-2)).toContain("rule_reminder");
    expect(sent.at(-1)).toBe("user: next");
  });

  it("per run 5, per session 20: whatever the rules, nothing loops for ever (T4)", async () => {
    const rules = Array.from({ length: 12 }, (_, i) => rule(`r${i}`, { ttsrTrigger: [`bad${i}\\b`] }));
    const answers = Array.from({ length: 30 }, (_, i) => ({ blocks: [{ text: `this is bad${i % 12} and more` }] }));
    const { session, clock, model } = createSession({ answers, rules });
    for (let i = 0; i < 6; i++) {
      const run = session.prompt(`go ${i}`);
      await clock.advance(2000);
      expect((await run).ttsr.interrupts).toBeLessThanOrEqual(5);
    }
    expect(session.state.ttsr.interrupts).toBe(20);
    expect(model.requests.length).toBe(26);
  });
});

describe("TTSR-6.6 reminders", () => {
  const reminding = rule("gentle", { interruptMode: "never" });
  it("a call's reminder is put in front of its result; the call runs", async () => {
    const runs: Record<string, unknown>[] = [];
    const { session, model, events } = createSession({
      answers: [BAD_CALL, GOOD_TEXT],
      rules: [reminding],
      tools: watchedTools(runs),
    });
    await session.prompt("go");
    expect(runs).toHaveLength(1);
    const result = shape(model.requests[1]!).at(-1);
    expect(result).toMatch(/^toolResult: <system-interrupt reason="rule_reminder" rule="gentle"/);
    expect(result).toContain("write ran");
    expect(events.find((event) => event.type === "ttsr_suppressed")).toMatchObject({
      reason: "mode",
      action: "reminder",
    });
  });

  it("C63: one reminder, however often it matches; C69: one that was never delivered is not spent", async () => {
    const { session, clock, model, events } = createSession({
      answers: [
        { blocks: [{ text: "eval( and eval( and" }], hang: true },
        { blocks: [{ text: "again eval( here" }] },
        GOOD_TEXT,
      ],
      rules: [rule("gentle", { interruptMode: "never", repeatMode: "once" })],
    });
    const first = session.prompt("go");
    await settle();
    session.abort();
    await first;
    await session.prompt("again");
    await clock.advance(0);
    expect(events.filter((event) => event.type === "ttsr_suppressed")).toHaveLength(2);
    await session.prompt("third");
    expect(shape(model.requests[2]!).filter((line) => line.includes("rule_reminder"))).toHaveLength(1);
  });

  it("C71: in a mixed batch each rule keeps its own mode", async () => {
    const { session, clock, model } = createSession({
      answers: [BAD_TEXT, GOOD_TEXT],
      rules: [rule("hard"), rule("soft", { interruptMode: "never" })],
    });
    void session.prompt("go");
    await clock.advance(50);
    const interrupt = shape(model.requests[1]!).at(-1);
    expect(interrupt).toContain('rule="hard"');
    expect(interrupt).not.toContain('rule="soft"');
  });

  it("prose-only and tool-only choose by source", async () => {
    for (const [mode, answer, cuts] of [
      ["prose-only", BAD_TEXT, 1],
      ["prose-only", BAD_CALL, 0],
      ["tool-only", BAD_TEXT, 0],
      ["tool-only", BAD_CALL, 1],
    ] as const) {
      const { session, clock } = createSession({ answers: [answer, GOOD_TEXT], settings: { interruptMode: mode } });
      const run = session.prompt("go");
      await clock.advance(100);
      expect((await run).ttsr.interrupts).toBe(cuts);
    }
  });
});

describe("TTSR-6.8 what a cut costs", () => {
  it("stands on the cut message as estimated, once in the run's usage, whole for the rule", async () => {
    const { session, clock, events } = createSession({ answers: [BAD_TEXT, GOOD_TEXT], rules: [rule("a"), rule("b")] });
    const run = session.prompt("go");
    await clock.advance(50);
    const { usage, ttsr } = await run;
    const [cut, good] = events.flatMap((event) =>
      event.type === "message_end" ? [event.message as AssistantMessage] : [],
    );
    expect(cut?.usage.estimated).toBe(true);
    expect(cut?.usage.output).toBe(Math.ceil("I will use eval(".length / 4));
    expect(usage.output).toBe((cut?.usage.output ?? 0) + (good?.usage.output ?? 0));
    expect(ttsr).toMatchObject({ interrupts: 1, discardedTokens: cut?.usage.output, rules: { a: 1, b: 1 } });
  });
});

describe("TTSR-10.3 the ledger", () => {
  it("has each rule's hits, interrupts and tokens cut; a resumed session has those of its log, a new one none", async () => {
    const statuses = ["a", "soft"].map((name) => ({ ...STATUS, name }));
    const deps = { rules: rulesOf(...statuses) };
    const rules = [rule("a"), rule("soft", { interruptMode: "never" })];
    const { session, clock, log } = createSession({ answers: [BAD_TEXT, GOOD_TEXT], rules, deps });
    const run = session.prompt("go");
    await clock.advance(50);
    const { discardedTokens } = (await run).ttsr;
    expect(discardedTokens).toBeGreaterThan(0);
    const cut = { name: "a", hits: 1, interrupts: 1, discardedTokens, falseAlarms: 0 };
    const none = { hits: 0, interrupts: 0, discardedTokens: 0, falseAlarms: 0 };
    expect(session.rules()).toMatchObject([cut, { ...none, name: "soft", hits: 1 }]);
    const resumed = createSession({ answers: [GOOD_TEXT], rules, deps, log });
    expect(resumed.session.rules()).toMatchObject([cut, { ...none, name: "soft" }]);
    expect(resumed.session.state.ttsr).toMatchObject({ interrupts: 1, discardedTokens });
    await session.newSession();
    expect(session.rules()).toMatchObject([none, none]);
    expect(session.state.ttsr).toMatchObject({ interrupts: 0, discardedTokens: 0 });
  });
});

describe("TTSR-4.7 what is watched", () => {
  it("T7: neither the user's words, nor results, nor history, nor the injected rule trip a rule", async () => {
    const loud = rule("no-eval", { content: "Never write eval( here." });
    const { session, clock, model } = createSession({ answers: [BAD_TEXT, GOOD_TEXT, GOOD_TEXT], rules: [loud] });
    const run = session.prompt("please use eval( now");
    await clock.advance(50);
    await run;
    await session.prompt("eval( again");
    expect(model.requests).toHaveLength(3);
  });
});

describe("TTSR-1.4 switched off", () => {
  it("T18 C91: is inert at once, and on again restores what had fired", async () => {
    const { session, clock, model, settings } = createSession({
      answers: [BAD_TEXT, GOOD_TEXT, BAD_TEXT, BAD_TEXT],
      rules: [rule("no-eval", { repeatMode: "once" })],
    });
    void session.prompt("one");
    await clock.advance(50);
    settings.enabled = false;
    await session.prompt("two");
    settings.enabled = true;
    await session.prompt("three");
    expect(model.requests).toHaveLength(4);
  });
});

describe("TTSR-5.1 once", () => {
  it("C67, C68: is quiet while its text stands in the context, and armed again by /new", async () => {
    const { session, clock, model } = createSession({
      answers: [BAD_TEXT, GOOD_TEXT, BAD_TEXT, BAD_TEXT, GOOD_TEXT],
      rules: [rule("no-eval", { repeatMode: "once" })],
    });
    void session.prompt("one");
    await clock.advance(50);
    await session.prompt("two");
    expect(model.requests).toHaveLength(3);
    await session.newSession();
    const run = session.prompt("three");
    await clock.advance(50);
    expect((await run).ttsr.interrupts).toBe(1);
    expect(shape(model.requests[4]!)[0]).toBe("user: three");
  });
});
