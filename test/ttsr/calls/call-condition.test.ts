/** C29: a rule over the parsed arguments of a call. */
import { describe, expect, it } from "vitest";
import type { Tool } from "../../../src/agent/ports.js";
import type { CallSchema, Rule } from "../../../src/capability/rule.js";
import { readRuleFile } from "../../../src/discovery/rule-file.js";
import { Backtest } from "../../../src/ttsr/backtest/backtest.js";
import { readTranscript } from "../../../src/ttsr/backtest/transcript.js";
import { TtsrManager } from "../../../src/ttsr/manager.js";
import { createMonitor } from "../../../src/ttsr/monitor.js";
import { faultsOfExamples, proveRule } from "../../../src/ttsr/proving/prove.js";
import { samplesOf } from "../../../src/ttsr/proving/sample.js";
import { whySilent } from "../../../src/ttsr/proving/why-silent.js";
import type { TtsrMatch } from "../../../src/ttsr/types.js";
import { DEFAULT_TTSR, rule } from "../../support/rules.js";
import { fakeTool } from "../../support/tools.js";

const TOOLS: Tool[] = [
  fakeTool("task"),
  fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" }),
  fakeTool("read", { readOnly: true, pathArgument: "path" }),
];
const tools = (name: string) => TOOLS.find((tool) => tool.name === name);
const lab = { tools };

const NO_AGENT: CallSchema = {
  required: ["tasks"],
  properties: { tasks: { contains: { not: { required: ["agent"] } } } },
};
const callRule = (callCondition: CallSchema[], more: Partial<Rule> = {}): Rule =>
  rule("on-calls", { ttsrTrigger: [], callCondition, ...more });
const agent = callRule([NO_AGENT], { scope: ["tool:task"] });

/** One finished message of these calls. @returns what fired before a call could run, step by step */
async function steps(rules: Rule[], calls: { name: string; args: unknown }[], ports = true): Promise<TtsrMatch[][]> {
  const manager = new TtsrManager(DEFAULT_TTSR);
  for (const each of rules) expect(manager.addRule(each), JSON.stringify(manager.diagnostics())).toBe(true);
  const found: TtsrMatch[][] = [];
  const monitor = createMonitor({
    manager,
    tools: (name) => (ports ? tools(name) : undefined),
    cwd: "/project",
    onBatch: (matches) => {
      found.push(matches);
      return "pass";
    },
  });
  monitor.open();
  for (const [index, { name, args }] of calls.entries()) {
    monitor.inspect({ type: "call_start", index, id: `c${index}`, name });
    monitor.inspect({ type: "args_delta", index, text: JSON.stringify(args) });
    monitor.inspect({ type: "block_end", index });
  }
  await monitor.close({
    role: "assistant",
    provider: "p",
    model: "m",
    wire: "scripted",
    content: calls.map(({ name, args }, index) => ({
      type: "toolCall",
      id: `c${index}`,
      name,
      arguments: args as Record<string, unknown>,
    })),
    stopReason: "toolUse",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  });
  return found;
}
const fired = async (each: Rule, name: string, args: unknown): Promise<TtsrMatch[]> =>
  (await steps([each], [{ name, args }])).flat();

describe("C29 a predicate on the parsed call", () => {
  it("an item without `agent` fires, whatever stands in its text; with one, and without tasks, it is silent", async () => {
    expect(await fired(agent, "task", { tasks: [{ task: "{}" }] })).toHaveLength(1);
    expect(await fired(agent, "task", { tasks: [{ task: '{"agent": "x"}' }] })).toHaveLength(1);
    expect(await fired(agent, "task", { tasks: [{ task: "{}", agent: "writer" }] })).toEqual([]);
    expect(await fired(agent, "task", { tasks: [] })).toEqual([]);
    expect(await fired(agent, "task", {})).toEqual([]);
    expect(await fired(agent, "write", { path: "a", content: "", tasks: [{}] })).toEqual([]);
  });

  it("says which tool and which part, as JSON on one line", async () => {
    const args = { tasks: [{ task: "a", agent: "x" }, { task: "two\nlines" }] };
    const [match] = await fired(agent, "task", args);
    expect(match).toEqual({
      rule: agent,
      trigger: 0,
      lane: { source: "tool", contentIndex: 0, toolCallId: "c0", toolName: "task", argument: "tasks.1" },
      start: 0,
      end: '{"task":"two\\nlines"}'.length,
      excerpt: '{"task":"two\\nlines"}',
    });
    const [long] = await fired(agent, "task", { tasks: [{ task: "😀".repeat(100) }] });
    expect(long?.excerpt.length).toBeLessThanOrEqual(120);
    expect(long?.excerpt).toMatch(/^\{"task":"(?:😀)+…$/u);
  });

  it("a schema about more than one thing is about the call as a whole", async () => {
    const force = callRule([
      { required: ["to", "force"], properties: { to: { const: "main" }, force: { const: true } } },
    ]);
    expect(await fired(force, "push", { to: "main", force: true, why: "x" })).toMatchObject([
      { excerpt: '{"to":"main","force":true,"why":"x"}', lane: { toolName: "push" } },
    ]);
    expect((await fired(force, "push", { to: "main", force: true }))[0]?.lane).not.toHaveProperty("argument");
    expect(await fired(force, "push", { to: "main", force: false })).toEqual([]);
  });

  it("a part is never so small that it says nothing by itself", async () => {
    const all = callRule([
      {
        required: ["edits"],
        properties: { edits: { contains: { required: ["all"], properties: { all: { const: true } } } } },
      },
    ]);
    const edits = [
      { old: "a", new: "b" },
      { old: "c", new: "d", all: true },
    ];
    expect(await fired(all, "edit", { path: "a.ts", edits })).toMatchObject([
      { lane: { argument: "edits.1", filePath: "a.ts" }, excerpt: '{"old":"c","new":"d","all":true}' },
    ]);
    const force = callRule([{ required: ["force"], properties: { force: { const: true } } }]);
    const [match] = await fired(force, "push", { to: "main", force: true });
    expect(match).toMatchObject({ excerpt: '{"to":"main","force":true}' });
    expect(match?.lane).not.toHaveProperty("argument");
  });

  it("any of several conditions; a trigger beside it fires on its own; one match a rule and call", async () => {
    const both = callRule([{ required: ["a"] }, { required: ["b"] }], { ttsrTrigger: ["eval\\("] });
    expect(await fired(both, "task", { b: "x" })).toMatchObject([{ trigger: 2 }]);
    expect(await fired(both, "task", { a: "x", b: "y" })).toMatchObject([{ trigger: 1 }]);
    expect(await fired(both, "task", { c: "eval(" })).toMatchObject([{ trigger: 0 }]);
  });

  it("globs are about the file that the call names, scopes about its tool; read-only tools only by name", async () => {
    const big = { required: ["content"], properties: { content: { minLength: 5 } } };
    const inSrc = callRule([big], { globs: ["src/**"] });
    expect(await fired(inSrc, "write", { path: "src/a.ts", content: "12345" })).toMatchObject([
      { lane: { filePath: "src/a.ts", argument: "content" } },
    ]);
    expect(await fired(inSrc, "write", { path: "/project/src/a.ts", content: "12345" })).toHaveLength(1);
    expect(await fired(inSrc, "write", { path: "lib/a.ts", content: "12345" })).toEqual([]);
    expect(await fired(inSrc, "task", { content: "12345" })).toEqual([]);
    expect(await fired(inSrc, "task", { file_path: "src/b", content: "12345" })).toHaveLength(1);
    const limit = callRule([{ required: ["limit"] }]);
    expect(await fired(limit, "read", { path: "a", limit: 1 })).toEqual([]);
    expect(await fired({ ...limit, scope: ["tool:read"] }, "read", { path: "a", limit: 1 })).toHaveLength(1);
    expect(await fired(callRule([big]), "write", { path: ".rules/a.md", content: "12345" })).toEqual([]);
    expect(await fired({ ...limit, scope: ["tool:ta*"] }, "task", { limit: 1 })).toHaveLength(1);
  });

  it("a tool that nobody knows is watched too", async () => {
    expect((await steps([agent], [{ name: "task", args: { tasks: [{}] } }], false)).flat()).toHaveLength(1);
  });

  it("C65: two calls of one answer are one step", async () => {
    const bad = { name: "task", args: { tasks: [{}] } };
    const all = await steps([agent], [bad, { name: "task", args: {} }, bad]);
    expect(all.map((batch) => batch.map(({ lane }) => lane.toolCallId))).toEqual([["c0", "c2"]]);
  });

  it("what `Object.prototype` has is no argument", async () => {
    for (const name of ["toString", "constructor", "hasOwnProperty"]) {
      expect(await fired(callRule([{ required: [name] }]), "task", {})).toEqual([]);
      expect(await fired(callRule([{ required: [name] }]), "task", { [name]: 1 })).toHaveLength(1);
    }
  });
});

describe("C29 in the rule's file", () => {
  const read = (keys: string) =>
    readRuleFile({ name: "r", provider: "project", path: "/r.md", bytes: Buffer.from(`---\n${keys}\n---\nNo.\n`) });

  it("C48: nested keys are taken as they are; one schema or a list of them", async () => {
    const keys =
      "callCondition:\n  required: [is-safe, dry_run]\n  properties: { is-safe: { const: no } }\nscope: tool:task";
    const { rule: one, diagnostics } = read(keys);
    expect(diagnostics).toEqual([]);
    expect(one.callCondition).toEqual([
      { required: ["is-safe", "dry_run"], properties: { "is-safe": { const: "no" } } },
    ]);
    expect(await fired(one, "task", { "is-safe": "no", dry_run: true })).toHaveLength(1);
    expect(await fired(one, "task", { isSafe: "no", dryRun: true })).toEqual([]);
    expect(read("callCondition: [{ required: [a] }, { required: [b] }]").rule.callCondition).toHaveLength(2);
  });

  it("what is no mapping is told; the key by a near name too", () => {
    expect(read("callCondition: tasks").diagnostics.map(({ message }) => message)).toEqual([
      '"callCondition" must be a JSON Schema as a mapping, or a list of these; "tasks" was left out.',
      'The rule has "callCondition" but no trigger that could be read, so it never fires.',
    ]);
    expect(read("ttsr_trigger: x\ncall_condition: { required: [a] }").diagnostics).toMatchObject([
      { message: 'Unknown key "call_condition"; it was left out.', suggestion: 'Did you mean "callCondition"?' },
    ]);
  });

  it("is proved by examples that are calls, cut at every position too", async () => {
    const { rule: each, diagnostics } = read(
      `callCondition: ${JSON.stringify(NO_AGENT)}
scope: tool:task
examples:
  fire:
    - { call: { tasks: [{ task: "{}" }] } }
    - { tool: task, text: '{"tasks":[{}]}' }
  silent:
    - { tool: task, call: { tasks: [{ agent: x }] } }
    - { tool: bash, call: { tasks: [{}] } }`,
    );
    expect(diagnostics).toEqual([]);
    expect((await proveRule(each, lab, true)).map(({ reason, ok }) => reason ?? ok)).toEqual([true, true, true, true]);
  });

  it("an example that is none, or does not do what it says, is a fault in one sentence", async () => {
    const examples = {
      fire: [{ text: "tasks" }, { text: '{"tasks":[]}' }, { text: '{"tasks":[{}]}', tool: "bash" }],
      silent: [],
    };
    const verdicts = await proveRule({ ...agent, examples }, lab, false);
    expect(faultsOfExamples(agent, verdicts).map(({ message }) => message)).toEqual([
      'The rule looks at calls, and its example "tasks" is none; write { call: { … }, tool: … } with the arguments of one.',
      'It should fire on "{\\"tasks\\":[]}", and its `callCondition` does not hold: tasks is [], which does not fit `contains: {"not":{"required":["agent"]}}`.',
      'It should fire on "{\\"tasks\\":[{}]}", and does not: its scope (tool:task) does not take in a call of bash.',
    ]);
  });

  it("says why it is silent", async () => {
    const inSrc = { ...agent, scope: ["tool:task"], globs: ["src/**"] };
    const [sample] = samplesOf(inSrc, { text: '{"tasks":[{}],"file":"lib/a"}' });
    expect((await whySilent(inSrc, sample!, lab))?.reasons).toEqual(["it has `globs` (src/**), and there is no file"]);
  });

  it("backtests see it in the transcripts of others", async () => {
    const test = new Backtest([agent], lab);
    const content = [{ type: "tool_use", name: "task", input: { tasks: [{ task: "x" }] } }];
    await test.add("t", readTranscript(JSON.stringify([{ role: "assistant", content }])));
    expect(test.results()).toMatchObject([{ rule: "on-calls", hits: [{ toolName: "task", excerpt: '{"task":"x"}' }] }]);
  });
});

describe("C29 what is odd about a condition is said", () => {
  const told = (more: Partial<Rule>): string[] => {
    const manager = new TtsrManager(DEFAULT_TTSR);
    expect(manager.addRule({ ...agent, ...more })).toBe(true);
    return manager.diagnostics().map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
  };
  it.each<[string, Partial<Rule>, RegExp[]]>([
    ["nothing", {}, []],
    ["no tool in the scope", { scope: ["text"] }, [/^warning unreachable: .*the scope names no tool\.$/]],
    ["only an argument of a tool", { scope: ["tool:bash.command"] }, [/^warning unreachable: .*names arguments\.$/]],
    ["a tool and an argument", { scope: ["tool:bash.command", "tool:task"] }, []],
    ["globs, and no tool with a file", { scope: ["tool:bash"], globs: ["*.ts"] }, [/^warning unreachable: .*`globs`/]],
    ["unless", { unless: ["x"], in: ["code"] }, [/^warning no-text: `in` and `unless` means nothing/]],
    ["unless, for a trigger beside it", { unless: ["x"], ttsrTrigger: ["y"] }, []],
    [
      "a name that need not be there",
      { callCondition: [{ properties: { path: { pattern: "^etc/" } } }] },
      [/^warning not-required: .* without "path" too/],
    ],
    ["that something is missing", { callCondition: [{ not: { required: ["agent"] } }] }, []],
  ])("%s", (_, more, wanted) => {
    const said = told(more);
    expect(said).toHaveLength(wanted.length);
    for (const [index, each] of wanted.entries()) expect(said[index]).toMatch(each);
  });
});
