/** `detect: repetition` as a property of a rule: on which lanes it is watched, beside what, and what is told of a match. */
import { describe, expect, it } from "vitest";
import { type AssistantBlock, type AssistantMessage, NO_USAGE } from "../../../src/agent/messages.js";
import type { StreamPart } from "../../../src/agent/ports.js";
import type { Rule } from "../../../src/capability/rule.js";
import { ruleText } from "../../../src/ttsr/interrupt-text.js";
import { TtsrManager } from "../../../src/ttsr/manager.js";
import { createMonitor } from "../../../src/ttsr/monitor.js";
import { trySample } from "../../../src/ttsr/proving/prove.js";
import { sampleFor } from "../../../src/ttsr/proving/sample.js";
import { whyNoMatch } from "../../../src/ttsr/proving/why-silent.js";
import { watchesFiles } from "../../../src/ttsr/scan/scanner.js";
import type { TtsrMatch, TtsrSettings } from "../../../src/ttsr/types.js";
import { rule, SETTINGS, TOOLS } from "../helpers.js";

const SAID = "I have everything that I need now, so I will write the file and run the tests.";
const LOOP = `${SAID}\n\n${SAID}\n\n${SAID}\n\nAnd so on, with eval(x).`;
const lab = { tools: (name: string) => TOOLS[name] };

function loops(more: Partial<Rule> = {}): Rule {
  return rule([], { name: "loops", detect: "repetition", scope: ["text", "thinking"], ...more });
}

function prose(source: "text" | "thinking", text: string): StreamPart[] {
  const deltas = text.match(/[\s\S]{1,7}/g) ?? [];
  return [
    { type: `${source}_start`, index: 0 },
    ...deltas.map((each): StreamPart => ({ type: `${source}_delta`, index: 0, text: each })),
    { type: "block_end", index: 0 },
  ];
}

function call(name: string, args: Record<string, string>): StreamPart[] {
  return [
    { type: "call_start", index: 0, id: "c0", name },
    { type: "args_delta", index: 0, text: JSON.stringify(args) },
    { type: "block_end", index: 0 },
  ];
}

/** The batches that a message makes, none of which cuts. */
async function batches(rules: Rule[], parts: StreamPart[], settings: () => TtsrSettings = () => SETTINGS) {
  const manager = new TtsrManager(settings);
  for (const each of rules) expect(manager.addRule(each), each.name).toBe(true);
  const told: TtsrMatch[][] = [];
  const monitor = createMonitor({
    manager,
    tools: (name) => TOOLS[name],
    cwd: "/p",
    onBatch: (matches) => {
      told.push(matches);
      return "pass";
    },
  });
  monitor.open();
  for (const part of parts) monitor.inspect(part);
  await monitor.close(message([]));
  return told;
}

function message(content: AssistantBlock[]): AssistantMessage {
  const { provider, model, wire, stopReason } = {
    provider: "p",
    model: "m",
    wire: "scripted",
    stopReason: "stop",
  } as const;
  return { role: "assistant", provider, model, wire, content, stopReason, usage: { ...NO_USAGE } };
}

describe("C72 detect: repetition in a rule", () => {
  it.each(["text", "thinking"] as const)(
    "fires once in %s, and says what repeats and where that begins",
    async (source) => {
      const told = await batches([loops()], prose(source, LOOP + LOOP));
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject([
        {
          rule: { name: "loops" },
          lane: { source },
          start: SAID.length + 2,
          end: 3 * (SAID.length + 2),
          excerpt: SAID,
          repeats: "the same paragraph 3 times",
        },
      ]);
    },
  );

  it("a scope that does not name thinking leaves it alone; none at all is the text", async () => {
    for (const scope of [["text"], []]) {
      expect(await batches([loops({ scope })], prose("text", LOOP))).toHaveLength(1);
      expect(await batches([loops({ scope })], prose("thinking", LOOP))).toEqual([]);
    }
  });

  it("every rule of the kind is in the batch, and a trigger of its own is as good", async () => {
    const both = loops({ name: "both", ttsrTrigger: ["\\beval\\("] });
    const told = await batches([loops(), both, rule("\\beval\\(", { name: "no-eval" })], prose("text", LOOP));
    const names = told.map((batch) => batch.map((match) => `${match.rule.name} ${match.repeats ?? match.excerpt}`));
    expect(names).toEqual([
      ["loops the same paragraph 3 times", "both the same paragraph 3 times"],
      ["both And so on, with eval(", "no-eval And so on, with eval("],
    ]);
  });

  it("is seen by check(), on what is finished alone", () => {
    const manager = new TtsrManager(SETTINGS);
    manager.addRule(loops());
    const names = (text: string, source?: "text" | "tool"): string[] => {
      return manager.check(text, source && { source, contentIndex: 0, toolName: "bash" }).map(({ name }) => name);
    };
    expect(names(LOOP)).toEqual(["loops"]);
    expect(names(LOOP, "text")).toEqual(["loops"]);
    expect(names(LOOP, "tool")).toEqual([]);
    expect(names(LOOP.slice(0, 3 * (SAID.length + 2) - 1), "text")).toEqual([]);
  });

  it("nothing is watched while the feature is off, and from the moment at which it is", async () => {
    let enabled = true;
    const settings = (): TtsrSettings => ({ ...SETTINGS, enabled });
    expect(await batches([loops()], prose("text", LOOP), settings)).toHaveLength(1);
    const manager = new TtsrManager(settings);
    manager.addRule(loops());
    const lane = manager.openLane({ source: "text", contentIndex: 0 });
    lane.push(SAID);
    enabled = false;
    expect([...lane.push(LOOP), ...lane.close().now]).toEqual([]);
    expect(manager.watches("text")).toBe(false);
  });

  it("the same verdict however it is cut, in prose alone", async () => {
    const verdict = await trySample([loops()], { text: LOOP, source: "text" }, lab);
    expect(verdict).toMatchObject({ matches: [{ excerpt: SAID }], splitInvariant: true });
  });
});

describe("C36 a call is never cut for repeating itself", () => {
  const zeros = `${Array.from({ length: 100 }, () => "0 ".repeat(100)).join("\n\n")}\n`;

  it.each([
    ["100 times 100 zeros", zeros],
    ["a loop of prose", LOOP],
  ])("%s in a write", async (_, content) => {
    for (const scope of [["text", "thinking"], [], ["text", "tool"]]) {
      expect(await batches([loops({ scope })], call("write", { path: "a.md", content }))).toEqual([]);
    }
  });

  it("no lane of a call is opened for it, no file is scanned for it", () => {
    const manager = new TtsrManager(SETTINGS);
    expect(manager.addRule(loops({ scope: ["text", "tool"] }))).toBe(true);
    expect([manager.watches("tool", "write"), manager.watches("text")]).toEqual([false, true]);
    expect(watchesFiles(loops({ scope: [] }))).toBe(false);
    expect(watchesFiles(loops({ scope: [], ttsrTrigger: ["x"] }))).toBe(true);
    expect(whyNoMatch(loops(), sampleFor(LOOP, "write", "a.md"), { tools: () => undefined })).toBe(
      "a call is never cut for repeating itself",
    );
  });

  it("a rule that names tools alone is refused, in words", () => {
    const manager = new TtsrManager(SETTINGS);
    expect(manager.addRule(loops({ scope: ["tool:write"] }))).toBe(false);
    expect(manager.diagnostics()).toMatchObject([{ severity: "error", code: "unreachable" }]);
  });
});

describe("C73 what the model is told", () => {
  const match = (more: Partial<TtsrMatch>): TtsrMatch => ({
    rule: loops({ instead: "Take the next step." }),
    trigger: 0,
    lane: { source: "text", contentIndex: 0 },
    start: 0,
    end: 10,
    excerpt: SAID,
    ...more,
  });

  const said = (kind: "interrupt" | "again" | "reminder", cut: TtsrMatch, whole: boolean): string =>
    ruleText(kind, cut.rule, [cut], whole);

  it("is which paragraph repeats, and how", () => {
    const what = "8 of the last 12 paragraphs are like earlier ones";
    expect(said("interrupt", match({ repeats: what }), true)).toContain(
      `\nCut: your answer, which repeats itself (${what}): ${SAID}\nDo this instead: Take the next step.\n`,
    );
    const thinking = match({ repeats: what, lane: { source: "thinking", contentIndex: 0 } });
    expect(said("again", thinking, false)).toContain(`\nCut: your thinking, which repeats itself (${what}): ${SAID}\n`);
    expect(said("reminder", match({}), true)).toContain(`: your answer: ${SAID}\n`);
  });
});
