import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "../../src/agent/messages.js";
import { userText } from "../../src/agent/messages.js";
import type { Clock, StreamPart } from "../../src/agent/ports.js";
import { createShowcase, DEMO_PROMPT, writeDemoWorkspace } from "../../src/models/demo/index.js";
import { EVAL_BODY, OLD_BODY, PARSER_BODY } from "../../src/models/demo/steps.js";
import { WORKSPACE } from "../../src/models/demo/workspace.js";
import { FakeClock, settle } from "../support/fake-clock.js";
import { play, requestOf } from "./demo-stage.js";

const NO_EVAL = /\beval\s*\(/;

/** Every wait is over at once, and counted. */
class HastyClock implements Clock {
  elapsed = 0;
  now(): number {
    return this.elapsed;
  }
  date(): Date {
    return new Date(0);
  }
  after(ms: number, run: () => void): () => void {
    this.elapsed += ms;
    let cancelled = false;
    queueMicrotask(() => {
      if (!cancelled) run();
    });
    return () => {
      cancelled = true;
    };
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ttsr-demo-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const source = (): string => readFileSync(join(folder, "src/calc.js"), "utf8");
const fast = () => createShowcase({ clock: new FakeClock(), pace: 0 });

describe("the demo's workspace", () => {
  it("is three files and a rule, written for real", async () => {
    expect(await writeDemoWorkspace(folder)).toEqual({ prompt: DEMO_PROMPT });
    for (const [name, content] of Object.entries(WORKSPACE))
      expect(readFileSync(join(folder, name), "utf8")).toBe(content);
    expect(Object.keys(WORKSPACE).sort()).toEqual([
      ".rules/no-eval.md",
      "package.json",
      "src/calc.js",
      "test/calc.test.js",
    ]);
  });

  it("is never written over files that are there", async () => {
    await writeDemoWorkspace(folder);
    await expect(writeDemoWorkspace(folder)).rejects.toMatchObject({ code: "demo-workspace", exitCode: 1 });
  });

  it("has a rule that its own examples and both edits prove", () => {
    const rule = WORKSPACE[".rules/no-eval.md"]!;
    const trigger = /^ttsr_trigger: '(.*)'$/m.exec(rule)?.[1];
    expect(trigger).toBe(NO_EVAL.source);
    const listed = (key: string): string[] =>
      JSON.parse(new RegExp(`^  ${key}: (.*)$`, "m").exec(rule)![1]!) as string[];
    for (const text of [...listed("fire"), EVAL_BODY]) expect(text).toMatch(NO_EVAL);
    for (const text of [...listed("silent"), PARSER_BODY, OLD_BODY]) expect(text).not.toMatch(NO_EVAL);
    expect(WORKSPACE["src/calc.js"]!.split(OLD_BODY)).toHaveLength(2);
  });
});

describe("the demo's model", () => {
  it("is cut off with eval, does it right the second time, and the tests pass", async () => {
    await writeDemoWorkspace(folder);
    const played = await play(fast(), folder, DEMO_PROMPT, { rule: NO_EVAL });
    expect(played.calls).toEqual(["read", "edit", "bash"]);
    expect(played.cut).toHaveLength(1);
    expect(played.cut[0]).toContain('"path":"src/calc.js"');
    expect(source()).not.toMatch(NO_EVAL);
    expect(played.lastText).toMatch(/All tests pass/);
    expect(played.lastText).toMatch(/cut off/);
    expect(played.lastText).toMatch(/ANTHROPIC_API_KEY/);
    expect(played.lastText).toMatch(/Your first rule/);
  });

  it("says in its first words that it is scripted", async () => {
    await writeDemoWorkspace(folder);
    const { messages } = await play(fast(), folder, DEMO_PROMPT, { rule: NO_EVAL });
    expect(JSON.stringify(messages[1])).toContain("I am a scripted model");
  });

  it("says so when no rule cuts it, and mends its edit", async () => {
    await writeDemoWorkspace(folder);
    const played = await play(fast(), folder, DEMO_PROMPT);
    expect(played.calls).toEqual(["read", "edit", "edit", "bash"]);
    expect(JSON.stringify(played.messages)).toContain("Nothing stopped me");
    expect(played.lastText).toMatch(/no rule cut anything off/);
    expect(source()).not.toMatch(NO_EVAL);
  });

  it("goes on rightly when its edit is blocked instead of cut", async () => {
    await writeDemoWorkspace(folder);
    const played = await play(fast(), folder, DEMO_PROMPT, {
      intercept: (call) =>
        NO_EVAL.test(JSON.stringify(call.arguments)) ? "Not run: the rule no-eval forbids eval." : undefined,
    });
    expect(played.calls).toEqual(["read", "edit!", "edit", "bash"]);
    expect(source()).not.toMatch(NO_EVAL);
  });

  it.each([
    ["read", /could not read/],
    ["edit", /edit was not made/],
    ["bash", /did not run/],
  ])("stops in plain words when %s is denied", async (name, words) => {
    await writeDemoWorkspace(folder);
    const played = await play(fast(), folder, DEMO_PROMPT, {
      rule: NO_EVAL,
      intercept: (call) => (call.name === name ? "Denied by the user." : undefined),
    });
    expect(played.calls.at(-1)).toBe(`${name}!`);
    expect(played.lastText).toMatch(words);
  });

  it("does not claim that failing tests pass", async () => {
    await writeDemoWorkspace(folder);
    const played = await play(fast(), folder, DEMO_PROMPT, {
      rule: NO_EVAL,
      intercept: (call) => (call.name === "bash" ? "# tests 5\n# pass 4\n# fail 1" : undefined),
    });
    expect(played.lastText).toMatch(/did not pass/);
  });

  it("explains itself to any other prompt", async () => {
    const played = await play(fast(), folder, "Write me a poem.");
    expect(played.calls).toEqual([]);
    expect(played.lastText).toMatch(/I am a scripted model/);
    expect(played.lastText).toContain(DEMO_PROMPT);
    expect(played.lastText).toMatch(/ANTHROPIC_API_KEY/);
  });

  it("gives every call of a conversation an id of its own", async () => {
    await writeDemoWorkspace(folder);
    const { messages } = await play(fast(), folder, DEMO_PROMPT);
    const ids = messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("streams in small deltas and ends with one finish", async () => {
    const parts: StreamPart[] = [];
    for await (const group of fast().stream(requestOf([userText(DEMO_PROMPT)]), new AbortController().signal))
      parts.push(...group);
    const deltas = parts.flatMap((part) => (part.type.endsWith("_delta") && "text" in part ? [part.text] : []));
    expect(deltas.length).toBeGreaterThan(20);
    expect(Math.max(...deltas.map((text) => text.length))).toBeLessThan(8);
    expect(parts.filter(({ type }) => type === "finish" || type === "error")).toHaveLength(1);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "toolUse", usage: { estimated: true } });
  });
});

describe("the demo's pace", () => {
  it("takes about 20 seconds in all", async () => {
    await writeDemoWorkspace(folder);
    const clock = new HastyClock();
    await play(createShowcase({ clock, pace: 1 }), folder, DEMO_PROMPT, { rule: NO_EVAL });
    expect(clock.elapsed).toBeGreaterThan(15_000);
    expect(clock.elapsed).toBeLessThan(25_000);
  });

  it("sets no timer with pace 0", async () => {
    const clock = new HastyClock();
    await play(createShowcase({ clock, pace: 0 }), folder, "Hello");
    expect(clock.elapsed).toBe(0);
  });

  /** Reads a stream in the background. */
  function follow(clock: FakeClock, messages: readonly Message[], abort: AbortController) {
    const model = createShowcase({ clock, pace: 1 });
    const parts: StreamPart[] = [];
    const ended = (async () => {
      for await (const group of model.stream(requestOf(messages), abort.signal)) parts.push(...group);
    })();
    return { model, parts, ended };
  }

  it("stops at once on abort, in the middle of a wait, with no timer left", async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const { parts, ended } = follow(clock, [userText(DEMO_PROMPT)], abort);
    await clock.advance(1000);
    const count = parts.length;
    expect(count).toBeGreaterThan(3);
    expect(clock.waiting).toBe(1);
    abort.abort();
    await ended;
    expect(parts).toHaveLength(count);
    expect(clock.waiting).toBe(0);
  });

  it("skips the waits of the present answer when told to", async () => {
    const clock = new FakeClock();
    const { model, parts, ended } = follow(clock, [userText(DEMO_PROMPT)], new AbortController());
    await settle();
    expect(parts).toHaveLength(0);
    model.skip();
    await ended;
    expect(parts.at(-1)?.type).toBe("finish");
    expect(clock.now()).toBe(0);
    expect(existsSync(join(folder, "src"))).toBe(false);
  });
});
