/** A model that goes round in circles, through a whole session, with the rule that comes with the program. */
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import { bundledProvider } from "../../src/discovery/providers/bundled.js";
import { type ScriptedAnswer, shape } from "../support/scripted-model.js";
import { createSession, eventTypes, watchedTools } from "../support/session.js";

const { found } = await bundledProvider.load({ cwd: "/nowhere" });
const RULE = found.map(({ rule }) => rule).find(({ name }) => name === "prose/repetition") as Rule;

const SEVEN = [
  "I have read all that was asked for, and the next thing to do is to write the summary.",
  "The summary has three parts, and I will begin with the one on how the text is split.",
  "After that I will write the part on how the pieces are put together again at the end.",
  "The last part is on what can go wrong, and on what is said to the user when it does.",
  "Let me write it now.",
  "I will put the summary beside the other documents, where people would look for it first.",
  "When the summary is written I will run the checks, and then the work is done for today.",
];
const ROUNDS = Array.from({ length: 9 }, () => SEVEN.join("\n\n")).join("\n\n");
const PARAPHRASED = [
  "I have both albums, and I am going to put the delivery together for the two channels now.",
  ...[
    "I'm putting the delivery together now: the photos of both albums go out to the two channels, and then I am done.",
    "The delivery is put together now, with the photos of both albums for the two channels, and then I am done.",
    "Now I put the delivery together: both albums and their photos go out to the two channels, and then I am done.",
    "I'm putting the delivery together now. The photos of both albums go to the two channels, and I am done then.",
    "Putting the delivery together: the photos of both albums go out to the two channels now, and then I am done.",
    "So I'm putting the delivery together now, the photos of both albums go out to the two channels, and I am done.",
  ],
  ...Array.from({ length: 60 }, (_, i) => {
    const begin = ["I am now putting", "Right, I am putting", "So now I'm putting", "I'm putting"][i % 4];
    const end = ["and I am done", "and then I am done", "and I am done then"][i % 3];
    return `${begin} the delivery together: both albums go out to the two channels with their photos, ${end}.`;
  }),
].join("\n\n");

const say = (text: string): ScriptedAnswer => ({ blocks: [{ text }], chunk: 97, hang: true });
const GOOD: ScriptedAnswer = { blocks: [{ text: "The summary is in docs/summary.md." }] };
const WRITES: ScriptedAnswer = {
  blocks: [{ call: "write", args: { path: "docs/summary.md", content: "# Summary\n" } }],
};

describe("C72 9 times the same 7 paragraphs, and no call", () => {
  it.each(["text", "thinking"] as const)(
    "in %s: cut in the third round, told what repeats, and the retry goes on",
    async (kind) => {
      const loop = kind === "text" ? say(ROUNDS) : { blocks: [{ thinking: ROUNDS }], chunk: 97, hang: true };
      const runs: Record<string, unknown>[] = [];
      const { session, clock, events, model } = createSession({
        answers: [loop, WRITES, GOOD],
        rules: [RULE],
        tools: watchedTools(runs),
      });
      const run = session.prompt("go");
      await clock.advance(50);
      const summary = await run;
      expect(summary).toMatchObject({
        status: "ok",
        text: "The summary is in docs/summary.md.",
        ttsr: { interrupts: 1, rules: { "prose/repetition": 1 } },
      });
      expect(runs).toMatchObject([{ path: "docs/summary.md" }]);

      const told = events.flatMap((event) => (event.type === "ttsr_triggered" ? event.matches : []));
      expect(told).toMatchObject([{ rule: "prose/repetition", source: kind, excerpt: SEVEN[0] }]);
      // Nothing behind the first paragraph of the third round was read.
      const round = SEVEN.join("\n\n").length + 2;
      expect(told[0]?.start).toBe(round);
      expect(told[0]?.end).toBe(2 * round + (SEVEN[0]?.length ?? 0) + 2);
      expect(eventTypes(events)).toContain("ttsr_retry");

      const interrupt = shape(model.requests[1]!).at(-1);
      expect(interrupt).toContain(`which repeats itself (the same paragraph 3 times): ${SEVEN[0]}`);
      expect(interrupt).toContain("Do this instead: Take the next step now");
      // The loop is not sent back.
      expect(interrupt).not.toContain(SEVEN[1]);
      expect(shape(model.requests[1]!).join("\n")).not.toContain(SEVEN[1]);
    },
  );

  it("with `rewind`, what stood before the repetition stays", async () => {
    const { session, clock, model } = createSession({
      answers: [say(ROUNDS), GOOD],
      rules: [RULE],
      settings: { contextMode: "rewind" },
    });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    const sent = shape(model.requests[1]!).join("\n");
    expect(sent.split(SEVEN[1] ?? "").length - 1).toBe(1);
  });

  it("a mode that may not interrupt makes a reminder of it, muting nothing", async () => {
    const loop: ScriptedAnswer = {
      blocks: [
        {
          text: SEVEN.slice(0, 1)
            .concat(SEVEN[0] ?? "", SEVEN[0] ?? "")
            .join("\n\n"),
        },
      ],
    };
    const never = createSession({ answers: [loop, GOOD], rules: [{ ...RULE, interruptMode: "never" }] });
    expect((await never.session.prompt("go")).ttsr.interrupts).toBe(0);
    await never.session.prompt("go on");
    expect(shape(never.model.requests[1]!).join("\n")).toContain(`your answer, which repeats itself`);

    const muted = createSession({ answers: [loop, GOOD], rules: [RULE] });
    muted.session.muteRule("prose/repetition", true);
    expect((await muted.session.prompt("go")).ttsr.interrupts).toBe(0);
    await muted.session.prompt("go on");
    expect(shape(muted.model.requests[1]!).join("\n")).not.toContain("repeats itself");
  });
});

describe("C73 the same in other words, for ever", () => {
  it("a model that loops again ends by the ladder: two interrupts, then it is delivered and the user is told", async () => {
    const loop: ScriptedAnswer = { blocks: [{ text: PARAPHRASED }], chunk: 97 };
    const { session, clock, events, model } = createSession({ answers: [loop], rules: [RULE] });
    const run = session.prompt("go");
    await clock.advance(1_000);
    const { status, ttsr, text } = await run;
    expect({ status, interrupts: ttsr.interrupts, text }).toEqual({ status: "ok", interrupts: 2, text: PARAPHRASED });
    expect(model.requests).toHaveLength(3);

    const [first, second] = [1, 2].map((request) => shape(model.requests[request]!).at(-1) ?? "");
    expect(first).toMatch(/which repeats itself \(8 of the last \d+ paragraphs are like earlier ones\): \S/);
    expect(first).toContain("You say the same thing again and again");
    expect(second).toContain("You broke this rule again");
    expect(second).not.toContain("You say the same thing again and again");
    const notices = events.filter((event) => event.type === "notice" && event.code === "ttsr-budget");
    expect(notices).toHaveLength(1);
    expect(events.filter((event) => event.type === "ttsr_suppressed")).toMatchObject([
      { action: "reminder", reason: "budget" },
    ]);
  });

  it("the discarded tokens stand in the ledger, and the rule can be let through once", async () => {
    const loop: ScriptedAnswer = { blocks: [{ text: PARAPHRASED }], chunk: 97 };
    const { session, clock, events } = createSession({ answers: [loop, GOOD, loop], rules: [RULE] });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    const cut = events.find((event) => event.type === "ttsr_triggered");
    expect(cut).toMatchObject({ discardedTokens: expect.any(Number) });
    expect(await session.allowRuleOnce("prose/repetition")).toBe("next-match");
    expect((await session.prompt("again")).ttsr.interrupts).toBe(0);
  });

  it("what it found is not kept as an example of silence: one paragraph does not show it", async () => {
    const own = { ...RULE, provider: "project" };
    const status = { name: RULE.name, path: RULE.path, provider: "project", state: "armed" as const };
    const { session } = createSession({
      answers: [GOOD],
      rules: [own],
      deps: {
        rules: {
          items: [],
          statuses: () => [{ ...status, triggers: [], scope: [], globs: [], description: "" }],
          open: () => undefined,
          refresh: () => Promise.resolve(),
          see: () => undefined,
          add: () => undefined,
          close: () => undefined,
        },
      },
    });
    await expect(session.reportFalseAlarm(RULE.name, { text: "x" })).rejects.toThrow("cannot be kept as an example");
  });
});
