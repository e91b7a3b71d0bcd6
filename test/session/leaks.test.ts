import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/agent/events.js";
import { SessionManager } from "../../src/session/session-manager.js";
import { FakeClock } from "../support/fake-clock.js";
import { rule } from "../support/rules.js";
import { type ScriptedAnswer, shape } from "../support/scripted-model.js";
import { createSession, eventTypes, GOOD_TEXT, type SessionSetup, watchedTools } from "../support/session.js";
import { cuts } from "../ttsr/helpers.js";

const TAIL = " and more and more";
const LEAK: ScriptedAnswer = { blocks: [{ text: `It is done.<|im_end|>${TAIL}` }] };
const RETRY = { retry: { maxAttempts: 4, baseDelayMs: 100 } };

/** Runs one prompt to its end. */
async function run(setup: SessionSetup) {
  const made = createSession({ rules: [], ...setup, deps: { ...RETRY, ...setup.deps } });
  const running = made.session.prompt("go");
  await made.clock.advance(60_000);
  return { ...made, summary: await running };
}

const drawn = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === "message_update" ? event.delta.text : "")).join("");
const notices = (events: readonly AgentEvent[]) => events.filter((event) => event.type === "notice");
const retries = (events: readonly AgentEvent[]) => events.filter((event) => event.type === "retry");

describe("C76 a leak of the chat template is asked for again as a fault of the provider", () => {
  it("the same request is sent again; nothing of the attempt is sent, kept or run, and its usage counts", async () => {
    const runs: Record<string, unknown>[] = [];
    const leak: ScriptedAnswer = {
      blocks: [{ call: "write", args: { path: "a.js", content: "x\n" } }, { text: "It is done.<|im_end|> and more" }],
    };
    const { summary, model, events, session, log } = await run({
      answers: [leak, GOOD_TEXT],
      tools: watchedTools(runs),
    });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]).toEqual(model.requests[0]);
    expect(runs).toEqual([]);
    expect(drawn(events)).not.toMatch(/\|>|and more/);
    expect(eventTypes(events)).toEqual([
      ...["agent_start", "turn_start", "message_start", "message_update", "message_end", "retry"],
      ...["message_start", "message_update", "message_end", "turn_end", "agent_end"],
    ]);
    expect(events.find((event) => event.type === "message_end")).toMatchObject({
      message: { stopReason: "error", errorMessage: expect.stringContaining("<|im_end|>"), usage: { estimated: true } },
    });
    expect(retries(events)).toMatchObject([
      {
        code: "leaked",
        attempt: 1,
        maxAttempts: 2,
        message: "scripted of test wrote <|im_end|>, a control token of its chat template, into its answer.",
      },
    ]);
    expect(notices(events)).toEqual([]);
    expect(session.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(log.buildContext().messages).toEqual(session.messages);
    expect(summary).toMatchObject({ status: "ok", text: "I will write a parser." });
    expect(summary.usage.output).toBeGreaterThan(5);
  });

  it("one that leaks and leaks is taken as it is, with one notice: two are dropped, and nothing goes on for ever", async () => {
    const { summary, model, events, session } = await run({ answers: [LEAK] });
    expect(model.requests).toHaveLength(3);
    expect(summary).toMatchObject({ status: "ok", text: `It is done.<|im_end|>${TAIL}` });
    expect(retries(events).map(({ attempt, maxAttempts }) => [attempt, maxAttempts])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(notices(events)).toEqual([
      {
        type: "notice",
        level: "warning",
        code: "leaked",
        message: expect.stringMatching(/^scripted of test wrote <\|im_end\|>, .* taken as it is.* another model\.$/),
      },
    ]);
    expect(session.messages).toHaveLength(2);
  });

  it("the calls of the one that is taken run", async () => {
    const runs: Record<string, unknown>[] = [];
    const leak: ScriptedAnswer = { blocks: [{ text: "Reading.<|im_end|>" }, { call: "read", args: { path: "a" } }] };
    const { model } = await run({ answers: [leak, leak, leak, GOOD_TEXT], tools: watchedTools(runs) });
    expect(runs).toHaveLength(1);
    expect(model.requests).toHaveLength(4);
  });

  it("a server that always leaks is not asked thrice each turn, one that leaks now and then is", async () => {
    const call = (text: string): ScriptedAnswer => ({ blocks: [{ text }, { call: "read", args: { path: "a" } }] });
    const bad = call("Reading.<|im_end|>");
    const always = await run({ answers: [bad, bad, bad, bad, bad, GOOD_TEXT] });
    expect(retries(always.events)).toHaveLength(2);
    expect(notices(always.events)).toHaveLength(3);
    const at = await run({ answers: [bad, bad, call("Reading."), bad, bad, GOOD_TEXT] });
    expect(retries(at.events).map(({ attempt }) => attempt)).toEqual([1, 2, 1, 2]);
    expect(notices(at.events)).toEqual([]);
  });

  it("the bound is the turn's, also when a rule interrupts in between", async () => {
    const { model, events, summary } = await run({
      answers: [LEAK, LEAK, { blocks: [{ text: "I call eval( now" }] }, LEAK],
      rules: [rule("no-eval")],
    });
    expect(model.requests).toHaveLength(4);
    expect(retries(events)).toHaveLength(2);
    expect(notices(events)).toHaveLength(1);
    expect(summary).toMatchObject({ status: "ok", ttsr: { interrupts: 1 } });
  });

  it.each([
    [0, 1],
    [1, 2],
  ])("retry.maxAttempts %i holds: %i requests", async (maxAttempts, requests) => {
    const { model, events, summary } = await run({ answers: [LEAK], deps: { retry: { maxAttempts, baseDelayMs: 1 } } });
    expect(model.requests).toHaveLength(requests);
    expect(notices(events)).toHaveLength(1);
    expect(summary.status).toBe("ok");
  });

  it("needs no rule, and heeds no switch of theirs", async () => {
    for (const enabled of [true, false]) {
      const { model } = await run({ answers: [LEAK, GOOD_TEXT], rules: [rule("no-eval")], settings: { enabled } });
      expect(model.requests).toHaveLength(2);
    }
  });

  it("thinking and arguments are not looked at; nor is what the whole text shows to be quoted", async () => {
    const silent: ScriptedAnswer["blocks"] = [
      { thinking: "It ends.<|im_end|>\n<|im_start|>user" },
      { text: "A turn ends with `<|im_end|>`:\n\n```\nHi.<|im_end|>\n```\n" },
      { call: "write", args: { path: "t.js", content: 'const END = "x<|im_end|>";\nHi.<|im_end|>\n' } },
    ];
    const { model, events } = await run({ answers: [{ blocks: silent }, GOOD_TEXT] });
    expect(retries(events)).toEqual([]);
    expect(model.requests).toHaveLength(2);
  });

  it("Esc in the wait: nothing more is sent, and the next prompt goes on without the attempt", async () => {
    const { session, clock, model, events } = createSession({ answers: [LEAK, GOOD_TEXT], rules: [], deps: RETRY });
    const running = session.prompt("go");
    await clock.advance(1);
    session.abort();
    expect(await running).toMatchObject({ status: "aborted", text: "" });
    await clock.advance(60_000);
    expect(model.requests).toHaveLength(1);
    void session.prompt("and?");
    await clock.advance(1);
    expect(shape(model.requests[1]!)).toEqual(["user: go", "user: and?"]);
    expect(notices(events)).toEqual([]);
  });
});

describe("C76 together with rules: what settles first has the word, however the stream is cut", () => {
  const first = async (text: string, answers: (pieces: readonly string[]) => ScriptedAnswer[]) => {
    const seen = new Set<string>();
    for (const pieces of cuts(text)) {
      const { events } = await run({ answers: answers(pieces), rules: [rule("no-eval")] });
      const told = events.find(({ type }) => type === "retry" || type === "ttsr_triggered" || type === "notice");
      seen.add(told?.type ?? "nothing");
    }
    return [...seen];
  };
  const once = (pieces: readonly string[]): ScriptedAnswer[] => [{ blocks: [{ text: "" }], pieces }, GOOD_TEXT];

  it("a rule before the leak interrupts", async () => {
    expect(await first("I eval(x) it.<|im_end|>\n", once)).toEqual(["ttsr_triggered"]);
  });

  it("a rule behind it is not broken: that answer is none", async () => {
    expect(await first("Done.<|im_end|> eval(x)", once)).toEqual(["retry"]);
  });

  it("in an answer that is taken as it is the rules hold, behind the leak too", async () => {
    for (const pieces of cuts("Done.<|im_end|> eval(x)")) {
      const bad = { blocks: [{ text: "" }], pieces };
      const { events, model } = await run({ answers: [bad, bad, bad, GOOD_TEXT], rules: [rule("no-eval")] });
      expect(eventTypes(events).filter((type) => /retry|triggered|notice/.test(type))).toEqual([
        ...["retry", "retry", "ttsr_triggered", "ttsr_retry"],
      ]);
      expect(model.requests).toHaveLength(4);
    }
  });
});

describe("C76 in the log", () => {
  it("an attempt that was dropped is not in it, so a crash in the wait leaves the prompt alone", async () => {
    const clock = new FakeClock();
    const log = SessionManager.inMemory({ cwd: "/project", clock, random: () => 0.5 });
    const before = createSession({ answers: [LEAK], rules: [], deps: RETRY, log });
    void before.session.prompt("go");
    await before.clock.advance(1);
    expect(before.events.at(-1)?.type).toBe("retry");
    expect(log.buildContext().messages.map(({ role }) => role)).toEqual(["user"]);

    const after = createSession({ answers: [GOOD_TEXT], rules: [], log });
    await after.session.prompt("go on");
    expect(shape(after.model.requests[0]!)).toEqual(["user: go", "user: go on"]);
  });
});
