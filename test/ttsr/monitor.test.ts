import { describe, expect, it } from "vitest";
import type { AssistantBlock, AssistantMessage } from "../../src/agent/messages.js";
import { NO_USAGE } from "../../src/agent/messages.js";
import type { GuardVerdict, StreamPart, Tool } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { createMonitor, type TtsrMonitor } from "../../src/ttsr/monitor.js";
import type { TtsrMatch } from "../../src/ttsr/types.js";
import { cuts, rule, SETTINGS, TOOLS } from "./helpers.js";

interface Watched {
  monitor: TtsrMonitor;
  manager: TtsrManager;
  batches: TtsrMatch[][];
}

interface Setting {
  rules: Rule[];
  verdict?: GuardVerdict;
  files?: Record<string, string>;
  tools?: Record<string, Tool>;
}

function watch({ rules, verdict = "pass", files = {}, tools = TOOLS }: Setting): Watched {
  const manager = new TtsrManager(SETTINGS, { baseline: (path) => files[path] });
  for (const each of rules) manager.addRule(each);
  const batches: TtsrMatch[][] = [];
  const monitor = createMonitor({
    manager,
    tools: (name) => tools[name],
    cwd: "/p",
    onBatch: (matches) => {
      batches.push(matches);
      return verdict;
    },
  });
  monitor.open();
  return { monitor, manager, batches };
}

function message(content: AssistantBlock[] = []): AssistantMessage {
  return {
    role: "assistant",
    provider: "p",
    model: "m",
    wire: "scripted",
    content,
    stopReason: "stop",
    usage: { ...NO_USAGE },
  };
}

const call = (name: string, pieces: readonly string[], index = 0): StreamPart[] => [
  { type: "call_start", index, id: `c${index}`, name },
  ...pieces.map((text): StreamPart => ({ type: "args_delta", index, text })),
  { type: "block_end", index },
];
const text = (pieces: readonly string[], index = 0, kind: "text" | "thinking" = "text"): StreamPart[] => [
  { type: `${kind}_start`, index },
  ...pieces.map((each): StreamPart => ({ type: `${kind}_delta`, index, text: each })),
  { type: "block_end", index },
];

/** What was reported of a whole message: rule, argument, part, file, offsets. */
async function report(
  setting: Setting,
  parts: readonly StreamPart[],
  content: AssistantBlock[] = [],
): Promise<string[]> {
  const { monitor, batches } = watch(setting);
  for (const part of parts) monitor.inspect(part);
  await monitor.close(message(content));
  return batches.flat().map(({ rule: { name }, lane, start, end }) => {
    const { argument = "", part = "", filePath = "" } = lane;
    return `${name} ${lane.source}${argument && `.${argument}`}${part === "" ? "" : `#${part}`} ${filePath} ${start}-${end}`;
  });
}

/** The same for every way of cutting the arguments; in the order of rules. */
async function reportCalls(setting: Setting, name: string, args: unknown): Promise<string[]> {
  const json = typeof args === "string" ? args : JSON.stringify(args);
  const whole = (await report(setting, call(name, [json]))).sort();
  for (const pieces of cuts(json)) {
    expect((await report(setting, call(name, pieces))).sort(), JSON.stringify(pieces)).toEqual(whole);
  }
  return whole;
}

describe("TTSR-2.1 nothing joins", () => {
  const rules = [rule("preexisting")];
  it("C09 across blocks and attempts", async () => {
    const { monitor, batches } = watch({ rules });
    for (const part of [...text(["pre"]), ...text(["existing"], 1)]) monitor.inspect(part);
    monitor.inspect({ type: "text_delta", index: 2, text: "pre" });
    monitor.open();
    monitor.inspect({ type: "text_delta", index: 2, text: "existing" });
    await monitor.close(message());
    expect(batches).toEqual([]);
  });

  it("C11 across a restart of the answer inside one attempt", async () => {
    const start: StreamPart = { type: "start" };
    const forb: StreamPart = { type: "text_delta", index: 0, text: "preexi" };
    expect(await report({ rules }, [start, forb, start, { type: "text_delta", index: 0, text: "sting" }])).toEqual([]);
    expect(await report({ rules }, [start, forb, { type: "text_delta", index: 0, text: "sting" }])).toHaveLength(1);
  });
});

describe("TTSR-2.2 what is watched by default", () => {
  it("text and tool calls; thinking by rules whose scope says so; blocks side by side", async () => {
    const rules = [rule("foo"), rule("fo+", { name: "t", scope: ["thinking"] })];
    expect(await report({ rules }, text(["foo"]))).toEqual(["foo text  0-3"]);
    expect(await report({ rules }, text(["foo"], 0, "thinking"))).toEqual(["t thinking  0-2"]);
    const mixed: StreamPart[] = [
      { type: "call_start", index: 0, id: "a", name: "bash" },
      { type: "call_start", index: 1, id: "b", name: "bash" },
      { type: "args_delta", index: 0, text: '{"command":"fo' },
      { type: "args_delta", index: 1, text: '{"command":"oo' },
      { type: "args_delta", index: 0, text: 'o"}' },
      { type: "args_delta", index: 1, text: 'f"}' },
    ];
    expect(await report({ rules }, mixed)).toEqual(["foo tool.command  0-3"]);
  });

  it("reads nothing of a source that no rule watches", () => {
    const { monitor, manager } = watch({ rules: [rule("x", { scope: ["tool:bash"] })] });
    let opened = 0;
    const { openLane } = manager;
    manager.openLane = (...args) => {
      opened++;
      return openLane.apply(manager, args);
    };
    const parts = [...text(["x"]), ...text(["x"], 1, "thinking"), ...call("write", ['{"path":"a","content":"x"}'], 2)];
    for (const part of parts) monitor.inspect(part);
    expect(opened).toBe(0);
    for (const part of call("bash", ['{"command":"y"}'], 3)) monitor.inspect(part);
    expect(opened).toBe(1);
  });
});

describe("TTSR-2.3 lanes hold decoded values", () => {
  it.each([
    ["C22", "(^|[;& ])cat \\.env", { command: "cat .env" }, 1],
    ["C23", "psql [^\\n]*DROP", { command: 'psql db\n-c "DROP TABLE a"' }, 0],
    ["C24", "(curl|wget)\\s[^\\n]*\\|\\s*sh\\b", { command: 'curl "x" | sh' }, 1],
  ])("%s", async (_id, pattern, args, count) => {
    expect(await reportCalls({ rules: [rule(pattern, { scope: ["tool:bash"] })] }, "bash", args)).toHaveLength(count);
  });

  it("C25 escaped ampersands", async () => {
    const rules = [rule("&& rm -rf")];
    expect(await reportCalls({ rules }, "bash", '{"command":"a \\u0026\\u0026 rm -rf b"}')).toEqual([
      "&& rm -rf tool.command  2-11",
    ]);
  });

  it("C04 the end of what has arrived is not the end of the value", async () => {
    const rules = [rule("find /(\\s|$)")];
    expect(await reportCalls({ rules }, "bash", { command: "find /home/me" })).toEqual([]);
    expect(await reportCalls({ rules }, "bash", { command: "find /" })).toHaveLength(1);
  });

  it("C07 a value is decided when it ends, before the call does", () => {
    const { monitor, batches } = watch({ rules: [rule("done$")] });
    monitor.inspect({ type: "call_start", index: 0, id: "c", name: "bash" });
    monitor.inspect({ type: "args_delta", index: 0, text: '{"command":"done' });
    expect(batches).toHaveLength(0);
    monitor.inspect({ type: "args_delta", index: 0, text: '"' });
    expect(batches).toHaveLength(1);
  });

  it("a tool that says nothing: every string argument, by its dotted path", async () => {
    const rules = [rule("bad"), rule("b.d", { name: "narrow", scope: ["tool:mcp__x.items"] })];
    expect(await reportCalls({ rules }, "mcp__x", { a: "bad", items: [{ t: "ok" }, { t: "a bad" }], n: 1 })).toEqual([
      "bad tool.a  0-3",
      "bad tool.items.1.t  2-5",
      "narrow tool.items.1.t  2-5",
    ]);
  });

  it("an argument that is not authored is not watched", async () => {
    expect(await reportCalls({ rules: [rule("bad")] }, "bash", { command: "ok", description: "bad" })).toEqual([]);
  });
});

describe("TTSR-2.4 authored text", () => {
  const rules = [rule("any")];
  const edit = (...edits: { old?: string; new?: string }[]): unknown => ({ path: "src/a.ts", edits });

  it("C41 an edit: added lines only, each unbroken run is a lane", async () => {
    const args = edit({ old: "x: any\nb\n", new: "x: any\nb2\n" }, { old: "c\n", new: "y: any\nc\nz: any\n" });
    expect(await reportCalls({ rules }, "edit", args)).toEqual([
      "any tool.added#1 src/a.ts 3-6",
      "any tool.added#2 src/a.ts 3-6",
    ]);
  });

  it("hunks do not join", async () => {
    const joined = [rule("one\\s*two")];
    expect(
      await reportCalls({ rules: joined }, "edit", edit({ old: "a", new: "one\n" }, { old: "b", new: "two" })),
    ).toEqual([]);
    expect(await reportCalls({ rules: joined }, "edit", edit({ old: "k", new: "one\nk\ntwo" }))).toEqual([]);
    expect(await reportCalls({ rules: joined }, "edit", edit({ old: "k", new: "one\ntwo" }))).toHaveLength(1);
  });

  it("the old text may come behind the new one", async () => {
    expect(await reportCalls({ rules }, "edit", edit({ new: "carried: any\ny: any", old: "carried: any" }))).toEqual([
      "any tool.added#0 src/a.ts 3-6",
    ]);
    expect(await reportCalls({ rules }, "edit", edit({ new: "x: any" }))).toHaveLength(1);
  });

  it("removed lines are watched by rules that name them", async () => {
    const removal = [rule("test\\(", { scope: ["tool:edit.removed"] }), rule("test", { scope: ["tool:edit"] })];
    const args = edit({ old: "test('a')\nkeep\ntest('b')\n", new: "keep\ntest('b')\n" });
    expect(await reportCalls({ rules: removal }, "edit", args)).toEqual(["test\\( tool.removed#0 src/a.ts 0-5"]);
  });

  it("a write: lines that stand in the file on disk are carried over", async () => {
    const files = { "src/a.ts": "x: any\nkeep\n" };
    const write = (content: string): unknown => ({ path: "src/a.ts", content });
    expect(await reportCalls({ rules, files }, "write", write("x: any\nkeep\nmore\n"))).toEqual([]);
    expect(await reportCalls({ rules, files }, "write", write("x: any\ny: any\n"))).toEqual([
      "any tool.content#0 src/a.ts 3-6",
    ]);
    expect(await reportCalls({ rules }, "write", write("x: any\n"))).toEqual(["any tool.content src/a.ts 3-6"]);
  });

  it("above 2 MB on disk all counts as authored", async () => {
    const files = { "src/a.ts": `x: any\n${"y".repeat(2 * 1024 * 1024)}` };
    const args = call("write", ['{"path":"src/a.ts","content":"x: any"}']);
    expect(await report({ rules, files }, args)).toHaveLength(1);
  });

  it("a line fires as soon as it can no longer become an old one", () => {
    const { monitor, batches } = watch({ rules, files: { "a.ts": "let x: any = 1\n" } });
    monitor.inspect({ type: "call_start", index: 0, id: "c", name: "write" });
    monitor.inspect({ type: "args_delta", index: 0, text: '{"path":"a.ts","content":"let x: any =' });
    expect(batches).toHaveLength(0);
    monitor.inspect({ type: "args_delta", index: 0, text: " 2" });
    expect(batches).toHaveLength(1);
  });
});

describe("TTSR-2.5 the path may come behind the text", () => {
  const rules = [rule("sleep", { globs: ["*.ml"] }), rule("slee", { name: "anywhere" })];

  it("C28 of a tool that names no path argument", async () => {
    const args = { new: "sleep 5", path: "/p/lib/a.ml" };
    expect(await reportCalls({ rules: [rule("sleep \\d$", { scope: ["tool:patch(*.ml)"] })] }, "patch", args)).toEqual([
      "sleep \\d$ tool.new lib/a.ml 0-7",
    ]);
    expect(await reportCalls({ rules: [rule("sleep", { globs: ["*.ts"] })] }, "patch", args)).toEqual([]);
  });

  it("of our own tools", async () => {
    expect(await reportCalls({ rules }, "write", { content: "sleep", path: "a.ml" })).toEqual([
      "anywhere tool.content a.ml 0-4",
      "sleep tool.content a.ml 0-5",
    ]);
    expect(await reportCalls({ rules }, "edit", { edits: [{ old: "", new: "sleep" }], path: "a.ml" })).toEqual([
      "anywhere tool.added#0 a.ml 0-4",
      "sleep tool.added#0 a.ml 0-5",
    ]);
    expect(await reportCalls({ rules }, "edit", { edits: [{ old: "", new: "sleep" }], path: "a.ts" })).toEqual([
      "anywhere tool.added#0 a.ts 0-4",
    ]);
  });

  it("or never", async () => {
    expect(await reportCalls({ rules }, "write", { content: "sleep" })).toEqual(["anywhere tool.content  0-4"]);
    expect(await reportCalls({ rules }, "edit", '{"edits":[{"old":"","new":"sleep')).toEqual([
      "anywhere tool.added#0  0-4",
    ]);
  });
});

describe("TTSR-2.6 the finished arguments are always checked", () => {
  const rules = [rule("TTSR_PROBE")];
  const args = { path: "probe.cpp", content: "// TTSR_PROBE\n" };
  const expected = ["TTSR_PROBE tool.content probe.cpp 3-13"];

  it("C20 however few deltas there were", async () => {
    expect(await reportCalls({ rules }, "write", args)).toEqual(expected);
  });

  it("C21 where there were none at all", async () => {
    const block: AssistantBlock = { type: "toolCall", id: "c0", name: "write", arguments: args };
    expect(await report({ rules }, call("write", []), [block])).toEqual(expected);
    expect(await report({ rules }, [], [block])).toEqual(expected);
  });

  it("and not twice", async () => {
    const block: AssistantBlock = { type: "toolCall", id: "c0", name: "write", arguments: args };
    expect(await report({ rules }, call("write", [JSON.stringify(args)]), [block])).toEqual(expected);
  });

  it("TTSR-9.4 what only the end decides is reported by close()", async () => {
    const { monitor, batches } = watch({ rules: [rule("end$")], verdict: "cut" });
    monitor.inspect({ type: "text_delta", index: 0, text: "the end" });
    expect(batches).toEqual([]);
    expect(await monitor.close(message())).toBe("cut");
    expect(batches).toHaveLength(1);
  });
});

describe("TTSR-2.7 exemptions", () => {
  it("C57 C58 rule files and read-only tools", async () => {
    const rules = [rule("as any")];
    expect(await reportCalls({ rules }, "write", { path: ".rules/no-any.md", content: "as any" })).toEqual([]);
    expect(await reportCalls({ rules }, "write", { content: "as any", path: "/p/.rules/no-any.md" })).toEqual([]);
    expect(await reportCalls({ rules }, "grep", { pattern: "as any" })).toEqual([]);
    const named = [rule("as any", { scope: ["tool:write", "grep"] })];
    expect(await reportCalls({ rules: named }, "write", { path: ".rules/no-any.md", content: "as any" })).toHaveLength(
      1,
    );
    expect(await reportCalls({ rules: named }, "grep", { pattern: "as any" })).toHaveLength(1);
  });
});

describe("TTSR-4.1 rules that hold in the same step are one batch", () => {
  it("of one lane and of several; after a cut nothing more is handled until open()", async () => {
    const { monitor, batches } = watch({ rules: [rule("aa"), rule("bb"), rule("cc")], verdict: "cut" });
    expect(monitor.inspect({ type: "text_delta", index: 0, text: "x bb aa" })).toBe("cut");
    expect(monitor.inspect({ type: "text_delta", index: 0, text: "cc" })).toBe("pass");
    for (const part of call("bash", ['{"command":"cc"}'], 1)) expect(monitor.inspect(part)).toBe("pass");
    expect(await monitor.close(message())).toBe("pass");
    expect(batches.map((batch) => batch.map((match) => match.rule.name))).toEqual([["bb", "aa"]]);
    monitor.open();
    const burst = '{"path":"a.ts","edits":[{"old":"","new":"aa"},{"old":"","new":"aa cc"}]}';
    monitor.inspect({ type: "call_start", index: 0, id: "c", name: "edit" });
    expect(monitor.inspect({ type: "args_delta", index: 0, text: burst })).toBe("cut");
    expect(batches[1]?.map((match) => match.rule.name)).toEqual(["aa", "aa", "cc"]);
  });

  it("a rule that was let pass is not reported again for the same lane", async () => {
    const rules = [rule("aa")];
    expect(await report({ rules }, text(["aa ", "aa ", "aa"]))).toHaveLength(1);
    expect(await report({ rules }, [...text(["aa"]), ...text(["aa"], 1)])).toHaveLength(2);
  });
});

describe("TTSR-4.7 only text of the current attempt", () => {
  it("nothing before open(), nothing after the end", async () => {
    const manager = new TtsrManager(SETTINGS);
    manager.addRule(rule("aa"));
    const batches: TtsrMatch[][] = [];
    const onBatch = (matches: TtsrMatch[]): GuardVerdict => {
      batches.push(matches);
      return "pass";
    };
    const monitor = createMonitor({ manager, tools: () => undefined, cwd: "/p", onBatch });
    for (const part of text(["aa"])) monitor.inspect(part);
    monitor.open();
    await monitor.close(message());
    for (const part of text(["aa"])) monitor.inspect(part);
    expect(batches).toEqual([]);
  });

  it("an answer of close() that comes after the next open() counts for nothing", async () => {
    const { monitor, batches } = watch({ rules: [rule("aa$")], verdict: "pass" });
    monitor.inspect({ type: "text_delta", index: 0, text: "x" });
    const closing = monitor.close(message());
    monitor.open();
    expect(await closing).toBe("pass");
    expect(monitor.inspect({ type: "text_delta", index: 0, text: "aa" })).toBe("pass");
    await monitor.close(message());
    expect(batches).toHaveLength(1);
  });
});
