/** Cases of the field that are about what a lane is, and what a rule may say of it. */
import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../src/agent/messages.js";
import { NO_USAGE } from "../../src/agent/messages.js";
import type { StreamPart } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { createMonitor } from "../../src/ttsr/monitor.js";
import { cuts, rule, SETTINGS, TOOLS } from "./helpers.js";

const MESSAGE: AssistantMessage = {
  role: "assistant",
  provider: "p",
  model: "m",
  wire: "scripted",
  content: [],
  stopReason: "stop",
  usage: { ...NO_USAGE },
};

/** @returns rule, lane and file of each match, the same however the text is cut */
async function found(rules: Rule[], name: string, text: string, ways = cuts(text)): Promise<string[]> {
  const once = async (pieces: readonly string[]): Promise<string[]> => {
    const manager = new TtsrManager(SETTINGS);
    for (const each of rules) expect(manager.addRule(each), JSON.stringify(manager.diagnostics())).toBe(true);
    const matches: string[] = [];
    const monitor = createMonitor({
      manager,
      tools: (tool) => TOOLS[tool],
      cwd: "/p",
      onBatch: (batch) => {
        for (const { rule: hit, lane } of batch) matches.push(`${hit.name} ${lane.argument ?? lane.source}`);
        return "pass";
      },
    });
    monitor.open();
    const prose = name === "text";
    const parts: StreamPart[] = [
      prose ? { type: "text_start", index: 0 } : { type: "call_start", index: 0, id: "c", name },
      ...pieces.map((piece): StreamPart => ({ type: prose ? "text_delta" : "args_delta", index: 0, text: piece })),
      { type: "block_end", index: 0 },
    ];
    for (const part of parts) monitor.inspect(part);
    await monitor.close(MESSAGE);
    return matches.sort();
  };
  const whole = await once([text]);
  for (const pieces of ways) expect(await once(pieces), JSON.stringify(pieces)).toEqual(whole);
  return whole;
}
const called = (rules: Rule[], name: string, args: unknown): Promise<string[]> =>
  found(rules, name, JSON.stringify(args));

describe("C29 a rule over structured arguments", () => {
  it("sees each value on its own path, and never the JSON around it", async () => {
    const braces = rule("\\{\\}", { name: "braces" });
    const shape = rule('"task":', { name: "shape" });
    const agent = rule("^reviewer$", { name: "agent", scope: ["tool:delegate.tasks.*.agent"] });
    const args = { tasks: [{ task: "{}", agent: "writer" }, { task: "look", agent: "reviewer" }, {}] };
    expect(await called([braces, shape, agent], "delegate", args)).toEqual([
      "agent tasks.1.agent",
      "braces tasks.0.task",
    ]);
  });
});

describe("C36 much of the same in what a call writes", () => {
  const zeros = "0 ".repeat(100);
  const repeats = rule("([^\\n]{64,})\\n\\1\\n\\1", { name: "repeats" });
  const json = JSON.stringify({ path: "zeros.csv", content: `${zeros}\n`.repeat(100) });
  const written = (each: Rule): Promise<string[]> => found([each], "write", json, [json.match(/[\s\S]{1,500}/g) ?? []]);
  it("cuts no call by itself; a rule on repetition in prose leaves calls alone", async () => {
    expect(await written({ ...repeats, scope: ["text"] })).toEqual([]);
    expect(await written(repeats)).toEqual(["repeats content"]);
  });
});

describe("C46 the corrected retry is let through", () => {
  const unsafe = rule("\\bunsafe\\s*\\{", { name: "unsafe", unless: ["//\\s*SAFETY:"], globs: ["*.rs"] });
  it.each([["any" as const], ["code" as const]])("in: %s, also where the exception is a comment", async (zone) => {
    const rules = [{ ...unsafe, in: [zone] }];
    const write = (content: string) => called(rules, "write", { path: "a.rs", content });
    expect(await write("// SAFETY: x\nunsafe {")).toEqual([]);
    expect(await write("unsafe { // SAFETY: too late")).toEqual(["unsafe content"]);
    expect(await write("// SAFE: x\nunsafe {")).toEqual(["unsafe content"]);
    expect(await write("// SAFETY: x\n1\n2\n3\nunsafe {")).toEqual(["unsafe content"]);
    const edits = [{ old: "a", new: "// SAFETY: x\nunsafe {" }];
    expect(await called(rules, "edit", { path: "a.rs", edits })).toEqual([]);
  });
  it("an exception behind the match, in a comment that the rule itself does not look at", async () => {
    const rules = [rule("\\bpass\\b", { name: "pass", in: ["code"], unless: ["noqa"], unlessAfter: 1 })];
    const write = (content: string) => called(rules, "write", { path: "a.py", content });
    expect(await write("pass  # noqa\n")).toEqual([]);
    expect(await write("pass\n# noqa\n")).toEqual([]);
    expect(await write("pass\n\n# noqa\n")).toEqual(["pass content"]);
  });
});

describe("C56 negation, question, future, somebody else", () => {
  const claim = rule("(?i)\\b(?:it|this|the bug) is (?:now )?(?:fixed|done)\\b(?![^.!?\\n]{0,40}\\?)", {
    name: "claim",
    scope: ["text"],
    unless: ["(?i)\\b(?:not|never|once|when|if|until|upstream|whether)\\b[^.!?\\n]*\\bis\\b"],
    unlessWithin: 0,
  });
  it.each([
    ["It is fixed.", true],
    ["I ran nothing, but the bug is now fixed!", true],
    ["I do not think that it is fixed.", false],
    ["I cannot say whether it is fixed yet?", false],
    ["Is anybody sure it is fixed?", false],
    ["Once it is fixed, run the tests.", false],
    ["Upstream says it is fixed in 18.1.2.", false],
    ["It is not yet fixed.", false],
  ])("%s", async (text, fires) => {
    expect(await found([claim], "text", text)).toEqual(fires ? ["claim text"] : []);
  });
});

describe("C72 the same paragraph again and again", () => {
  const loop = rule("([^\\n]{64,})\\n[\\s\\S]*\\n\\1\\n[\\s\\S]*\\n\\1(?:\\n|$)", { name: "loop", scope: ["text"] });
  const long = "I should look at the file once more and check whether the function is called.";
  it("is a rule that somebody can write, and that leaves lists alone", async () => {
    const manager = new TtsrManager(SETTINGS);
    expect(manager.addRule(loop)).toBe(true);
    const run = async (text: string): Promise<number> => {
      const late: unknown[] = [];
      const lane = manager.openLane(
        { source: "text", contentIndex: 0 },
        { onLate: (matches) => void late.push(...matches) },
      );
      const now = lane.push(text).length;
      const end = lane.close();
      return now + end.now.length + (await end.late).length + late.length;
    };
    expect(await run(`${long}\n\nother\n\n${long}\n\nmore\n\n${long}\n`)).toBe(1);
    expect(await run(`${long}\n\nother\n\n${long}\n`)).toBe(0);
    const list = Array.from(
      { length: 30 },
      (_, i) => `Processing item ${i} of the thirty, which takes its time, as all do.`,
    );
    expect(await run(list.join("\n\n"))).toBe(0);
  });
});
