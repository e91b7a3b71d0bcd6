import { afterEach, describe, expect, it } from "vitest";
import type { StreamPart } from "../../src/agent/ports.js";
import { FakeClock, settle } from "../support/fake-clock.js";
import type { Answering } from "./http-answers.js";
import { answering, ask, ends, event, modelAt, say, stream, textIn } from "./http-answers.js";

let server: Answering | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A model on a clock that moves only when told, and the writing end of its answer. */
function staged(timeouts = { firstEventMs: 60_000, idleMs: 30_000 }) {
  const clock = new FakeClock();
  const utf8 = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let socket: AbortSignal | null | undefined;
  let cancelled = false;
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    socket = init?.signal;
    const body = new ReadableStream<Uint8Array>({
      start: (own) => {
        controller = own;
      },
      cancel: () => {
        cancelled = true;
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
  const parts: StreamPart[] = [];
  const model = modelAt("http://127.0.0.1:9/v1", { fetch, clock, timeouts });
  const ended = ask(model, undefined, (group) => void parts.push(...group));
  return {
    clock,
    parts,
    ended,
    write: async (text: string): Promise<void> => {
      await settle();
      controller?.enqueue(utf8.encode(text));
      await settle();
    },
    end: () => controller?.close(),
    closed: () => cancelled || socket?.aborted === true,
  };
}

const KEEP_ALIVE = ": keep-alive\n\n";

describe("a stall", () => {
  it("before the first part ends the wait, whatever keep-alives come", async () => {
    const { clock, parts, write, closed, ended } = staged();
    for (let at = 0; at < 5; at++) {
      await write(KEEP_ALIVE);
      await clock.advance(11_999);
    }
    expect(parts).toEqual([]);
    await clock.advance(5);
    await ended;
    expect(parts).toMatchObject([{ type: "error", error: { code: "stalled", retryable: true } }]);
    expect(parts[0]?.type === "error" && parts[0].error.message).toContain("did not begin to answer within 60 s");
    expect(closed()).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it("in the middle ends it: comments, pings and empty chunks are no progress", async () => {
    const { clock, parts, write, closed, ended } = staged();
    await write(say("a"));
    const nothing = event({ id: "c1", choices: [{ index: 0, delta: { content: "" } }] });
    for (const idle of [KEEP_ALIVE, nothing, "data:\n\n", 'event: ping\ndata: {"type":"ping"}\n\n']) {
      await clock.advance(7_499);
      await write(idle);
    }
    expect(parts.some(({ type }) => type === "error")).toBe(false);
    await clock.advance(5);
    await ended;
    expect(textIn(parts)).toBe("a");
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "stalled" } });
    expect(closed()).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it("is none while parts come, however long the whole answer takes", async () => {
    const { clock, parts, write, end, ended } = staged();
    for (let at = 0; at < 20; at++) {
      await write(say("a"));
      await clock.advance(29_000);
    }
    await write(ends());
    end();
    await ended;
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
    expect(textIn(parts)).toBe("a".repeat(20));
  });

  it("is none while the reader takes its time", async () => {
    const clock = new FakeClock();
    const fetch = (): Promise<Response> =>
      Promise.resolve(new Response(say("a") + ends(), { headers: { "content-type": "text/event-stream" } }));
    const model = modelAt("http://127.0.0.1:9/v1", { fetch, clock, timeouts: { firstEventMs: 1000, idleMs: 1000 } });
    const parts = await ask(model, undefined, () => clock.advance(60_000));
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
  });

  it("of a server that accepts and says nothing", async () => {
    server = await answering(() => undefined);
    const parts = await ask(modelAt(server.url, { timeouts: { firstEventMs: 40, idleMs: 40 } }));
    expect(parts).toMatchObject([{ type: "error", error: { code: "stalled" } }]);
    await server.closed[0];
  });

  it("of a server that only keeps the connection alive", async () => {
    server = await answering((response) => {
      stream(response).write(say("a"));
      const timer = setInterval(() => response.write(KEEP_ALIVE), 5);
      response.once("close", () => clearInterval(timer));
    });
    const parts = await ask(modelAt(server.url, { timeouts: { firstEventMs: 5000, idleMs: 60 } }));
    expect(textIn(parts)).toBe("a");
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "stalled" } });
    await server.closed[0];
  });
});

describe("a finished answer whose connection stays open", () => {
  it("is told at once, and the socket is closed soon", async () => {
    const { clock, parts, write, closed, ended } = staged();
    await write(`${say("a")}${ends()}data: [DONE]\n\n`);
    await ended;
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
    expect(closed()).toBe(false);
    await clock.advance(1000);
    expect(closed()).toBe(true);
    expect(clock.waiting).toBe(0);
  });
});
