import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/agent/events.js";
import { settle } from "../support/fake-clock.js";
import { rule } from "../support/rules.js";
import { shape } from "../support/scripted-model.js";
import { BAD_TEXT, createSession, GOOD_TEXT, rulesOf, STATUS } from "../support/session.js";

function suppressed(events: readonly AgentEvent[]) {
  return events
    .filter((event) => event.type === "ttsr_suppressed")
    .map(({ rule: name, reason, action }) => `${name} ${reason} ${action}`);
}

describe("TTSR-10.3 mute", () => {
  it("lets every match through until it is taken back, says so in the event, and counts the hits", async () => {
    const { session, clock, events } = createSession({
      answers: [BAD_TEXT, BAD_TEXT, GOOD_TEXT],
      deps: { rules: rulesOf(STATUS) },
    });
    session.muteRule("no-eval", true);
    expect((await session.prompt("go")).text).toContain("eval(");
    expect(suppressed(events)).toEqual(["no-eval muted none"]);
    expect(session.rules()[0]).toMatchObject({ muted: true, hits: 1, interrupts: 0 });
    expect(session.state.ttsr.armed).toBe(0);
    session.muteRule("no-eval", false);
    expect(session.state.ttsr.armed).toBe(1);
    const run = session.prompt("again");
    await clock.advance(50);
    expect((await run).ttsr.interrupts).toBe(1);
  });
});

describe("TTSR-10.3 let it through once", () => {
  const TWICE = { blocks: [{ text: "first eval( and then eval( again" }] };

  it("lets the next answer in which the rule holds through, whole, and cuts the one after", async () => {
    const { session, clock, events, model } = createSession({
      answers: [GOOD_TEXT, TWICE, BAD_TEXT, GOOD_TEXT],
      deps: { rules: rulesOf(STATUS) },
    });
    expect(await session.allowRuleOnce("no-eval")).toBe("next-match");
    expect(session.rules()[0]?.pause).toEqual({ kind: "allowed-once" });
    // An answer without a match uses nothing up.
    await session.prompt("one");
    expect((await session.prompt("two")).text).toBe("first eval( and then eval( again");
    expect(new Set(suppressed(events))).toEqual(new Set(["no-eval user none"]));
    expect(session.rules()[0]?.pause).toBeUndefined();
    const run = session.prompt("three");
    await clock.advance(50);
    expect((await run).ttsr.interrupts).toBe(1);
    expect(model.requests).toHaveLength(4);
  });

  it("during the retry: takes the interrupt back and asks again as if nothing had been cut", async () => {
    const slow = { blocks: [{ text: "I will write" }], hang: true };
    const { session, clock, events, model, log } = createSession({ answers: [BAD_TEXT, slow, BAD_TEXT] });
    const run = session.prompt("go");
    await clock.advance(50);
    expect(model.requests).toHaveLength(2);
    expect(await session.allowRuleOnce("no-eval")).toBe("asked-again");
    await settle();
    expect((await run).status).toBe("aborted");
    expect(shape(model.requests[2]!)).toEqual(["user: go"]);
    expect(session.messages.at(-1)).toMatchObject({ role: "assistant", stopReason: "stop" });
    expect(suppressed(events)).toEqual(["no-eval user none"]);
    // A resumed session sees the same conversation.
    expect(log.buildContext().messages).toEqual([...session.messages]);
    expect(log.getInjectedTtsrRules()).toEqual([]);
  });

  it("in the gap before the retry: the retry is not sent", async () => {
    const { session, model, clock } = createSession({ answers: [BAD_TEXT, BAD_TEXT] });
    void session.prompt("go");
    await settle();
    expect(session.isTtsrAbortPending).toBe(true);
    expect(await session.allowRuleOnce("no-eval")).toBe("asked-again");
    await clock.advance(100);
    expect(model.requests).toHaveLength(2);
    expect(shape(model.requests[1]!)).toEqual(["user: go"]);
  });

  it("after the retry came to its end: only the next match", async () => {
    const { session, clock, model } = createSession({ answers: [BAD_TEXT, GOOD_TEXT] });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    expect(await session.allowRuleOnce("no-eval")).toBe("next-match");
    expect(model.requests).toHaveLength(2);
  });

  it("keep mode: the partial answer goes with the interrupt", async () => {
    const slow = { blocks: [{ text: "I will write" }], hang: true };
    const { session, clock, model } = createSession({
      answers: [BAD_TEXT, slow, BAD_TEXT],
      settings: { contextMode: "keep" },
    });
    void session.prompt("go");
    await clock.advance(50);
    expect(shape(model.requests[1]!)).toHaveLength(3);
    await session.allowRuleOnce("no-eval");
    await settle();
    expect(shape(model.requests[2]!)).toEqual(["user: go"]);
  });
});

describe("TTSR-10.3 state of a rule", () => {
  it("quiet since the turn of its injection", async () => {
    const once = rule("no-eval", { repeatMode: "once" });
    const { session, clock } = createSession({
      answers: [GOOD_TEXT, BAD_TEXT, GOOD_TEXT],
      rules: [once],
      deps: { rules: rulesOf(STATUS) },
    });
    await session.prompt("one");
    expect(session.rules()[0]?.pause).toBeUndefined();
    const run = session.prompt("two");
    await clock.advance(50);
    await run;
    expect(session.rules()[0]?.pause).toEqual({ kind: "quiet", sinceTurn: 2 });
  });

  async function pausesOf(budget: { perRule: number; perRun: number; perSession: number }) {
    const { session, clock } = createSession({
      answers: [BAD_TEXT, GOOD_TEXT, BAD_TEXT, GOOD_TEXT],
      settings: { budget },
      deps: { rules: rulesOf(STATUS) },
    });
    const pauses: unknown[] = [];
    session.subscribe(({ type }) => {
      if (type === "ttsr_retry" || type === "agent_end") pauses.push(session.rules()[0]?.pause);
    });
    for (const words of ["one", "two"]) {
      const run = session.prompt(words);
      await clock.advance(50);
      await run;
    }
    return pauses;
  }

  it("spent past the budget of the run while that lasts: the next run has a whole one", async () => {
    const spent = { kind: "spent" };
    expect(await pausesOf({ perRule: 1, perRun: 5, perSession: 20 })).toEqual([spent, undefined, spent, undefined]);
    expect(await pausesOf({ perRule: 2, perRun: 1, perSession: 20 })).toEqual([spent, undefined, spent, undefined]);
  });

  it("spent past the budget of the session, for good", async () => {
    const spent = { kind: "spent" };
    // Past it nothing is cut, so there is no second retry.
    expect(await pausesOf({ perRule: 2, perRun: 5, perSession: 1 })).toEqual([spent, spent, spent]);
  });
});

describe("TTSR-10.3 false alarm", () => {
  it("goes to the rule's own file, and never to one of another program", async () => {
    const written: unknown[] = [];
    const { session } = createSession({
      answers: [],
      deps: {
        rules: rulesOf(STATUS, { ...STATUS, name: "theirs", provider: "bundled", path: "/pkg/theirs.md" }),
        addSilentExample: async (path, example) => void written.push([path, example]),
      },
    });
    await session.reportFalseAlarm("no-eval", { text: "retrieval(", tool: "edit" });
    expect(written).toEqual([["/project/.rules/no-eval.md", { text: "retrieval(", tool: "edit" }]]);
    expect(session.rules().map(({ falseAlarms }) => falseAlarms)).toEqual([1, 0]);
    await expect(session.reportFalseAlarm("theirs", { text: "x" })).rejects.toThrow("left alone");
    await expect(session.reportFalseAlarm("nothing", { text: "x" })).rejects.toThrow('no rule "nothing"');
  });
});
