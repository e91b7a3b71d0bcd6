/** The whole of it, over HTTP: a rule fires, the connection is closed, the rule is put before the model, the second answer is delivered. */
import { describe, expect, it } from "vitest";
import { SERVED_WIRES } from "../server/index.js";
import { BAD_CONTENT, BAD_TEXT, type Case, interruptedRun, MARK, PROMPT } from "./interrupted-run.js";

const GOOD = { text: "I will write a parser.", call: "It is written." };
const STANDS_FOR_CALL = "[call to write cut off by rule no-eval; not run]";

describe.each(SERVED_WIRES)("TTSR-6.1 TTSR-6.2 an interrupt over %s", (wire) => {
  const cases = (["text", "call"] as const).flatMap((what) =>
    (["discard", "keep"] as const).flatMap((contextMode) =>
      (["gaps", "burst"] as const).map((cut): Case => ({ wire, what, contextMode, cut })),
    ),
  );

  it.each(cases)("$what, $contextMode, $cut", async (which) => {
    const run = await interruptedRun(which);
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);

    // One request for each answer of the script, no other.
    expect(run.requests).toHaveLength(which.what === "text" ? 2 : 3);
    const [first] = run.requests;
    if (which.cut === "gaps") {
      expect(first).toMatchObject({ closedEarly: true });
      expect(first!.eventsWritten).toBeLessThan(80);
    }

    // Exactly [history, interrupt], or [history, partial, interrupt].
    const roles = run.retry.map(({ role }) => role);
    expect(roles).toEqual(which.contextMode === "keep" ? ["user", "assistant", "user"] : ["user", "user"]);
    expect(run.retry[0]!.text).toBe(PROMPT);
    const interrupt = run.retry.at(-1)!.text;
    expect(interrupt).toMatch(/^<system-interrupt reason="rule_violation" rule="no-eval" path=".*no-eval\.md">/);
    expect(interrupt).toContain("Write a parser instead of evaluating text.");
    expect(interrupt.match(/<system-interrupt/g)).toHaveLength(1);
    if (which.contextMode === "keep") {
      const partial = run.retry[1]!;
      expect(partial.calls).toEqual([]);
      if (which.what === "text") {
        expect(BAD_TEXT.startsWith(partial.text)).toBe(true);
        expect(partial.text).toMatch(/^I will call/);
      } else expect(partial.text).toBe(STANDS_FOR_CALL);
    }

    // Nothing after the match was handled, however much of it had arrived.
    const later = JSON.stringify(run.requests.slice(1).map(({ body }) => body));
    expect({ sent: later.includes(MARK), told: run.stdout.includes(MARK) }).toEqual({ sent: false, told: false });

    // The cut call never ran; the second answer is what the user gets.
    expect(run.files).toEqual({ bad: false, good: which.what === "call" });
    const started = run.events.filter((event) => event["type"] === "tool_execution_start");
    expect(started).toHaveLength(which.what === "call" ? 1 : 0);
    expect(run.events.at(-1)).toMatchObject({
      type: "result",
      status: "ok",
      text: GOOD[which.what],
      ttsr: { interrupts: 1, rules: { "no-eval": 1 } },
    });
  });
});

describe.each(SERVED_WIRES)(
  "TTSR-2.6 TTSR-4.2 over %s the verdict does not depend on how the answer is cut",
  (wire) => {
    it.each(["text", "call"] as const)("%s in single characters and whole", async (what) => {
      const verdicts: unknown[] = [];
      for (const cut of ["characters", "whole"] as const) {
        const run = await interruptedRun({ wire, what, contextMode: "discard", cut });
        expect(run.code).toBe(0);
        verdicts.push(run.events.filter(({ type }) => type === "ttsr_triggered").map(({ matches }) => matches));
        expect(run.files.bad).toBe(false);
        expect(run.retry.map(({ role }) => role)).toEqual(["user", "user"]);
      }
      const whole = what === "text" ? BAD_TEXT : BAD_CONTENT;
      const start = whole.indexOf("eval(");
      expect(verdicts[0]).toMatchObject([[{ rule: "no-eval", start, end: start + "eval(".length }]]);
      expect(verdicts[1]).toEqual(verdicts[0]);
    });
  },
);
