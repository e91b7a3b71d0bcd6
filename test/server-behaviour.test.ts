/** How the test server cuts its answers up, breaks them off, and what it writes down. */
import { afterEach, describe, expect, it } from "vitest";
import type { Answer, ModelServer, Script, ServedWire } from "./server/index.js";
import { overflowBody, SERVED_WIRES, say, startModelServer } from "./server/index.js";

const PATHS: Readonly<Record<ServedWire, string>> = {
  "anthropic-messages": "/messages",
  "openai-chat": "/chat/completions",
  "openai-responses": "/responses",
  gemini: "/models/m:streamGenerateContent?alt=sse",
};

let server: ModelServer;
afterEach(() => server.close());

async function start(script: Script): Promise<void> {
  server = await startModelServer({ script });
}

function ask(wire: ServedWire, signal?: AbortSignal, body: object = { model: "m", stream: true }): Promise<Response> {
  const init = { method: "POST", body: JSON.stringify(body), ...(signal ? { signal } : {}) };
  return fetch(server.url(wire) + PATHS[wire], init);
}

const countEvents = (text: string): number => text.split("\n").filter((line) => line.startsWith("data: ")).length;

/** Reads chunk by chunk. */
async function chunksOf(response: Response): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of response.body as AsyncIterable<Uint8Array>)
    chunks.push(Buffer.from(chunk).toString("latin1"));
  return chunks;
}

describe.each(SERVED_WIRES)("test server over %s", (wire) => {
  it("ends cleanly after n events", async () => {
    await start([say("a text that is longer than three events", { endAfter: 3 })]);
    expect(countEvents(await (await ask(wire)).text())).toBe(3);
  });

  it("breaks the connection after n events, and all n arrive", async () => {
    await start([say("a text that is longer than three events", { cutAfter: 3 })]);
    const reader = (await ask(wire)).body!.getReader();
    let text = "";
    await expect(
      (async () => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          text += Buffer.from(value).toString("utf8");
        }
      })(),
    ).rejects.toThrow();
    expect(countEvents(text)).toBe(3);
    await server.requests[0]!.done;
    expect(server.requests[0]).toMatchObject({ closedEarly: false, cutByServer: true, eventsWritten: 3 });
  });

  it("sends an in-stream error after n events", async () => {
    await start([say("a text that is longer than three events", { errorAfter: 2 })]);
    const lines = (await (await ask(wire)).text()).split("\n").filter((line) => line.startsWith("data: "));
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/Overloaded|scripted failure in the stream/);
  });

  it("stalls after n events, and sees the client go", async () => {
    await start([say("a text that is longer than three events", { stallAfter: 3 })]);
    const abort = new AbortController();
    const response = await ask(wire, abort.signal);
    const reader = response.body!.getReader();
    let text = "";
    while (countEvents(text) < 3) text += Buffer.from((await reader.read()).value!).toString("utf8");
    abort.abort();
    await server.requests[0]!.done;
    expect(server.requests[0]).toMatchObject({ closedEarly: true, eventsWritten: 3 });
    expect(server.requests[0]!.closedAt).toBeGreaterThan(server.requests[0]!.firstEventAt!);
  });

  it("goes on for ever until the client closes", async () => {
    await start([{ blocks: [{ type: "text", text: "more ", endless: true }] }]);
    const abort = new AbortController();
    const reader = (await ask(wire, abort.signal)).body!.getReader();
    let size = 0;
    while (size < 20_000) size += (await reader.read()).value!.length;
    abort.abort();
    await server.requests[0]!.done;
    expect(server.requests[0]!.closedEarly).toBe(true);
  });

  it("gives the same bytes as a burst, split into bytes, and piece by piece", async () => {
    const answer: Answer = {
      blocks: [
        { type: "text", text: "Größer 🙂" },
        { type: "call", name: "bash", args: { command: "ls" }, id: "call_x" },
      ],
    };
    await start((_request, index) => [answer, { ...answer, burst: true }, { ...answer, splitBytes: 7 }][index]!);
    const texts: string[] = [];
    for (let at = 0; at < 3; at++) {
      const chunks = await chunksOf(await ask(wire));
      // Ids carry the number of the request; all else must be equal.
      texts.push(chunks.join("").replaceAll(/(msg|chatcmpl|resp|rs|fc|response)([_-])\d+/g, "$1$2N"));
      if (at === 1) expect(server.requests[1]!.eventsWritten).toBe(server.requests[0]!.eventsWritten);
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[0]);
  });

  it("puts the text in as many deltas as the chunk size says", async () => {
    const counts: number[] = [];
    await start((_request, index) => say("12345678", { chunk: [1, 4, "whole" as const][index]! }));
    for (let at = 0; at < 3; at++) counts.push(countEvents(await (await ask(wire)).text()));
    expect(counts[0]! - counts[1]!).toBe(6);
    expect(counts[1]! - counts[2]!).toBe(1);
  });

  it("answers with an HTTP error of the wire's shape", async () => {
    await start([
      { status: 429, retryAfter: 7 },
      { status: 400, body: overflowBody(wire) },
    ]);
    const limited = await ask(wire);
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("7");
    expect(await limited.json()).toHaveProperty("error");
    expect(await (await ask(wire)).text()).toMatch(/maximum/);
  });
});

describe("test server", () => {
  const wire = "openai-chat";

  it("frames with CRLF and comments when asked to", async () => {
    await start([say("hello", { crlf: true, comments: true, chunk: "whole" })]);
    const text = await (await ask(wire)).text();
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(text.split(": keep-alive\r\n\r\n")).toHaveLength(6);
  });

  it("logs what it was asked, and hands requests out as they arrive", async () => {
    await start([say("hello")]);
    const coming = server.request(0);
    const body = { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] };
    await (await ask(wire, undefined, body)).text();
    const request = await coming;
    expect(request).toBe(server.requests[0]);
    expect(request).toMatchObject({ wire, model: "m", body, closedEarly: false });
    expect(request.neutral().messages[0]).toMatchObject({ role: "user", text: "hi" });
  });

  it("refuses what the script has no answer for, in words", async () => {
    await start([]);
    const response = await ask(wire);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("the script has no answer for request 1");
  });

  it("refuses a request that does not stream", async () => {
    await start([say("hello")]);
    expect((await ask(wire, undefined, { model: "m" })).status).toBe(400);
    expect(server.requests).toHaveLength(0);
  });

  it("lists models", async () => {
    server = await startModelServer({ script: [], models: ["a", "b"] });
    const list = (await (await fetch(`${server.url(wire)}/models`)).json()) as { data: { id: string }[] };
    expect(list.data.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(server.modelLists).toBe(1);
  });

  it("closes although an answer is stalled", async () => {
    await start([say("hello", { stallAfter: 1 })]);
    const response = await ask(wire);
    const read = response.text();
    await server.close();
    await expect(read).rejects.toThrow();
    expect(server.requests[0]!.closedEarly).toBe(false);
  });
});
