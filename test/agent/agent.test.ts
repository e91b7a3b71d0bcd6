import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/agent/errors.js";
import type { ToolResultMessage, UserMessage } from "../../src/agent/messages.js";
import { userText } from "../../src/agent/messages.js";
import { settle } from "../support/fake-clock.js";
import { shape } from "../support/scripted-model.js";
import { fakeTool } from "../support/tools.js";
import { createAgent, openGuard, types } from "./harness.js";

const say = [userText("do it")];

describe("the loop", () => {
  it("answers, and tells the events of a plain run in order", async () => {
    const { agent, events, recorded } = createAgent([{ blocks: [{ text: "Hello there" }] }]);
    expect(await agent.prompt(say)).toBe("ok");
    expect(types(events)).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(recorded.map((message) => message.role)).toEqual(["user", "assistant"]);
  });

  it("D2: records the user's words before the request, the answer before its tools, each result as it arrives", async () => {
    const order: string[] = [];
    const tool = fakeTool("write", { run: () => void order.push("tool runs") as never });
    const { agent, model } = createAgent([{ blocks: [{ call: "write", args: {} }] }, { blocks: [{ text: "done" }] }], {
      tools: () => [tool],
      record: (message) => {
        order.push(`saved ${message.role} (${model.requests.length} requests)`);
        return "id";
      },
    });
    await agent.prompt(say);
    expect(order).toEqual([
      "saved user (0 requests)",
      "saved assistant (1 requests)",
      "tool runs",
      "saved toolResult (1 requests)",
      "saved assistant (2 requests)",
    ]);
  });

  it("runs read-only calls side by side, the others one after another, and keeps results in call order", async () => {
    let running = 0;
    let most = 0;
    const slow = (ms: number) => async () => {
      most = Math.max(most, ++running);
      for (let i = 0; i < ms; i++) await Promise.resolve();
      running--;
      return { content: [], isError: false };
    };
    const tools = [fakeTool("read", { readOnly: true, run: slow(9) }), fakeTool("write", { run: slow(3) })];
    const calls = ["read", "read", "write", "write"].map((call, i) => ({ call, args: {}, id: `c${i}` }));
    const { agent, recorded } = createAgent([{ blocks: calls }, { blocks: [{ text: "done" }] }], {
      tools: () => tools,
    });
    await agent.prompt(say);
    expect(most).toBe(2);
    const results = recorded.filter((message): message is ToolResultMessage => message.role === "toolResult");
    expect(results.map((result) => result.toolCallId)).toEqual(["c0", "c1", "c2", "c3"]);
  });

  it("F19: never runs a call that hit the output limit", async () => {
    const runs: Record<string, unknown>[] = [];
    const answers = [
      { blocks: [{ call: "write", args: '{"path":"a","content":"half' }], reason: "length" as const },
      { blocks: [{ text: "ok" }] },
    ];
    const { agent, recorded } = createAgent(answers, { tools: () => [fakeTool("write", { runs })] });
    await agent.prompt(say);
    expect(runs).toEqual([]);
    const result = recorded.find((message) => message.role === "toolResult");
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("output limit") }] });
  });

  it("F20: answers calls with broken JSON, unknown tools and throwing tools with an error result", async () => {
    const thrower = fakeTool("boom", {
      run: () => {
        throw new Error("the tool broke");
      },
    });
    const blocks = [
      { call: "boom", args: "{not json", id: "a" },
      { call: "nope", args: {}, id: "b" },
      { call: "boom", args: {}, id: "c" },
    ];
    const { agent, recorded } = createAgent([{ blocks }, { blocks: [{ text: "ok" }] }], { tools: () => [thrower] });
    expect(await agent.prompt(say)).toBe("ok");
    const results = recorded.filter((message): message is ToolResultMessage => message.role === "toolResult");
    expect(results.map((result) => result.isError)).toEqual([true, true, true]);
    expect(JSON.stringify(results[2])).toContain("the tool broke");
  });

  it("retries what may heal, waits as long as the provider asks, and gives up after the policy's number", async () => {
    const overloaded = new ModelError("overloaded", "The model is overloaded.", { retryAfterMs: 3000 });
    const { agent, clock, events, model } = createAgent([{ error: overloaded }, { blocks: [{ text: "fine" }] }]);
    const run = agent.prompt(say);
    await clock.advance(2999);
    expect(model.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await run).toBe("ok");
    expect(events.find((event) => event.type === "retry")).toMatchObject({ delayMs: 3000, attempt: 1, maxAttempts: 2 });

    const dead = createAgent([{ error: overloaded }]);
    const failing = dead.agent.prompt(say);
    await dead.clock.advance(60_000);
    expect(await failing).toBe("error");
    expect(dead.model.requests).toHaveLength(3);
  });

  it("does not retry what cannot heal", async () => {
    const { agent, model, events } = createAgent([{ error: new ModelError("auth", "The key was refused.") }]);
    expect(await agent.prompt(say)).toBe("error");
    expect(model.requests).toHaveLength(1);
    expect(events.find((event) => event.type === "error")).toMatchObject({ code: "auth" });
  });

  it("stops a waiting retry at once when the user does", async () => {
    const { agent, clock, events } = createAgent([{ error: new ModelError("overloaded", "Busy.") }]);
    const run = agent.prompt(say);
    await clock.advance(10);
    agent.abort("user");
    expect(await run).toBe("aborted");
    expect(clock.waiting).toBe(0);
    expect(types(events).filter((type) => type === "agent_end")).toHaveLength(1);
  });

  it("F5, F16: an answer that ends in the middle or holds nothing is an error, not a success", async () => {
    for (const answer of [{ blocks: [{ text: "half" }], incomplete: true }, { blocks: [] }]) {
      const { agent } = createAgent([answer], { retry: { maxAttempts: 0, baseDelayMs: 1 } });
      expect(await agent.prompt(say)).toBe("error");
    }
  });

  it("F28: after an abort nothing of the attempt is handled, and partial text stays", async () => {
    const { agent, events, recorded } = createAgent([{ blocks: [{ text: "one two three four" }], burst: true }], {
      emit: (event) => {
        events.push(event);
        if (event.type === "message_update") agent.abort("user");
      },
    });
    expect(await agent.prompt(say)).toBe("aborted");
    expect(events.filter((event) => event.type === "message_update")).toHaveLength(1);
    expect(recorded.at(-1)).toMatchObject({ stopReason: "aborted", abortReason: "user", content: [{ text: "one " }] });
  });

  it("goes on with the same conversation when the server pauses the turn", async () => {
    const answers = [{ blocks: [{ text: "searching" }], pause: true }, { blocks: [{ text: "found" }] }];
    const { agent, model } = createAgent(answers);
    expect(await agent.prompt(say)).toBe("ok");
    expect(shape(model.requests[1]!)).toEqual(["user: do it", "assistant: searching"]);
  });

  it("delivers what the user said meanwhile with the next turn, and leaves tools out that had not started", async () => {
    const said: UserMessage[] = [];
    const first = fakeTool("one", { run: () => void said.push(userText("stop that")) as never });
    const runs: Record<string, unknown>[] = [];
    const { agent, model } = createAgent(
      [
        {
          blocks: [
            { call: "one", args: {}, id: "a" },
            { call: "two", args: {}, id: "b" },
          ],
        },
        { blocks: [{ text: "ok" }] },
      ],
      {
        tools: () => [first, fakeTool("two", { runs })],
        pending: () => said.splice(0),
        steering: () => said.length > 0,
      },
    );
    await agent.prompt(say);
    expect(runs).toEqual([]);
    expect(shape(model.requests[1]!).at(-1)).toBe("user: stop that");
  });

  it("ends with budget when the turn limit is reached", async () => {
    const { agent, events } = createAgent([{ blocks: [{ call: "one", args: {} }] }], {
      tools: () => [fakeTool("one")],
      overBudget: (turn) => (turn >= 3 ? "Three turns are enough." : undefined),
    });
    expect(await agent.prompt(say)).toBe("budget");
    expect(events.filter((event) => event.type === "turn_end")).toHaveLength(3);
  });

  it("a denial that ends the run leaves the other calls out, each with a result", async () => {
    const { agent, recorded } = createAgent(
      [
        {
          blocks: [
            { call: "one", args: {}, id: "a" },
            { call: "one", args: {}, id: "b" },
          ],
        },
      ],
      {
        tools: () => [fakeTool("one")],
        gate: { decide: async () => ({ allow: false, by: "user", reason: "No.", endRun: true }) },
      },
    );
    expect(await agent.prompt(say)).toBe("denied");
    expect(recorded.filter((message) => message.role === "toolResult")).toHaveLength(2);
  });

  it.each([
    ["policy", "", "denied"],
    ["user", "", "denied"],
    ["policy", "I may not.", "ok"],
  ] as const)("a denial by %s and %j after it: the run ended %s", async (by, text, status) => {
    const { agent, recorded } = createAgent([{ blocks: [{ call: "one", args: {} }] }, { blocks: [{ text }] }], {
      tools: () => [fakeTool("one")],
      gate: { decide: async () => ({ allow: false, by, reason: "No." }) },
    });
    expect(await agent.prompt(say)).toBe(status);
    expect(recorded.find((message) => message.role === "toolResult")).toMatchObject({ denied: { by, reason: "No." } });
  });

  it("TTSR-6.7: no tool starts before every check on the whole message is answered", async () => {
    let answer: (verdict: "pass") => void = () => undefined;
    const runs: Record<string, unknown>[] = [];
    const { agent, events } = createAgent([{ blocks: [{ call: "one", args: {} }] }, { blocks: [{ text: "ok" }] }], {
      tools: () => [fakeTool("one", { runs })],
      guard: { ...openGuard, close: () => new Promise((resolve) => (answer = resolve)) },
    });
    const run = agent.prompt(say);
    await settle();
    expect(runs).toEqual([]);
    expect(types(events)).not.toContain("message_end");
    answer("pass");
    await settle();
    expect(runs).toHaveLength(1);
    answer("pass");
    await run;
  });
});
