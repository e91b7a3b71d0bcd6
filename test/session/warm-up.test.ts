/** C77: a rule that speaks from its n-th occurrence on. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/agent/errors.js";
import type { AgentEvent } from "../../src/agent/events.js";
import type { Rule } from "../../src/capability/rule.js";
import { rule } from "../support/rules.js";
import { type ScriptedAnswer, shape } from "../support/scripted-model.js";
import { createSession, GOOD_TEXT, rulesOf, type SessionSetup, STATUS, watchedTools } from "../support/session.js";
import { fakeTool } from "../support/tools.js";

const warm = (warmupMatches: number, more: Partial<Rule> = {}): Rule => rule("no-eval", { warmupMatches, ...more });
const write = (path: string) => ({ call: "write", args: { path, content: "x = eval(y);\n" } });
const BAD: ScriptedAnswer = { blocks: [write("a.js")], chunk: 1 };

function setup(answers: ScriptedAnswer[], of: Rule | Rule[] = warm(3), more: Partial<SessionSetup> = {}) {
  const runs: Record<string, unknown>[] = [];
  const deps = { rules: rulesOf(STATUS) };
  const made = createSession({ answers, rules: [of].flat(), tools: watchedTools(runs), deps, ...more });
  return { ...made, runs, pause: () => made.session.rules()[0]?.pause };
}
const counted = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type === "ttsr_suppressed" ? [`${event.reason} ${event.action}`] : []));
const cuts = (events: readonly AgentEvent[]): number => events.filter(({ type }) => type === "ttsr_triggered").length;

describe("C77 warmupMatches", () => {
  it("counts calls, not deltas: silent twice, from the third on it acts, before the tool starts", async () => {
    const { session, clock, events, runs, model, pause } = setup([BAD, BAD, BAD, BAD, GOOD_TEXT]);
    expect(pause()).toEqual({ kind: "warming-up", seen: 0, of: 3 });
    const run = session.prompt("go");
    await clock.advance(120);
    expect((await run).ttsr).toMatchObject({ interrupts: 2, unheeded: [] });
    expect(runs).toHaveLength(2);
    expect(counted(events)).toEqual(["warm-up none", "warm-up none"]);
    // The third was cut, and the retry that did the same was the third once more.
    expect(shape(model.requests[3]!).at(-1)).toContain("<system-interrupt");
    expect(shape(model.requests[4]!).at(-1)).toContain("broke this rule again");
    expect(pause()).toBeUndefined();
  });

  it("is said of a rule while it lasts: the next one that would be cut is told as armed", async () => {
    const { session, pause } = setup([BAD, GOOD_TEXT, BAD, GOOD_TEXT]);
    await session.prompt("one");
    expect(pause()).toEqual({ kind: "warming-up", seen: 1, of: 3 });
    expect(session.rules()[0]).toMatchObject({ state: "armed", hits: 1 });
    await session.prompt("two");
    expect(pause()).toBeUndefined();
  });

  it("0 and 1 are no warm-up, and nothing is counted", async () => {
    for (const none of [0, 1]) {
      const { session, clock, events } = setup([BAD, GOOD_TEXT], warm(none));
      const run = session.prompt("go");
      await clock.advance(50);
      expect((await run).ttsr.interrupts).toBe(1);
      expect(counted(events)).toEqual([]);
      expect(session.messages.some((message) => "occurrences" in message)).toBe(false);
    }
  });

  it("two calls of one answer are two; a text and a call are two; hunks of one call are one", async () => {
    const two = setup([{ blocks: [write("a.js"), write("b.js")] }, GOOD_TEXT], warm(2));
    const run = two.session.prompt("go");
    await two.clock.advance(50);
    await run;
    expect({ cuts: cuts(two.events), runs: two.runs.length }).toEqual({ cuts: 1, runs: 0 });
    // Only the one that acted is told.
    const [told] = two.events.flatMap((event) => (event.type === "ttsr_triggered" ? [event.matches] : []));
    expect(told?.map(({ filePath }) => filePath)).toEqual(["b.js"]);

    const mixed = setup([{ blocks: [{ text: "I use eval( now" }, write("a.js")] }, GOOD_TEXT], warm(2));
    void mixed.session.prompt("go");
    await mixed.clock.advance(50);
    expect(cuts(mixed.events)).toBe(1);

    const input = "*** Update File: a.js\n@@\n+eval(a)\n@@\n-b\n+eval(b)\n*** Update File: c.js\n@@\n+eval(c)\n";
    const patch = fakeTool("apply_patch", { authored: [{ kind: "patch", argument: "input" }] });
    const hunks = setup([{ blocks: [{ call: "apply_patch", args: { input } }], chunk: 1 }, GOOD_TEXT], warm(2), {
      tools: [patch],
    });
    await hunks.session.prompt("go");
    expect({ cuts: cuts(hunks.events), counted: counted(hunks.events) }).toEqual({
      cuts: 0,
      counted: ["warm-up none"],
    });
    expect(hunks.session.rules()[0]?.hits).toBe(1);
  });

  it("also where two calls that only the whole decides come in one step", async () => {
    const each = warm(2, { ttsrTrigger: [], callCondition: [{ required: ["path"] }] });
    const { session, clock, events, runs } = setup([{ blocks: [write("a.js"), write("b.js")] }, GOOD_TEXT], each);
    void session.prompt("go");
    await clock.advance(50);
    const [told] = events.flatMap((event) => (event.type === "ttsr_triggered" ? [event.matches] : []));
    expect({ files: told?.map(({ filePath }) => filePath), runs }).toEqual({ files: ["b.js"], runs: [] });
  });

  it("a hint that may not interrupt reminds from its n-th occurrence on", async () => {
    const { session, model, events } = setup([BAD, BAD, GOOD_TEXT], warm(2, { interruptMode: "never" }));
    await session.prompt("go");
    expect(counted(events)).toEqual(["warm-up none", "mode reminder"]);
    expect(shape(model.requests[1]!).at(-1)).toBe("toolResult: write ran");
    expect(shape(model.requests[2]!).at(-1)).toContain("rule_reminder");
  });

  it("muted is muted, and letting through once is not used up by what only counts", async () => {
    const muted = setup([BAD, GOOD_TEXT]);
    muted.session.muteRule("no-eval", true);
    await muted.session.prompt("go");
    expect(counted(muted.events)).toEqual(["muted none"]);

    const { session, clock, events } = setup([BAD, BAD, BAD, GOOD_TEXT], warm(2));
    await session.allowRuleOnce("no-eval");
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    expect(counted(events)).toEqual(["warm-up none", "user none"]);
    expect(cuts(events)).toBe(1);
  });

  it("what a run left behind is not told while the rule only counts", async () => {
    const hit = { rule: "no-eval", path: "a.js", line: 1, excerpt: "eval(", severity: "warning" as const };
    const audit = { begin: () => Promise.resolve(), end: () => Promise.resolve([hit]) };
    const { session, clock } = setup([BAD, GOOD_TEXT, BAD, BAD, BAD, BAD, GOOD_TEXT], warm(2), {
      deps: { rules: rulesOf(STATUS), audit },
    });
    expect((await session.prompt("one")).ttsr.audit).toEqual([]);
    const run = session.prompt("two");
    await clock.advance(200);
    // Cut twice; then the call was refused, and that answer stands.
    expect((await run).ttsr).toMatchObject({ interrupts: 2, audit: [hit] });
  });
});

describe("C77 an answer that did not end whole gives its counts back", () => {
  const pauseAfter = async (bad: ScriptedAnswer, move?: "escape", rules: Rule[] = [warm(2)]) => {
    const made = setup([bad, GOOD_TEXT], rules);
    const run = made.session.prompt("go");
    await made.clock.advance(0);
    if (move === "escape") made.session.abort();
    await made.clock.advance(100);
    await run;
    expect(counted(made.events)).toContain("warm-up none");
    // Nothing is left that the next answer could be charged with.
    await made.session.prompt("go on");
    return made.pause();
  };
  const NONE = { kind: "warming-up", seen: 0, of: 2 };

  it("Esc", async () => expect(await pauseAfter({ ...BAD, hang: true }, "escape")).toEqual(NONE));
  it("a provider's fault", async () => {
    expect(await pauseAfter({ ...BAD, error: new ModelError("overloaded", "The model is overloaded") })).toEqual(NONE);
    expect(await pauseAfter({ ...BAD, incomplete: true })).toEqual(NONE);
  });
  it("C76: a leak of the chat template, for which it is asked for again", async () => {
    const leak = { blocks: [...(BAD.blocks ?? []), { text: "It is done.<|im_end|> and more" }] };
    const retry = { maxAttempts: 1, baseDelayMs: 1 };
    const made = setup([leak, GOOD_TEXT], warm(2), { deps: { rules: rulesOf(STATUS), retry } });
    const run = made.session.prompt("go");
    await made.clock.advance(60_000);
    await run;
    expect(made.model.requests).toHaveLength(2);
    expect(counted(made.events)).toEqual(["warm-up none"]);
    expect(made.pause()).toEqual(NONE);
  });
  it("another rule", async () => {
    const other = rule("no-debugger", { ttsrTrigger: ["\\bdebugger\\b"] });
    const bad = { blocks: [...(BAD.blocks ?? []), { text: "and a debugger here" }] };
    expect(await pauseAfter(bad, undefined, [warm(2), other])).toEqual(NONE);
  });
  it("but not one whose tools the user stopped: the answer stands", async () => {
    const made = setup([BAD, GOOD_TEXT], warm(2), {
      tools: [
        fakeTool("write", {
          run: () => {
            made.session.abort();
            return { content: [], isError: false };
          },
        }),
      ],
    });
    await made.session.prompt("go");
    expect(made.pause()).toBeUndefined();
    expect(made.session.messages.find(({ role }) => role === "assistant")).toMatchObject({
      occurrences: [{ rule: "no-eval", hash: "hash-no-eval", times: 1 }],
    });
  });

  it("in 60 random orders of good, bad and broken answers and Esc, the count is that of the answers that stand", async () => {
    for (let seed = 1; seed <= 60; seed++) {
      let state = seed;
      const pick = (below: number): number => {
        state = (state * 48271) % 2147483647;
        return state % below;
      };
      const kinds: ScriptedAnswer[] = [
        BAD,
        GOOD_TEXT,
        { ...BAD, hang: true },
        { ...BAD, incomplete: true },
        { blocks: [write("a.js"), { text: "eval( and more" }] },
      ];
      const answers = Array.from({ length: 12 }, () => kinds[pick(kinds.length)] ?? GOOD_TEXT);
      const { session, clock, events } = setup([...answers, GOOD_TEXT], warm(4), {
        settings: { budget: { perRule: 99, perRun: 99, perSession: 99 } },
      });
      for (let prompts = 0; prompts < 5; prompts++) {
        const run = session.prompt("go");
        for (let i = pick(50); i > 0; i--) await Promise.resolve();
        await clock.advance(pick(3) * 40);
        session.abort();
        await clock.advance(3_000);
        await run;
        const standing = session.messages.flatMap((message) =>
          message.role === "assistant" && message.stopReason !== "aborted" && message.stopReason !== "error"
            ? message.content.filter((block) => JSON.stringify(block).includes("eval("))
            : [],
        ).length;
        const pause = session.rules()[0]?.pause;
        if (standing >= 3) expect(pause?.kind, `seed ${seed}`).not.toBe("warming-up");
        else expect(pause, `seed ${seed}`).toEqual({ kind: "warming-up", seen: standing, of: 4 });
        if (standing === 0) expect(cuts(events), `seed ${seed}`).toBe(0);
      }
    }
  });
});

describe("C77 the count is that of the conversation", () => {
  it("it comes back with a resumed session, `/new` begins anew, and an edited rule is another one", async () => {
    const first = setup([BAD, BAD, GOOD_TEXT]);
    await first.session.prompt("one");
    const resumed = setup([BAD, GOOD_TEXT, BAD, GOOD_TEXT], warm(3), { log: first.log });
    expect(resumed.pause()).toBeUndefined();
    const run = resumed.session.prompt("two");
    await resumed.clock.advance(50);
    expect((await run).ttsr.interrupts).toBe(1);
    await resumed.session.newSession();
    expect(resumed.pause()).toEqual({ kind: "warming-up", seen: 0, of: 3 });
    const edited = setup([GOOD_TEXT], warm(3, { hash: "another" }), { log: first.log });
    expect(edited.pause()).toEqual({ kind: "warming-up", seen: 0, of: 3 });
  });

  it("another place in the branch has the count of that place", async () => {
    const { session, log } = setup([BAD, BAD, GOOD_TEXT]);
    await session.prompt("one");
    const [first] = log.branch().filter((entry) => entry.type === "message" && entry.message.role === "toolResult");
    log.setLeaf(first!.id);
    const there = setup([GOOD_TEXT], warm(3), { log });
    expect(there.pause()).toEqual({ kind: "warming-up", seen: 1, of: 3 });
  });
});
