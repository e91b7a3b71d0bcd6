/** The shipped wires and the test server understand each other: what goes in comes out, and what is asked is read. */
import { afterEach, describe, expect, it } from "vitest";
import { createAssembler } from "../src/agent/assemble.js";
import type { AssistantMessage, Message } from "../src/agent/messages.js";
import { userText } from "../src/agent/messages.js";
import type { ModelRequest, StreamPart } from "../src/agent/ports.js";
import { connectModel } from "../src/models/connect.js";
import { systemClock } from "../src/platform/clock.js";
import type { Answer, ModelServer, ServedWire } from "./server/index.js";
import { callTool, SERVED_WIRES, say, startModelServer } from "./server/index.js";
import { PATIENCE_MS, until } from "./support/wait.js";

let server: ModelServer;
afterEach(() => server.close());

const TOOLS = [
  { name: "bash", description: "Runs.", parameters: { type: "object", properties: { command: { type: "string" } } } },
];

function requestOf(messages: Message[]): ModelRequest {
  return { system: "Be brief.", messages, tools: TOOLS, thinking: "off" };
}

async function ask(wire: ServedWire, messages: Message[], signal = new AbortController().signal) {
  const target = {
    provider: "test",
    model: "test-model",
    wire,
    baseUrl: server.url(wire),
    apiKey: "k",
    maxOutput: 4096,
  };
  const timeouts = { firstEventMs: PATIENCE_MS, idleMs: PATIENCE_MS };
  const model = await connectModel(target, { fetch: globalThis.fetch, clock: systemClock, timeouts });
  const assembler = createAssembler(model);
  const parts: StreamPart[] = [];
  for await (const group of model.stream(requestOf(messages), signal)) {
    for (const part of group) {
      parts.push(part);
      assembler.apply(part);
    }
  }
  return { parts, last: parts.at(-1), message: assembler.seal() };
}

describe.each(SERVED_WIRES)("%s against the test server", (wire) => {
  const answer: Answer = {
    blocks: [
      { type: "thinking", thinking: "Look first.", signature: "c2lnbmF0dXJl" },
      { type: "text", text: "Größer 🙂 als gedacht." },
      { type: "call", name: "bash", args: { command: 'ls "ä"\n' } },
    ],
    usage: { input: 5, cacheRead: 7, output: 20 },
  };

  it.each([
    ["piece by piece", {}],
    ["as a burst", { burst: true }],
    ["split into bytes, with comments and CRLF", { splitBytes: 5, comments: true, crlf: true }],
  ])("reads an answer %s", async (_, how) => {
    server = await startModelServer({ script: [{ ...answer, ...how }] });
    const { message, last } = await ask(wire, [userText("Look.")]);
    expect(last).toMatchObject({ type: "finish", reason: "toolUse", usage: { input: 5, cacheRead: 7, output: 20 } });
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "Look first." },
      { type: "text", text: "Größer 🙂 als gedacht." },
      { type: "toolCall", name: "bash", arguments: { command: 'ls "ä"\n' } },
    ]);
  });

  it("sends a conversation that reads back as it was", async () => {
    server = await startModelServer({ script: [callTool("bash", { command: "ls" }), say("Done.")] });
    const prompt = userText("Look.");
    const first = (await ask(wire, [prompt])).message;
    const id = first.content.find((block) => block.type === "toolCall")!.id;
    const result: Message = {
      role: "toolResult",
      toolCallId: id,
      toolName: "bash",
      content: [{ type: "text", text: "a.ts" }],
      isError: false,
    };
    const { message } = await ask(wire, [prompt, first as AssistantMessage, result]);
    expect(message.content).toMatchObject([{ type: "text", text: "Done." }]);

    const request = server.requests[1]!.neutral();
    expect(request.system).toBe("Be brief.");
    expect(request.tools.map(({ name }) => name)).toEqual(["bash"]);
    expect(request.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(request.messages[0]).toMatchObject({ text: "Look." });
    expect(request.messages[1]!.calls).toMatchObject([{ name: "bash", args: { command: "ls" } }]);
    expect(request.messages[2]!.results[0]!.text).toBe("a.ts");
  });

  it.each([
    ["cut off", { cutAfter: 3 }],
    ["ended too early", { endAfter: 3 }],
    ["broken by an error", { errorAfter: 3 }],
    ["refused", { status: 401 }],
  ])("ends with one error when it is %s", async (_, how) => {
    server = await startModelServer({ script: [say("a text of some length, in many pieces", how)] });
    const { parts, last } = await ask(wire, [userText("Look.")]);
    expect(last?.type).toBe("error");
    expect(parts.filter(({ type }) => type === "error" || type === "finish")).toHaveLength(1);
  });

  it("is closed by the client when it is aborted", async () => {
    server = await startModelServer({ script: [{ blocks: [{ type: "text", text: "more ", endless: true }] }] });
    const abort = new AbortController();
    const asking = ask(wire, [userText("Look.")], abort.signal);
    const request = await server.request(0);
    await until(() => request.eventsWritten > 20);
    abort.abort();
    await asking;
    await request.done;
    expect(request.closedEarly).toBe(true);
  });
});
