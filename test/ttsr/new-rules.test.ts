/** Rules that come while an answer is written: nothing of it runs past them. */
import { describe, expect, it } from "vitest";
import type { AssistantBlock } from "../../src/agent/messages.js";
import type { GuardVerdict, StreamPart } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { createMonitor } from "../../src/ttsr/monitor.js";
import type { TtsrSettings } from "../../src/ttsr/types.js";
import { createSession, GOOD_TEXT, watchedTools } from "../support/session.js";
import { rule, SETTINGS, TOOLS } from "./helpers.js";

const OTHER = rule("nothing like it", { name: "other", hash: "h0" });
const NO_EVAL = rule("\\beval\\(", { name: "no-eval", hash: "h1" });
const CALL: AssistantBlock = {
  type: "toolCall",
  id: "c0",
  name: "write",
  arguments: { path: "src/a.ts", content: "const a = eval(x)\n" },
};
const TEXT: AssistantBlock = { type: "text", text: "I use eval( here" };
const THINKING: AssistantBlock = { type: "thinking", thinking: "I use eval( here" };

function partsOf(block: AssistantBlock, index = 0): StreamPart[] {
  if (block.type === "toolCall") {
    const deltas = JSON.stringify(block.arguments).match(/[\s\S]{1,5}/g) ?? [];
    return [
      { type: "call_start", index, id: block.id, name: block.name },
      ...deltas.map((text): StreamPart => ({ type: "args_delta", index, text })),
      { type: "block_end", index },
    ];
  }
  if (block.type === "thinking") {
    const redacted = block.redacted ? { redacted: true } : {};
    return [
      { type: "thinking_start", index, ...redacted },
      { type: "thinking_delta", index, text: block.thinking },
      { type: "block_end", index },
    ];
  }
  return [
    { type: "text_start", index },
    { type: "text_delta", index, text: block.type === "text" ? block.text : "" },
    { type: "block_end", index },
  ];
}

/** @param after how many parts `change` happens; negative: counted from the end */
async function answered(
  content: AssistantBlock[],
  change: (manager: TtsrManager, settings: TtsrSettings) => void,
  {
    first = [OTHER],
    after = 2,
    verdict = "pass",
    enabled = true,
  }: {
    first?: Rule[];
    after?: number;
    verdict?: GuardVerdict;
    enabled?: boolean;
  } = {},
) {
  const settings = { ...SETTINGS, enabled };
  const manager = new TtsrManager(() => settings);
  manager.setRules(first);
  const told: string[] = [];
  const monitor = createMonitor({
    manager,
    tools: (name) => TOOLS[name],
    cwd: "/p",
    onBatch: (matches) => {
      told.push(...matches.map((match) => `${match.rule.name} ${match.lane.argument ?? match.lane.source}`));
      return verdict;
    },
  });
  monitor.open();
  const parts = content.flatMap((block, index) => partsOf(block, index));
  for (const [index, part] of parts.entries()) {
    if (index === (after < 0 ? parts.length + after : after)) change(manager, settings);
    if (monitor.inspect(part) === "cut") return { told, ended: "cut" };
  }
  if (after === parts.length) change(manager, settings);
  const ended = await monitor.close({
    role: "assistant",
    provider: "p",
    model: "m",
    wire: "scripted",
    content,
    stopReason: "toolUse",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  });
  return { told, ended };
}

const add =
  (...rules: Rule[]) =>
  (manager: TtsrManager): void =>
    void manager.setRules([OTHER, ...rules]);
const COUNT = partsOf(CALL).length;

describe("TTSR-1.6, 2.6 a rule that comes while a block is written sees it before anything of it runs", () => {
  it.each([1, 2, 5, COUNT - 1, COUNT])("a call, after %i parts of it", async (after) => {
    for (const verdict of ["pass", "cut"] as const) {
      expect(await answered([CALL], add(NO_EVAL), { after, verdict })).toEqual({
        told: ["no-eval content"],
        ended: verdict,
      });
    }
  });

  it("whether or not any rule watched it before", async () => {
    for (const first of [[], [rule("x", { name: "prose", scope: ["text"] })]]) {
      expect((await answered([CALL], (manager) => void manager.addRule(NO_EVAL), { first })).told).toEqual([
        "no-eval content",
      ]);
    }
  });

  it("what it says and thinks", async () => {
    const everywhere = { ...NO_EVAL, scope: ["text", "thinking"] };
    const { told } = await answered([TEXT, THINKING, CALL], add(everywhere), { after: -1 });
    expect(told).toEqual(["no-eval text", "no-eval thinking"]);
    const hidden = { ...THINKING, redacted: true };
    expect((await answered([hidden], add(everywhere), { after: 3 })).told).toEqual([]);
  });

  it.each<[string, Partial<Rule>, string[]]>([
    ["a file of its globs", { globs: ["*.ts"] }, ["no-eval content"]],
    ["another file", { globs: ["*.py"] }, []],
    ["another tool", { scope: ["tool:bash"] }, []],
    ["code alone", { in: ["code"] }, ["no-eval content"]],
    ["comments alone", { in: ["comment"] }, []],
    ["an exception", { unless: ["const a"] }, []],
    ["a trigger of the second tier", { ttsrTrigger: ["(e)val\\(|(x)\\2"] }, ["no-eval content"]],
    ["a rule that is off", { enabled: false }, []],
  ])("as any rule would: %s", async (_, more, wanted) => {
    expect((await answered([CALL], add({ ...NO_EVAL, ...more }), { after: COUNT })).told).toEqual(wanted);
  });

  it("a rule that changed is asked as it is now; one that stayed is not asked twice", async () => {
    const changed = (manager: TtsrManager): void => {
      manager.setRules([{ ...NO_EVAL, hash: "h2" }, OTHER]);
    };
    const before = { ...NO_EVAL, ttsrTrigger: ["never there"] };
    expect((await answered([CALL], changed, { first: [before], after: COUNT })).told).toEqual(["no-eval content"]);
    const same = (manager: TtsrManager): void => void manager.setRules([OTHER, NO_EVAL]);
    expect((await answered([CALL], same, { first: [NO_EVAL], after: COUNT })).told).toEqual(["no-eval content"]);
    expect((await answered([CALL], same, { first: [NO_EVAL], after: 3 })).told).toEqual(["no-eval content"]);
  });

  it("a rule that was taken away and comes back is new", async () => {
    const away = (manager: TtsrManager): void => {
      manager.setRules([OTHER]);
      manager.setRules([OTHER, NO_EVAL]);
    };
    expect((await answered([CALL], away, { first: [NO_EVAL], after: 1 })).told).toEqual(["no-eval content"]);
  });

  it("a block that is begun after it came sees it once", async () => {
    const second: AssistantBlock = { ...CALL, id: "c1" };
    const { told } = await answered([{ ...CALL, arguments: { path: "a.md", content: "" } }, second], add(NO_EVAL), {
      after: 1,
    });
    expect(told).toEqual(["no-eval content"]);
  });

  it("TTSR-1.4: so does what was begun while the feature was off", async () => {
    const on = (_: TtsrManager, settings: TtsrSettings): void => {
      settings.enabled = true;
    };
    expect((await answered([CALL], on, { first: [NO_EVAL], enabled: false })).told).toEqual(["no-eval content"]);
    expect((await answered([CALL], () => undefined, { first: [NO_EVAL], enabled: false })).told).toEqual([]);
  });

  it("in a session the tool does not run, and the retry does it right", async () => {
    const runs: Record<string, unknown>[] = [];
    const good = { path: "src/a.ts", content: "const a = parse(x)\n" };
    const { session, clock, ttsr } = createSession({
      answers: [
        { blocks: [{ call: "write", args: { path: "src/a.ts", content: "const a = eval(x)\n" } }] },
        { blocks: [{ call: "write", args: good }] },
        GOOD_TEXT,
      ],
      rules: [],
      tools: watchedTools(runs),
    });
    session.subscribe((event) => {
      if (event.type === "message_update" && ttsr.rules().length === 0) ttsr.addRule({ ...NO_EVAL, scope: ["tool"] });
    });
    const run = session.prompt("go");
    await clock.advance(50);
    expect((await run).ttsr).toMatchObject({ interrupts: 1, rules: { "no-eval": 1 } });
    expect(runs).toEqual([good]);
  });
});

describe("TTSR-2.6 arguments that came without a start", () => {
  it("are seen as they stand in the message", async () => {
    const manager = new TtsrManager(SETTINGS);
    manager.addRule(NO_EVAL);
    const told: string[] = [];
    const monitor = createMonitor({
      manager,
      tools: (name) => TOOLS[name],
      cwd: "/p",
      onBatch: (matches) => {
        told.push(...matches.map((match) => match.rule.name));
        return "cut";
      },
    });
    monitor.open();
    monitor.inspect({ type: "args_delta", index: 0, text: JSON.stringify(CALL.type === "toolCall" && CALL.arguments) });
    const message = { role: "assistant", provider: "p", model: "m", wire: "scripted", stopReason: "toolUse" } as const;
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(await monitor.close({ ...message, content: [CALL], usage })).toBe("cut");
    expect(told).toEqual(["no-eval"]);
  });
});
