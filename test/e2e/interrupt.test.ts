/** The whole of it, over HTTP: a rule fires, the connection is closed, the rule is put before the model, the second answer is delivered. */
import { describe, expect, it } from "vitest";
import { SERVED_WIRES } from "../server/index.js";
import {
  BAD_CONTENT,
  BAD_TEXT,
  BEFORE,
  type Case,
  GOOD_TEXT,
  type InterruptedRun,
  interruptedRun,
  MARK,
  PROMPT,
} from "./interrupted-run.js";

const STANDS_FOR_CALL = "[call to write cut off by rule no-eval; not run]";
const EXCERPT = {
  text: "Cut: your answer",
  call: "Cut: write call of bad.mjs (content): export const calc = (source) => eval(",
};

function expectRetry({ retry }: InterruptedRun, { what, contextMode }: Case): void {
  const keep = contextMode === "keep";
  expect(retry.map(({ role }) => role)).toEqual(keep ? ["user", "assistant", "user"] : ["user", "user"]);
  expect(retry[0]!.text).toBe(PROMPT);
  const interrupt = retry.at(-1)!.text;
  expect(interrupt).toMatch(/^<system-interrupt reason="rule_violation" rule="no-eval" path=".*no-eval\.md">/);
  expect(interrupt).toContain("eval runs whatever text reaches it.");
  expect(interrupt).toContain(EXCERPT[what === "text" ? "text" : "call"]);
  expect(interrupt.match(/<system-interrupt/g)).toHaveLength(1);
  if (!keep) return;
  const partial = retry[1]!;
  expect(partial.calls).toEqual([]);
  if (what === "text") {
    expect(partial.text).toMatch(/^I will call/);
    expect(BAD_TEXT.startsWith(partial.text)).toBe(true);
  } else expect(partial.text).toBe(what === "call" ? STANDS_FOR_CALL : BEFORE);
}

describe.each(SERVED_WIRES)("TTSR-6.1 TTSR-6.2 TTSR-6.7 an interrupt over %s", (wire) => {
  const cases = (["text", "call"] as const).flatMap((what) =>
    (["discard", "keep"] as const).flatMap((contextMode) =>
      (["gaps", "burst"] as const).map((cut): Case => ({ wire, what, contextMode, cut })),
    ),
  );

  it.each<Case>([
    ...cases,
    // TTSR-6.4: of a message that is kept its text stays, its call goes.
    { wire, what: "text and call", contextMode: "keep", cut: "gaps" },
  ])("$what, $contextMode, $cut", async (which) => {
    const run = await interruptedRun(which);
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });

    // One request for each answer of the script, no other.
    const called = which.what !== "text";
    expect(run.requests).toHaveLength(called ? 3 : 2);
    if (which.cut === "gaps") {
      expect(run.requests[0]!.closedEarly).toBe(true);
      // Of more than 240 events.
      expect(run.requests[0]!.eventsWritten).toBeLessThan(80);
    }
    expectRetry(run, which);

    // Nothing after the match was handled, however much of it had arrived.
    const later = JSON.stringify(run.requests.slice(1).map(({ body }) => body));
    expect({ sent: later.includes(MARK), told: run.stdout.includes(MARK) }).toEqual({ sent: false, told: false });
    // TTSR-10.2: nor is the piece told in which it settles.
    const deltas = run.events().flatMap((event) => (event.type === "message_update" ? [JSON.stringify(event)] : []));
    expect(deltas.filter((delta) => delta.includes("eval("))).toEqual([]);

    // The cut call never ran; the second answer is what the user gets.
    expect(run.files).toEqual({ bad: false, good: called });
    const started = run.events().filter(({ type }) => type === "tool_execution_start");
    expect(started).toHaveLength(called ? 1 : 0);
    expect(run.events().at(-1)).toMatchObject({
      type: "result",
      status: "ok",
      text: GOOD_TEXT,
      ttsr: { interrupts: 1, rules: { "no-eval": 1 } },
    });
  });
});

describe.each(SERVED_WIRES)("TTSR-2.6 TTSR-4.2 over %s however the answer is cut, the verdict is the same", (wire) => {
  it.each(["text", "call"] as const)("%s in single characters and whole", async (what) => {
    const verdicts: unknown[] = [];
    for (const cut of ["characters", "whole"] as const) {
      const run = await interruptedRun({ wire, what, contextMode: "discard", cut });
      expect(run.code).toBe(0);
      verdicts.push(run.events().flatMap((event) => (event.type === "ttsr_triggered" ? [event.matches] : [])));
      expect(run.files.bad).toBe(false);
      expect(run.retry.map(({ role }) => role)).toEqual(["user", "user"]);
    }
    const whole = what === "text" ? BAD_TEXT : BAD_CONTENT;
    const start = whole.indexOf("eval(");
    expect(verdicts[0]).toMatchObject([[{ rule: "no-eval", start, end: start + "eval(".length }]]);
    expect(verdicts[1]).toEqual(verdicts[0]);
  });
});
