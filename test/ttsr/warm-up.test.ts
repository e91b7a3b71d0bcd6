/** C77, the parts of it: what an occurrence is, and what the guard keeps of it. */
import { describe, expect, it } from "vitest";
import type { AssistantMessage, Message } from "../../src/agent/messages.js";
import type { StreamPart } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { readRuleFile } from "../../src/discovery/rule-file.js";
import { parseRecord } from "../../src/session/entry-parse.js";
import { Backtest } from "../../src/ttsr/backtest/backtest.js";
import { readTranscript } from "../../src/ttsr/backtest/transcript.js";
import { TtsrGuard } from "../../src/ttsr/guard.js";
import { Ledger } from "../../src/ttsr/ledger.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { RulePolicy } from "../../src/ttsr/policy.js";
import { proveRule } from "../../src/ttsr/proving/prove.js";
import { DEFAULT_TTSR, rule } from "../support/rules.js";

const warm = (warmupMatches: number, more: Partial<Rule> = {}): Rule => rule("no-eval", { warmupMatches, ...more });

function guardOf(each: Rule) {
  const manager = new TtsrManager(DEFAULT_TTSR);
  manager.addRule(each);
  const cut: string[] = [];
  const messages: Message[] = [];
  const guard = new TtsrGuard({
    manager,
    policy: new RulePolicy(() => DEFAULT_TTSR),
    ledger: new Ledger(),
    cwd: "/project",
    rules: () => [each],
    tools: () => undefined,
    messages: () => messages,
    emit: () => undefined,
    interrupt: (batch) => void cut.push(...batch.map(({ rule: { name } }) => name)),
  });
  return { guard, cut, messages };
}
const answer = (): AssistantMessage => ({
  role: "assistant",
  provider: "p",
  model: "m",
  wire: "scripted",
  content: [],
  stopReason: "stop",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
});
const text = (index: number, said: string): StreamPart[] => [
  { type: "text_start", index },
  { type: "text_delta", index, text: said },
  { type: "block_end", index },
];

describe("C77 what the guard counts", () => {
  it("stands on the answer that ended whole", async () => {
    const { guard, cut } = guardOf(warm(5));
    guard.open(() => true, false);
    for (const part of [...text(0, "eval( and eval( again"), ...text(1, "fine"), ...text(2, "eval(")])
      guard.inspect(part);
    const message = answer();
    expect(await guard.close(message)).toBe("pass");
    expect(message.occurrences).toEqual([{ rule: "no-eval", hash: "hash-no-eval", times: 2 }]);
    expect(cut).toEqual([]);
  });

  it("C11: a provider that begins its answer anew gives back what it had counted", async () => {
    const { guard } = guardOf(warm(3));
    guard.open(() => true, false);
    for (const part of [...text(0, "eval("), ...text(1, "eval(")]) guard.inspect(part);
    guard.inspect({ type: "start" });
    for (const part of [...text(0, "fine"), ...text(1, "eval(")]) guard.inspect(part);
    const message = answer();
    await guard.close(message);
    expect(message.occurrences).toMatchObject([{ times: 1 }]);
  });

  it("an attempt that the user stopped while it was being decided counts nothing", async () => {
    const { guard } = guardOf(warm(3));
    let goesOn = true;
    guard.open(() => goesOn, false);
    for (const part of text(0, "eval(")) guard.inspect(part);
    const message = answer();
    const closed = guard.close(message);
    goesOn = false;
    await closed;
    expect(message).not.toHaveProperty("occurrences");
  });

  it("what a log says of it is taken as it is, and damage is left out", () => {
    const occurrences = [
      { rule: "a", hash: "h", times: 2 },
      { rule: "a", hash: "h", times: -1 },
      { rule: "a", times: 1 },
      "a",
    ];
    const read = (value: unknown) =>
      parseRecord({ type: "message", id: "1", parentId: null, message: { ...answer(), occurrences: value } }, null);
    expect(read(occurrences)).toMatchObject({ message: { occurrences: [{ rule: "a", hash: "h", times: 2 }] } });
    for (const damaged of ["x", null, {}, []]) {
      expect((read(damaged) as { message: object }).message).not.toHaveProperty("occurrences");
    }
  });
});

describe("C77 the key", () => {
  const read = (keys: string) => {
    const bytes = Buffer.from(`---\nttsr_trigger: '\\beval\\('\n${keys}\n---\nNo.\n`);
    return readRuleFile({ name: "r", provider: "project", path: "/r.md", bytes });
  };
  it("is a whole number, 0 or more", () => {
    expect(read("warmupMatches: 3").rule.warmupMatches).toBe(3);
    expect(read("warmupMatches: 0").diagnostics).toEqual([]);
    for (const wrong of ["-1", "1.5", "often", "[3]"]) {
      const { rule: each, diagnostics } = read(`warmupMatches: ${wrong}`);
      expect(each).not.toHaveProperty("warmupMatches");
      expect(diagnostics[0]?.message).toMatch(/"warmupMatches" must be a whole number of occurrences, 0 or more/);
    }
    expect(read("warmup_matches: 3").diagnostics[0]?.suggestion).toBe('Did you mean "warmupMatches"?');
  });

  it.each([
    [0, undefined],
    [1, "`warmupMatches: 1` changes nothing: the rule acts from the first occurrence on without it."],
    [2, undefined],
    [100, undefined],
    [
      101,
      "With `warmupMatches: 101` the rule will hardly ever act: the occurrences of each conversation are counted anew.",
    ],
  ])("%i: what is senseless is said", (n, message) => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    expect(manager.addRule(warm(n))).toBe(true);
    expect(manager.diagnostics().map((each) => each.message)).toEqual(message === undefined ? [] : [message]);
  });

  it("examples are about matching; a backtest is about what would have happened, in each conversation", async () => {
    const examples = { fire: [{ text: "eval(" }], silent: [{ text: "fine" }] };
    const lab = { tools: () => undefined };
    expect((await proveRule(warm(3, { examples }), lab, false)).map(({ ok }) => ok)).toEqual([true, true]);
    const test = new Backtest([warm(3), rule("every")], lab);
    const say = (content: string) => ({ role: "assistant", content });
    const transcript = readTranscript(
      JSON.stringify([say("eval(1"), say("eval(2"), say("fine"), say("eval(3"), say("eval(4")]),
    );
    await test.add("one", transcript);
    await test.add("two", readTranscript(JSON.stringify([say("eval(5"), say("eval(6")])));
    expect(test.results().map(({ hits }) => hits.map(({ place }) => place))).toEqual([
      ["message 4", "message 5"],
      ["message 1", "message 2", "message 4", "message 5", "message 1", "message 2"],
    ]);
  });
});
