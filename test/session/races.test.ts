import { describe, expect, it } from "vitest";
import { settle } from "../support/fake-clock.js";
import { rule } from "../support/rules.js";
import { shape } from "../support/scripted-model.js";
import { BAD_TEXT, createSession, GOOD_TEXT } from "../support/session.js";

/** A small generator, so that a failing order can be run again by its seed. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

type Setup = ReturnType<typeof createSession>;

/** What a user can do in the gap. Each returns when the session is quiet again. */
const MOVES: Record<string, (setup: Setup) => Promise<unknown>> = {
  escape: async ({ session }) => session.abort(),
  prompt: ({ session }) => session.prompt("something else"),
  new: ({ session }) => session.newSession(),
  dispose: ({ session }) => session.dispose(),
  "escape twice": async ({ session }) => {
    session.abort();
    session.abort();
  },
  "escape, then prompt": ({ session }) => {
    session.abort();
    return session.prompt("something else");
  },
  "prompt, then escape": async ({ session }) => {
    const run = session.prompt("something else");
    session.abort();
    await run;
  },
  nothing: async () => undefined,
};

describe("TTSR-9.2 C79 the user wins", () => {
  it("T11: in 500 random orders of cut, settling, delay and the user's moves: no request after Esc, no flag left, one end a run", async () => {
    const names = Object.keys(MOVES);
    for (let seed = 1; seed <= 500; seed++) {
      const pick = generator(seed);
      const deaf = pick(4) === 0;
      const answers = [{ ...BAD_TEXT, burst: pick(2) === 0, deaf }, GOOD_TEXT];
      const setup = createSession({ answers, settings: { retryDelayMs: pick(3) * 25 } });
      const { session, clock, model, events, ttsr } = setup;
      const move = names[pick(names.length)] ?? "nothing";
      const first = session.prompt("go");
      // The moment of the move: from the middle of the stream to long after the retry.
      for (let i = pick(60); i > 0; i--) await Promise.resolve();
      await clock.advance(pick(4) === 0 ? 0 : pick(110));
      const cutBefore = session.isTtsrAbortPending;
      const requestsBefore = model.requests.length;
      const moved = MOVES[move]?.(setup) ?? Promise.resolve();
      await clock.advance(6000);
      await moved;
      await first;
      await clock.advance(6000);
      const where = `seed ${seed}, ${move}, pending ${cutBefore}`;

      expect(session.isTtsrAbortPending, where).toBe(false);
      expect(clock.waiting, where).toBe(0);
      expect(session.state.running, where).toBe(false);
      const starts = events.filter((event) => event.type === "agent_start").length;
      expect(events.filter((event) => event.type === "agent_end").length, where).toBe(starts);
      if (cutBefore && move !== "nothing") {
        const said = move.includes("prompt");
        // "prompt, then escape" may stop the new run before it asks.
        expect(model.requests.length, where).toBeLessThanOrEqual(requestsBefore + (said ? 1 : 0));
        const last = model.requests.at(-1);
        if (last && model.requests.length > requestsBefore) {
          expect(shape(last), where).toEqual(["user: go", "user: something else"]);
        }
        expect(ttsr.check("eval("), where).toHaveLength(1);
      }
      if (move === "nothing") expect(model.requests.length, where).toBe(2);
    }
  });

  it("F50: the user's reason wins over the rule's while the run is still stopping, with exactly one end", async () => {
    const { session, clock, events } = createSession({ answers: [BAD_TEXT, GOOD_TEXT] });
    session.subscribe((event) => {
      if (event.type === "ttsr_triggered") session.abort();
    });
    const run = session.prompt("go");
    await clock.advance(5000);
    expect((await run).status).toBe("aborted");
    expect(events.filter((event) => event.type === "agent_end")).toHaveLength(1);
    expect(events.some((event) => event.type === "ttsr_retry")).toBe(false);
  });
});

describe("TTSR-9.1 nobody is waited for", () => {
  it("TTSR-7.1: listeners, extensions, hooks and tools that throw or hang change nothing and are reported", async () => {
    const heard: string[] = [];
    const { session, clock, events, model } = createSession({
      answers: [BAD_TEXT, GOOD_TEXT],
      deps: {
        extensions: [
          {
            name: "angry",
            activate: (api) =>
              api.on("ttsr_triggered", ({ rules }) => {
                heard.push(`extension ${rules[0]?.content}`);
                throw new Error("extension broke");
              }),
          },
        ],
        customTools: [
          {
            ...createTool(),
            onSession: (news) => {
              if (news.reason === "ttsr_triggered") heard.push(`tool ${news.rules[0]?.content}`);
              return new Promise(() => undefined);
            },
          },
        ],
      },
    });
    session.hooks.on("ttsr_triggered", async (event) => {
      heard.push(`hook ${event.rules[0]?.name}`);
      throw new Error("hook broke");
    });
    session.subscribe((event) => {
      if (event.type !== "ttsr_triggered") return;
      heard.push("subscriber");
      throw new Error("subscriber broke");
    });
    const run = session.prompt("go");
    await clock.advance(50);
    expect((await run).status).toBe("ok");
    expect(model.requests).toHaveLength(2);
    expect(heard.sort()).toEqual([
      "extension The body of no-eval.",
      "hook no-eval",
      "subscriber",
      "tool The body of no-eval.",
    ]);
    const reported = events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
    expect(reported).toHaveLength(3);
    expect(reported.join()).toContain("extension broke");
  });
});

describe("TTSR-9.3 a failing retry", () => {
  it("is shown, does not end the session, and retry() works", async () => {
    let broken = true;
    const { session, clock, events } = createSession({
      answers: [
        BAD_TEXT,
        () => {
          if (broken) throw new Error("the network is gone");
          return GOOD_TEXT;
        },
        GOOD_TEXT,
      ],
    });
    const run = session.prompt("go");
    await clock.advance(50);
    expect((await run).status).toBe("error");
    expect(events.find((event) => event.type === "error")).toMatchObject({
      message: expect.stringContaining("network is gone"),
    });
    broken = false;
    expect(await session.retry()).toMatchObject({ status: "ok", text: "I will write a parser." });
  });
});

describe("TTSR-8.2 what stands in the log", () => {
  it("has the entry before the retry is sent, the cut attempt as a side branch, and the interrupt once", async () => {
    let entriesAtRetry: string[] = [];
    const setup: Setup = createSession({
      answers: [
        BAD_TEXT,
        () => {
          entriesAtRetry = setup.log.entries.map((entry) => entry.type);
          return GOOD_TEXT;
        },
      ],
    });
    const run = setup.session.prompt("go");
    await setup.clock.advance(50);
    await run;
    expect(entriesAtRetry).toEqual(["message", "ttsr_injection", "message", "message"]);
    const entry = setup.log.entries.find((each) => each.type === "ttsr_injection");
    expect(entry).toMatchObject({
      rules: [{ name: "no-eval", hash: "hash-no-eval", lane: "text", excerpt: "I will use eval(", start: 11, end: 16 }],
      attempt: 1,
      turn: 1,
      contextMode: "discard",
      delivered: true,
      discardedTokens: 4,
      estimated: true,
    });
    const cut = setup.log.entries.find(
      (each) => each.type === "message" && each.id === (entry as { cutMessageId: string }).cutMessageId,
    );
    expect(cut).toMatchObject({ message: { stopReason: "aborted", abortReason: "ttsr" } });
    expect(setup.log.buildContext().messages).toEqual([...setup.session.messages]);
    expect(setup.log.buildContext().messages).toHaveLength(3);
  });

  it("TTSR-6.4, C89: in keep the context that is rebuilt equals the live one", async () => {
    const { session, clock, log } = createSession({
      answers: [BAD_TEXT, GOOD_TEXT],
      settings: { contextMode: "keep" },
    });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    expect(log.buildContext().messages).toEqual([...session.messages]);
    expect(session.messages).toHaveLength(4);
  });

  it("TTSR-9.2: a cancelled interrupt leaves a second entry, delivered false, and nothing of the attempt in the branch", async () => {
    const { session, clock, log } = createSession({ answers: [BAD_TEXT, GOOD_TEXT] });
    const run = session.prompt("go");
    await settle();
    session.abort();
    await clock.advance(100);
    await run;
    const entries = log.entries.flatMap((entry) => (entry.type === "ttsr_injection" ? [entry.delivered] : []));
    expect(entries).toEqual([true, false]);
    expect(log.buildContext().messages).toHaveLength(1);
    expect(log.getInjectedTtsrRules()).toEqual([]);
  });

  it("T14: a crash between abort and retry resumes with exactly one interrupt, once", async () => {
    for (const contextMode of ["discard", "keep", "rewind"] as const) {
      const crashed = createSession({ answers: [BAD_TEXT, GOOD_TEXT], settings: { contextMode } });
      void crashed.session.prompt("go");
      await settle();
      expect(crashed.session.isTtsrAbortPending).toBe(true);

      const resumed = createSession({ answers: [GOOD_TEXT, GOOD_TEXT], log: crashed.log, settings: { contextMode } });
      await resumed.session.prompt("and now");
      const sent = shape(resumed.model.requests[0]!);
      expect(sent.filter((line) => line.includes("<system-interrupt"))).toHaveLength(1);
      expect(sent.at(-1)).toBe("user: and now");
      const again = createSession({ answers: [GOOD_TEXT], log: crashed.log, settings: { contextMode } });
      await again.session.prompt("later");
      expect(shape(again.model.requests[0]!).filter((line) => line.includes("<system-interrupt"))).toHaveLength(1);
    }
  });

  it("TTSR-5.2, C88: the gap's age comes back with the session; a cut attempt is no turn", async () => {
    const gap = rule("no-eval", { repeatMode: "after-gap", repeatGap: 2 });
    const first = createSession({ answers: [BAD_TEXT, GOOD_TEXT], rules: [gap] });
    void first.session.prompt("one");
    await first.clock.advance(50);
    const resumed = createSession({ answers: [BAD_TEXT, BAD_TEXT, GOOD_TEXT], rules: [gap], log: first.log });
    await resumed.session.prompt("two");
    expect(resumed.model.requests).toHaveLength(1);
    const run = resumed.session.prompt("three");
    await resumed.clock.advance(50);
    expect((await run).ttsr.interrupts).toBe(1);
  });
});

function createTool() {
  return {
    name: "custom",
    description: "A tool of the embedding program",
    parameters: { type: "object" },
    readOnly: true,
    validate: (args: Record<string, unknown>) => ({ ok: true as const, value: args }),
    describe: async () => ({ kind: "other" as const, title: "custom", paths: [] }),
    execute: async () => ({ content: [], isError: false }),
  };
}
