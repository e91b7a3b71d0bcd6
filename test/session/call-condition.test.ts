/** C29 in a session: what a rule on calls says of a call is said before the tool may start. */
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import { rule } from "../support/rules.js";
import { shape } from "../support/scripted-model.js";
import { createSession, GOOD_TEXT, rulesOf, STATUS } from "../support/session.js";
import { fakeTool } from "../support/tools.js";

const agent = (more: Partial<Rule> = {}): Rule =>
  rule("name-the-agent", {
    ttsrTrigger: [],
    scope: ["tool:task"],
    callCondition: [{ required: ["tasks"], properties: { tasks: { contains: { not: { required: ["agent"] } } } } }],
    ...more,
  });
const task = (...tasks: object[]) => ({ call: "task", args: { tasks } });
const BAD = { blocks: [task({ task: "{}" })] };
const GOOD = { blocks: [task({ task: "{}", agent: "writer" })] };

function session(answers: Parameters<typeof createSession>[0]["answers"], more: Partial<Rule> = {}) {
  const runs: Record<string, unknown>[] = [];
  const tools = [fakeTool("task", { runs })];
  return { runs, ...createSession({ answers, rules: [agent(more)], tools }) };
}

describe("C29 a predicate on the parsed call, in a session", () => {
  it.each([1, 4, 10_000])(
    "the answer is cut before the tool starts, however it is cut into deltas (%i)",
    async (chunk) => {
      const { session: own, clock, model, events, runs } = session([{ ...BAD, chunk }, GOOD, GOOD_TEXT]);
      const run = own.prompt("go");
      await clock.advance(50);
      expect((await run).ttsr).toMatchObject({ interrupts: 1, rules: { "name-the-agent": 1 } });
      expect(runs).toEqual([{ tasks: [{ task: "{}", agent: "writer" }] }]);
      const types = events.map(({ type }) => type);
      expect(types.indexOf("ttsr_triggered")).toBeLessThan(types.indexOf("tool_execution_start"));
      expect(shape(model.requests[1]!).at(-1)).toContain('Cut: task call (tasks.0): {"task":"{}"}\n');
    },
  );

  it("also when the whole answer comes in one piece", async () => {
    const { session: own, clock, runs } = session([{ ...BAD, burst: true }, GOOD_TEXT]);
    const run = own.prompt("go");
    await clock.advance(50);
    expect((await run).ttsr.interrupts).toBe(1);
    expect(runs).toEqual([]);
  });

  it("arguments that are no JSON fire nothing, and the tool answers for itself", async () => {
    const { session: own, model } = session([{ blocks: [{ call: "task", args: '{"tasks":[{}' }] }, GOOD_TEXT]);
    expect((await own.prompt("go")).ttsr.interrupts).toBe(0);
    expect(shape(model.requests[1]!).at(-1)).toContain("not a JSON object");
  });

  it("past its budget the call is answered with the rule and not run; `never` reminds", async () => {
    const spent = session([BAD, BAD, BAD, GOOD_TEXT]);
    const run = spent.session.prompt("go");
    await spent.clock.advance(200);
    expect((await run).ttsr).toMatchObject({ interrupts: 2, unheeded: ["name-the-agent"] });
    expect(spent.runs).toEqual([]);
    expect(shape(spent.model.requests[3]!).at(-1)).toContain('Blocked: task call (tasks.0): {"task":"{}"}');

    const gentle = session([BAD, GOOD_TEXT], { interruptMode: "never" });
    await gentle.session.prompt("go");
    expect(gentle.runs).toHaveLength(1);
    expect(shape(gentle.model.requests[1]!).at(-1)).toContain('rule="name-the-agent"');
  });

  it("TTSR-8.2: a crash in the gap resumes with the same words, a call as a whole among them", async () => {
    const whole = {
      callCondition: [{ required: ["tasks", "now"], properties: { now: { const: true }, tasks: true } }],
    };
    const crashed = session([{ blocks: [{ call: "task", args: { now: true, tasks: [] } }] }, GOOD_TEXT], whole);
    void crashed.session.prompt("go");
    await crashed.clock.advance(0);
    expect(crashed.session.isTtsrAbortPending).toBe(true);
    const entry = crashed.log.entries.find((each) => each.type === "ttsr_injection");
    expect(entry).toMatchObject({ rules: [{ lane: "tool:task", excerpt: '{"now":true,"tasks":[]}' }] });
    const resumed = createSession({ answers: [GOOD_TEXT], rules: [agent(whole)], log: crashed.log });
    await resumed.session.prompt("and now");
    const interrupt = shape(resumed.model.requests[0]!).find((line) => line.includes("<system-interrupt"));
    expect(interrupt).toContain('Cut: task call: {"now":true,"tasks":[]}\n');
  });

  it("TTSR-9.2: Esc in the gap leaves nothing: no request, the rule armed again", async () => {
    const { session: own, clock, model, runs } = session([BAD, BAD, GOOD_TEXT]);
    const first = own.prompt("go");
    await clock.advance(0);
    own.abort();
    await clock.advance(100);
    expect((await first).status).toBe("aborted");
    expect({ requests: model.requests.length, runs }).toEqual({ requests: 1, runs: [] });
    const second = own.prompt("again");
    await clock.advance(50);
    expect((await second).ttsr.interrupts).toBe(1);
  });

  it("a false alarm writes no half call into the rule's file, and says what to do", async () => {
    const { session: own } = createSession({
      answers: [GOOD_TEXT],
      rules: [agent()],
      deps: { rules: rulesOf({ ...STATUS, name: "name-the-agent" }) },
    });
    await expect(own.reportFalseAlarm("name-the-agent", { text: '{"task":"{}"}', tool: "task" })).rejects.toThrow(
      /^name-the-agent looks at calls as a whole, .* write the call into `examples\.silent` of /,
    );
  });

  it("what could not be decided is told as a notice, and the call runs", async () => {
    const {
      session: own,
      events,
      runs,
    } = session([{ blocks: [task({ task: "x".repeat(600_000) })], chunk: 100_000 }, GOOD_TEXT]);
    await own.prompt("go");
    expect(runs).toHaveLength(1);
    expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toEqual([
      "Rule name-the-agent: A call of task was too large, or its `callCondition` too costly, to be checked; it was let pass.",
    ]);
  });
});
