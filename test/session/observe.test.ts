import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import type { SessionRules } from "../../src/session/rule-book.js";
import { rule } from "../support/rules.js";
import { createSession, watchedTools } from "../support/session.js";

/** Rules that are there and never change. */
const bookOf = (items: Rule[]): SessionRules => ({
  items,
  statuses: () =>
    items.map(({ name, path, provider, ttsrTrigger: triggers, scope, globs, description = "" }) => {
      return { name, path, provider, triggers, scope, globs, description, state: "observe" as const };
    }),
  open: () => undefined,
  refresh: () => Promise.resolve(),
  see: () => undefined,
  add: () => undefined,
  close: () => undefined,
});

describe("rules.md, `observe: true` counts and shows hits, and never interrupts or reminds", () => {
  const observed = rule("watch", { observe: true, interruptMode: "always", repeatMode: "always" });

  it("in prose and in a call: told, counted, and nothing is put before the model", async () => {
    const runs: Record<string, unknown>[] = [];
    const { session, model, events } = createSession({
      answers: [
        { blocks: [{ text: "I use eval( here." }, { call: "write", args: { path: "a.js", content: "eval(x);\n" } }] },
        { blocks: [{ text: "Again eval( here." }] },
      ],
      rules: [observed],
      tools: watchedTools(runs),
      settings: { budget: { perRule: 1, perRun: 1, perSession: 1 } },
      deps: { rules: bookOf([observed]) },
    });
    const summary = await session.prompt("go");
    expect(summary.status).toBe("ok");
    expect(runs).toHaveLength(1);
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests)).not.toContain("system-interrupt");
    const told = events.filter((event) => event.type === "ttsr_suppressed");
    expect(told.map(({ rule: name, reason, action }) => [name, reason, action])).toEqual(
      Array.from({ length: told.length }, () => ["watch", "mode", "none"]),
    );
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(events.some((event) => event.type === "ttsr_triggered" || event.type === "notice")).toBe(false);
    expect(session.rules()).toMatchObject([{ name: "watch", state: "observe", hits: told.length, interrupts: 0 }]);
    expect(summary.ttsr).toMatchObject({ interrupts: 0 });
  });

  it("beside a rule that interrupts, it takes no part in the interrupt", async () => {
    const { session, clock, model, events } = createSession({
      answers: [{ blocks: [{ text: "I use eval( here and go on and on." }] }, { blocks: [{ text: "Done." }] }],
      rules: [observed, rule("no-eval")],
    });
    const run = session.prompt("go");
    await clock.advance(50);
    await run;
    const [triggered] = events.filter((event) => event.type === "ttsr_triggered");
    expect(triggered).toMatchObject({ rules: [{ name: "no-eval" }] });
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("The body of watch.");
  });
});
