/** TTSR-5.5: what the repository's rules spend of the budgets, and what is left of them for the user's own. */
import { describe, expect, it } from "vitest";
import { rule } from "../support/rules.js";
import { type ScriptedAnswer, shape } from "../support/scripted-model.js";
import { createSession, GOOD_TEXT, watchedTools } from "../support/session.js";

const NOISE = Array.from({ length: 20 }, (_, i) => rule(`noise-${i}`, { ttsrTrigger: [`noise${i};`] }));
const OWN = [
  rule("mine", { provider: "user", ttsrTrigger: ["password is"] }),
  rule("mine-too", { provider: "bundled", ttsrTrigger: ["rm -rf"] }),
];
const say = (text: string): ScriptedAnswer => ({ blocks: [{ text }] });
const noise = (count: number): ScriptedAnswer[] => Array.from({ length: count }, (_, i) => say(`noise${i}; and more`));

describe("TTSR-5.5 rules of the repository that fire without end", () => {
  it("leave the user's own rules their interrupts, in prose too", async () => {
    const { session, clock } = createSession({
      answers: [...noise(5), say("noise5; and the password is x"), say("the password is x"), GOOD_TEXT],
      rules: [...NOISE, ...OWN],
    });
    const run = session.prompt("go");
    await clock.advance(1_000);
    const { ttsr, text } = await run;
    // The sixth answer is cut by the user's rule; the repository's are only reminders by then.
    expect(ttsr).toMatchObject({ interrupts: 7, rules: { "noise-4": 1, mine: 2 }, unheeded: ["noise-5"] });
    expect(ttsr.rules).not.toHaveProperty("noise-5");
    expect(text).toBe("I will write a parser.");
  });

  it("what the user's rules spend counts for both, so there is an end", async () => {
    const own = Array.from({ length: 9 }, (_, i) => rule(`own-${i}`, { provider: "user", ttsrTrigger: [`own${i};`] }));
    const answers = [...own.map((_, i) => say(`own${i}; and more`)), say("noise0; and more")];
    const { session, clock, model } = createSession({ answers, rules: [...NOISE, ...own] });
    const run = session.prompt("go");
    await clock.advance(1_000);
    expect((await run).ttsr).toMatchObject({ interrupts: 5, unheeded: ["own-5"] });
    expect(model.requests).toHaveLength(6);
  });

  it("no more than twice the budget together, and a call that breaks a rule past it is not run", async () => {
    const runs: Record<string, unknown>[] = [];
    const own = Array.from({ length: 6 }, (_, i) => rule(`own-${i}`, { provider: "user", ttsrTrigger: [`own${i};`] }));
    const both = {
      blocks: [
        { call: "bash", args: { command: "echo own5; " } },
        { call: "bash", args: { command: "echo noise7; " } },
      ],
    };
    const { session, clock, model } = createSession({
      answers: [...noise(5), ...own.slice(0, 5).map((_, i) => say(`own${i}; `)), both, GOOD_TEXT],
      rules: [...NOISE, ...own],
      tools: watchedTools(runs),
    });
    const run = session.prompt("go");
    await clock.advance(2_000);
    expect((await run).ttsr).toMatchObject({ interrupts: 10, unheeded: ["own-5", "noise-7"] });
    expect(runs).toEqual([]);
    expect(shape(model.requests.at(-1)!).filter((line) => line.startsWith("toolResult"))).toHaveLength(2);
  });

  it("of a session too, and after it was resumed", async () => {
    const settings = { budget: { perRule: 2, perRun: 5, perSession: 3 } };
    const rules = [...NOISE, ...OWN];
    const first = createSession({ answers: [...noise(3), GOOD_TEXT], rules, settings });
    const run = first.session.prompt("go");
    await first.clock.advance(1_000);
    expect((await run).ttsr.interrupts).toBe(3);

    const answers = [say("noise9; the password is x"), GOOD_TEXT, say("noise9; is all"), GOOD_TEXT];
    const next = createSession({ answers, rules, settings, log: first.log });
    const again = next.session.prompt("go on");
    await next.clock.advance(1_000);
    expect((await again).ttsr).toMatchObject({ interrupts: 1, rules: { mine: 1 } });
    const last = next.session.prompt("and on");
    await next.clock.advance(1_000);
    expect((await last).ttsr).toMatchObject({ interrupts: 0, unheeded: ["noise-9"] });
  });
});
