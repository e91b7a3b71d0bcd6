/** Verdicts that take time, on their way through lanes and monitor. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AgentEvent } from "../../src/agent/events.js";
import type { AssistantMessage } from "../../src/agent/messages.js";
import { NO_USAGE } from "../../src/agent/messages.js";
import type { GuardVerdict, StreamPart } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { TtsrGuard } from "../../src/ttsr/guard.js";
import { Ledger } from "../../src/ttsr/ledger.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { createMonitor, type TtsrMonitor } from "../../src/ttsr/monitor.js";
import { RulePolicy } from "../../src/ttsr/policy.js";
import { pause } from "../support/wait.js";
import { rule, SETTINGS, TOOLS } from "./helpers.js";

/** The end of a stream's `late` waits for this, and what settled late is told through it. */
const slow = vi.hoisted(() => ({
  sets: [] as { diagnostics: unknown }[],
  streams: [] as { late(ruleId: string, position: number): void; end(ruleIds: string[]): void }[],
}));

/** The object with one method replaced. */
function withMethod<T extends object>(real: T, name: string, method: unknown): T {
  return new Proxy(real, {
    get(target, key) {
      if (key === name) return method;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

vi.mock("../../src/ttsr/matcher/index.js", async (original) => {
  const real = await original<typeof import("../../src/ttsr/matcher/index.js")>();
  const compileTriggers: typeof real.compileTriggers = (...given) => {
    const set = real.compileTriggers(...given);
    slow.sets.push(set);
    const open: typeof set.open = (armed, onLate) => {
      const cursor = set.open(armed);
      const settled = (ruleId: string, position: number) =>
        ({ ruleId, trigger: 0, position, settledBy: "unit", start: position - 1 }) as const;
      let resolve: (ruleIds: string[]) => void = () => undefined;
      const ended = new Promise<string[]>((done) => {
        resolve = done;
      });
      slow.streams.push({ late: (ruleId, position) => onLate?.(settled(ruleId, position)), end: resolve });
      return withMethod(cursor, "end", () => {
        const { now } = cursor.end();
        const { position } = cursor;
        return { now, late: ended.then((ids) => ids.map((ruleId) => settled(ruleId, position))) };
      });
    };
    return withMethod(set, "open", open);
  };
  return { ...real, compileTriggers };
});

afterEach(() => {
  slow.streams = [];
  slow.sets = [];
});

function watch(verdict: GuardVerdict, more: Partial<Rule> = {}): { monitor: TtsrMonitor; batches: string[][] } {
  const manager = new TtsrManager(SETTINGS);
  manager.addRule(rule("late", { ttsrTrigger: ["la\\w\\w"], name: "late", scope: ["text", "tool"], ...more }));
  const batches: string[][] = [];
  const monitor = createMonitor({
    manager,
    tools: (name) => TOOLS[name],
    cwd: "/p",
    onBatch: (matches) => {
      batches.push(matches.map(({ rule: { name }, start, end, excerpt }) => `${name} ${start}-${end} ${excerpt}`));
      return verdict;
    },
  });
  monitor.open();
  return { monitor, batches };
}

const message: AssistantMessage = {
  role: "assistant",
  provider: "p",
  model: "m",
  wire: "scripted",
  content: [],
  stopReason: "stop",
  usage: { ...NO_USAGE },
};
const delta = (text: string): StreamPart => ({ type: "text_delta", index: 0, text });

describe("TTSR-4.2 a match that is known late is a batch like any other", () => {
  it("while the stream goes on: with the excerpt of where it settled; after the cut nothing more is handled", async () => {
    const { monitor, batches } = watch("cut");
    for (const text of ["it is la", "!", "-l", "ate"]) monitor.inspect(delta(`${text} `));
    slow.streams[0]?.late("late", 4);
    expect(batches).toEqual([["late 3-4 it i"]]);
    expect(monitor.inspect(delta("later"))).toBe("pass");
    slow.streams[0]?.late("late", 6);
    expect(await monitor.close(message)).toBe("pass");
    expect(batches).toHaveLength(1);
  });

  it("TTSR-3.5 exceptions veto it, and the rule is looked for again behind its line", async () => {
    const { monitor, batches } = watch("pass", { unless: ["ok"], unlessWithin: 0 });
    for (const text of ["ok x y", " z\n", "x y z"]) monitor.inspect(delta(text));
    slow.streams[0]?.late("late", 4);
    expect(batches).toEqual([]);
    // What follows is watched by a cursor of its own, which begins behind that line.
    slow.streams.at(-1)?.late("late", 1);
    const closing = monitor.close(message);
    for (const stream of slow.streams) stream.end([]);
    await closing;
    expect(batches).toEqual([["late 9-10 x"]]);
  });

  it("of an attempt that is over it counts for nothing", async () => {
    const { monitor, batches } = watch("cut");
    monitor.inspect(delta("x"));
    monitor.open();
    slow.streams[0]?.late("late", 1);
    monitor.inspect(delta("x"));
    const closing = monitor.close(message);
    slow.streams[1]?.end([]);
    expect(await closing).toBe("pass");
    slow.streams[1]?.late("late", 1);
    expect(batches).toEqual([]);
  });

  it("TTSR-9.2 after Esc it counts for nothing, while a response is awaited to end and at its end", async () => {
    const { monitor, batches } = watch("cut");
    const run = new AbortController();
    monitor.open(() => !run.signal.aborted);
    monitor.inspect(delta("x"));
    const closing = monitor.close(message);
    run.abort();
    slow.streams[0]?.late("late", 1);
    slow.streams[0]?.end(["late"]);
    expect(await closing).toBe("pass");
    expect(batches).toEqual([]);
  });

  it("no tool starts before the last verdict: close() waits for it", async () => {
    for (const verdict of ["cut", "pass"] as const) {
      slow.streams = [];
      const { monitor, batches } = watch(verdict);
      monitor.inspect({ type: "call_start", index: 0, id: "c", name: "bash" });
      monitor.inspect({ type: "args_delta", index: 0, text: '{"command":"rm x"}' });
      monitor.inspect({ type: "block_end", index: 0 });
      let closed: GuardVerdict | undefined;
      const closing = monitor.close(message).then((result) => {
        closed = result;
      });
      await pause(5);
      expect(closed).toBeUndefined();
      slow.streams[0]?.end(["late"]);
      await closing;
      expect(closed).toBe(verdict);
      expect(batches).toEqual([["late 3-4 rm x"]]);
    }
  });

  it("a block that has ended is decided while the next one streams", async () => {
    const { monitor, batches } = watch("cut");
    for (const part of [delta("first"), { type: "block_end", index: 0 } as const]) monitor.inspect(part);
    monitor.inspect({ type: "text_delta", index: 1, text: "second" });
    slow.streams[0]?.end(["late"]);
    await Promise.resolve();
    await pause(1);
    expect(batches).toEqual([["late 4-5 first"]]);
    expect(monitor.inspect({ type: "text_delta", index: 1, text: "late" })).toBe("pass");
  });

  it("a late cut while close() waits is the verdict of close()", async () => {
    const { monitor } = watch("cut");
    monitor.inspect(delta("x"));
    const closing = monitor.close(message);
    slow.streams[0]?.late("late", 1);
    slow.streams[0]?.end([]);
    expect(await closing).toBe("cut");
  });
});

describe("TTSR-4.4 a rule that is too slow", () => {
  it("is told once, by name, when the answer has ended", async () => {
    const manager = new TtsrManager(SETTINGS);
    manager.addRule(rule("x", { name: "slow", triggerLines: [3] }));
    const events: AgentEvent[] = [];
    const guard = new TtsrGuard({
      manager,
      policy: new RulePolicy(() => SETTINGS),
      ledger: new Ledger(),
      cwd: "/p",
      tools: () => undefined,
      messages: () => [],
      rules: () => [],
      emit: (event) => events.push(event),
      interrupt: () => expect.unreachable(),
    });
    const answer = async (): Promise<void> => {
      guard.open(() => true, true);
      guard.inspect(delta("a"));
      const closing = guard.close(message);
      for (const stream of slow.streams) stream.end([]);
      await closing;
    };
    await answer();
    expect(events).toEqual([]);
    const found = slow.sets.flatMap(({ diagnostics }) => (Array.isArray(diagnostics) ? [diagnostics] : []));
    for (const list of found) {
      list.push({ ruleId: "slow", index: 0, code: "timed-out", severity: "warning", message: "Too slow.", span: {} });
      list.push({ ruleId: "slow", index: 0, code: "isolated", severity: "info", message: "Apart.", span: {} });
    }
    await answer();
    await answer();
    expect(events).toEqual([{ type: "notice", level: "warning", code: "rule-slow", message: "Rule slow: Too slow." }]);
    expect(manager.diagnostics()).toMatchObject([
      { rule: "slow", code: "timed-out", line: 3, pattern: "x" },
      { code: "isolated" },
    ]);
  });
});
